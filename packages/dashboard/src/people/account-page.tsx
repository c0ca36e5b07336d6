import type { AccountSession, AdminAccount } from "@creditgate/admin";
import { useQuery } from "@tanstack/react-query";
import { accountQuery } from "../api/account.ts";
import { DialogButton } from "../parts/dialog-button.tsx";
import { Facts, Page, Section } from "../parts/page.tsx";
import { formatExact } from "../parts/time.tsx";
import { EverywhereDialog, PasswordDialog } from "./own-dialogs.tsx";
import { Tokens } from "./tokens.tsx";
import { roleNames } from "./words.ts";

/** One's own account: what it may do, its password, its sessions and its tokens. */
export function AccountPage() {
  const { data: account } = useQuery(accountQuery);
  if (account === null || account === undefined) return <div className="wrap" aria-busy="true" />;
  const { user, session } = account;
  return (
    <Page
      title="Your account"
      actions={
        user?.hasPassword === true && (
          <DialogButton text="Change the password">
            <PasswordDialog />
          </DialogButton>
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
      {session !== null && <Session session={session} />}
      {session !== null && <Tokens />}
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

function Session({ session }: { session: AccountSession }) {
  return (
    <Section
      id="session"
      title="This session"
      end={
        <DialogButton text="Sign out everywhere" look="sm end">
          <EverywhereDialog />
        </DialogButton>
      }
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
