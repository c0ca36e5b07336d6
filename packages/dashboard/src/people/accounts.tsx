import type { AdminUser } from "@creditgate/admin";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { accountQuery } from "../api/account.ts";
import { Badge } from "../parts/badge.tsx";
import { TextButton } from "../parts/button.tsx";
import { Loaded } from "../parts/listing.tsx";
import { MenuButton } from "../parts/menu-button.tsx";
import { Section } from "../parts/page.tsx";
import { Table } from "../parts/table.tsx";
import { Day } from "../parts/time.tsx";
import { type AccountChange, AccountDialog } from "./account-dialog.tsx";
import { OperatorInvitations } from "./invitations.tsx";
import { OperatorDialog } from "./invite-dialogs.tsx";
import { Person } from "./members.tsx";
import { type OneTime, usersQuery } from "./queries.ts";

interface Open {
  readonly change: AccountChange;
  readonly user: AdminUser;
}

/** All accounts of the control plane, for operators. */
export function Accounts({ onMade }: { readonly onMade: (made: OneTime) => void }) {
  const users = useQuery(usersQuery);
  const { data: account } = useQuery(accountQuery);
  const [open, setOpen] = useState<Open>();
  const [isInviting, setIsInviting] = useState(false);
  return (
    <Section
      id="accounts"
      title="All accounts"
      isRuled
      end={<TextButton text="Invite an operator" look="sm end" onPress={() => setIsInviting(true)} />}
      lead="Of this control plane, in all organizations. Only operators see them."
    >
      <Loaded query={users} failure="The accounts could not be loaded.">
        {(rows) => (
          <Table
            caption="Accounts, the oldest first"
            rows={rows}
            idOf={({ userId }) => userId}
            columns={[
              { header: "Person", isName: true, look: "breaks", cell: (user) => <Person {...user} /> },
              { header: "State", cell: (user) => <AccountState user={user} /> },
              {
                header: "Signs in by",
                from: 2,
                cell: ({ hasPassword }) => (hasPassword ? "Password" : "The identity provider"),
              },
              { header: "Made", from: 1, look: "quiet", cell: ({ createdAt }) => <Day at={createdAt} /> },
              {
                header: "Actions",
                isUnseen: true,
                look: "end",
                cell: (user) => (
                  <MenuButton
                    label={`More for the account ${user.name}`}
                    actions={actionsFor(user, account?.user?.userId === user.userId)}
                    onAction={(change) => setOpen({ change, user })}
                  />
                ),
              },
            ]}
          />
        )}
      </Loaded>
      <OperatorInvitations />
      {open !== undefined && <AccountDialog {...open} onClose={() => setOpen(undefined)} onMade={onMade} />}
      {isInviting && <OperatorDialog onClose={() => setIsInviting(false)} onMade={onMade} />}
    </Section>
  );
}

/** Of one's own account only the password can be changed. */
function actionsFor(user: AdminUser, isOwn: boolean) {
  const link = { id: "link" as const, name: "Link for a new password" };
  if (isOwn) return [link];
  return [
    link,
    user.operator
      ? { id: "demote" as const, name: "No operator any more", isDanger: true }
      : { id: "promote" as const, name: "Make an operator" },
    user.disabled
      ? { id: "open" as const, name: "Open the account" }
      : { id: "shut" as const, name: "Shut the account", isDanger: true },
  ];
}

function AccountState({ user }: { readonly user: AdminUser }) {
  if (user.disabled) return <Badge tone="bad">Shut</Badge>;
  return user.operator ? <Badge tone="accent">Operator</Badge> : <Badge>Account</Badge>;
}
