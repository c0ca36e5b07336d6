import type { AccountSession, AdminAccount } from "@creditgate/client/admin";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Button } from "react-aria-components";
import { accountQuery } from "../api/account.ts";
import { Facts } from "../parts/facts.tsx";
import { Page } from "../parts/page.tsx";
import { formatExact } from "../parts/time.tsx";
import { EverywhereDialog } from "./everywhere-dialog.tsx";
import { PasswordDialog } from "./password-dialog.tsx";
import { Tokens } from "./tokens.tsx";
import { roleNames } from "./words.ts";

/** One's own account: what it may do, its password, its sessions and its tokens. */
export function AccountPage(): ReactNode {
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
          <Button className="btn" onPress={() => setOpen("password")}>
            Change the password
          </Button>
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

function rolesOf({ operator, organizations }: AdminAccount): ReactNode {
  if (operator) return "Operator: everything, in every organization";
  return organizations.map(({ organizationId, name, roles }) => (
    <span key={organizationId} className="each">
      {name}: {roleNames(roles)}
    </span>
  ));
}

function Session({
  session,
  onEnd,
}: {
  readonly session: AccountSession;
  readonly onEnd: () => void;
}): ReactNode {
  return (
    <section className="section" aria-labelledby="session">
      <header>
        <h2 id="session">This session</h2>
        <Button className="btn sm end" onPress={onEnd}>
          Sign out everywhere
        </Button>
      </header>
      <Facts
        facts={[
          ["Signed in", formatExact(session.createdAt)],
          ["Ends without a request", formatExact(session.idleExpiresAt)],
          ["Ends in any case", formatExact(session.expiresAt)],
        ]}
      />
    </section>
  );
}
