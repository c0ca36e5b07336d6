import type { AccountSession, AdminAccount } from "@creditgate/admin";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { accountQuery } from "../api/account.ts";
import { TextButton } from "../parts/button.tsx";
import { Facts, Page, Section } from "../parts/page.tsx";
import { formatExact } from "../parts/time.tsx";
import { EverywhereDialog, PasswordDialog } from "./own-dialogs.tsx";
import { Tokens } from "./tokens.tsx";
import { roleNames } from "./words.ts";

/** One's own account: what it may do, its password, its sessions and its tokens. */
export function AccountPage() {
  const { data: account } = useQuery(accountQuery);
  const [open, setOpen] = useState<"password" | "everywhere">();
  const close = () => setOpen(undefined);
  if (account === null || account === undefined) return <div className="wrap" aria-busy="true" />;
  const { user, session } = account;
  return (
    <Page
      title="Your account"
      actions={
        user?.hasPassword === true && (
          <TextButton text="Change the password" onPress={() => setOpen("password")} />
        )
      }
    >
      <section className="panel" aria-label="What is known of you">
        <Facts
          facts={[
            ["Name", user?.name],
            ["Email", user?.email],
            ["Signs in by", user !== null && (user.hasPassword ? "Password" : "The identity provider")],
            ["Roles", rolesOf(account)],
          ]}
        />
      </section>
      {session !== null && <Session session={session} onEnd={() => setOpen("everywhere")} />}
      {session !== null && <Tokens />}
      {open === "password" && <PasswordDialog onClose={close} />}
      {open === "everywhere" && <EverywhereDialog onClose={close} />}
    </Page>
  );
}

function rolesOf({ operator, organizations }: AdminAccount) {
  if (operator) return "Operator: everything, in every organization";
  return organizations.map(({ organizationId, name, roles }) => (
    <span key={organizationId} className="each">
      {name}: {roleNames(roles)}
    </span>
  ));
}

function Session({ session, onEnd }: { session: AccountSession; onEnd: () => void }) {
  return (
    <Section
      id="session"
      title="This session"
      end={<TextButton text="Sign out everywhere" look="sm end" onPress={onEnd} />}
    >
      <Facts
        facts={[
          ["Signed in", formatExact(session.createdAt)],
          ["Ends without a request", formatExact(session.idleExpiresAt)],
          ["Ends in any case", formatExact(session.expiresAt)],
        ]}
      />
    </Section>
  );
}
