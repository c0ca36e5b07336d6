import type { AdminUser } from "@creditgate/admin";
import { useQuery } from "@tanstack/react-query";
import { accountQuery } from "../api/account.ts";
import { Badge } from "../parts/badge.tsx";
import { DialogButton } from "../parts/dialog-button.tsx";
import { Loaded } from "../parts/listing.tsx";
import { MenuButton } from "../parts/menu-button.tsx";
import { Section } from "../parts/page.tsx";
import { Table } from "../parts/table.tsx";
import { Day } from "../parts/time.tsx";
import { type AccountChange, AccountDialog } from "./account-dialog.tsx";
import { OperatorInvitations } from "./invitations.tsx";
import { OperatorDialog } from "./invite-dialogs.tsx";
import { Person } from "./members.tsx";
import { usersQuery } from "./queries.ts";

/** All accounts of the control plane, for operators. */
export function Accounts() {
  const users = useQuery(usersQuery);
  const { data: account } = useQuery(accountQuery);
  return (
    <Section
      id="accounts"
      title="All accounts"
      isRuled
      end={
        <DialogButton text="Invite an operator" look="sm end">
          <OperatorDialog />
        </DialogButton>
      }
      lead="Of this control plane, in all organizations. Only operators see them."
    >
      <Loaded query={users} failure="The accounts could not be loaded.">
        {(rows) => (
          <Table
            caption="Accounts, the oldest first"
            rows={rows}
            idOf={({ userId }) => userId}
            columns={(column) => [
              column("Person", { isName: true, look: "breaks" }, (user) => <Person {...user} />),
              column("State", {}, (user) => <AccountState user={user} />),
              column("Signs in by", { from: 2 }, ({ hasPassword }) =>
                hasPassword ? "Password" : "The identity provider",
              ),
              column("Made", { from: 1, look: "quiet" }, ({ createdAt }) => <Day at={createdAt} />),
              column("Actions", { isUnseen: true, look: "end" }, (user) => (
                <MenuButton
                  label={`More for the account ${user.name}`}
                  actions={actionsFor(user, account?.user?.userId === user.userId)}
                />
              )),
            ]}
          />
        )}
      </Loaded>
      <OperatorInvitations />
    </Section>
  );
}

/** Of one's own account only the password can be changed. */
function actionsFor(user: AdminUser, isOwn: boolean) {
  const action = (change: AccountChange, name: string, isDanger = false) => ({
    name,
    isDanger,
    dialog: <AccountDialog user={user} change={change} />,
  });
  return [
    action("link", "Link for a new password"),
    !isOwn &&
      (user.operator
        ? action("demote", "No operator any more", true)
        : action("promote", "Make an operator")),
    !isOwn && (user.disabled ? action("open", "Open the account") : action("shut", "Shut the account", true)),
  ];
}

function AccountState({ user }: { readonly user: AdminUser }) {
  if (user.disabled) return <Badge tone="bad">Shut</Badge>;
  return user.operator ? <Badge tone="accent">Operator</Badge> : <Badge>Account</Badge>;
}
