import type { AdminUser } from "@creditgate/client/admin";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Button } from "react-aria-components";
import { accountQuery } from "../api/account.ts";
import { Badge } from "../parts/badge.tsx";
import { WholeListing } from "../parts/listing.tsx";
import { MenuButton } from "../parts/menu-button.tsx";
import { Day } from "../parts/time.tsx";
import { type AccountChange, AccountDialog } from "./account-dialog.tsx";
import { OperatorInvitations } from "./invitations.tsx";
import type { OneTime } from "./one-time.ts";
import { OperatorDialog } from "./operator-dialog.tsx";
import { usersQuery } from "./queries.ts";

interface Open {
  readonly change: AccountChange;
  readonly user: AdminUser;
}

/** All accounts of the control plane, for operators. */
export function Accounts({ onMade }: { readonly onMade: (made: OneTime) => void }): ReactNode {
  const users = useQuery(usersQuery);
  const { data: account } = useQuery(accountQuery);
  const [open, setOpen] = useState<Open>();
  const [isInviting, setIsInviting] = useState(false);
  return (
    <section className="section rule" aria-labelledby="accounts">
      <header>
        <h2 id="accounts">All accounts</h2>
        <Button className="btn sm end" onPress={() => setIsInviting(true)}>
          Invite an operator
        </Button>
        <p>Of this control plane, in all organizations. Only operators see them.</p>
      </header>
      <WholeListing query={users} failure="The accounts could not be loaded." empty={null}>
        {(rows) => (
          <table>
            <caption className="unseen">Accounts, the oldest first</caption>
            <thead>
              <tr>
                <th scope="col">Person</th>
                <th scope="col">State</th>
                <th scope="col" className="p2">
                  Signs in by
                </th>
                <th scope="col" className="p1">
                  Made
                </th>
                <th scope="col">
                  <span className="unseen">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((user) => (
                <tr key={user.userId}>
                  <th scope="row" className="breaks">
                    {user.name}
                    {user.name !== user.email && <span className="sub">{user.email}</span>}
                  </th>
                  <td>
                    <AccountState user={user} />
                  </td>
                  <td className="p2">{user.hasPassword ? "Password" : "The identity provider"}</td>
                  <td className="quiet p1">
                    <Day at={user.createdAt} />
                  </td>
                  <td className="end">
                    <MenuButton
                      label={`More for the account ${user.name}`}
                      actions={actionsFor(user, account?.user?.userId === user.userId)}
                      onAction={(change) => setOpen({ change, user })}
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </WholeListing>
      <OperatorInvitations />
      {open !== undefined && (
        <AccountDialog
          {...open}
          onClose={() => setOpen(undefined)}
          onMade={(made) => {
            setOpen(undefined);
            onMade(made);
          }}
        />
      )}
      {isInviting && (
        <OperatorDialog
          onClose={() => setIsInviting(false)}
          onMade={(made) => {
            setIsInviting(false);
            onMade(made);
          }}
        />
      )}
    </section>
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

function AccountState({ user }: { readonly user: AdminUser }): ReactNode {
  if (user.disabled) {
    return (
      <Badge tone="bad" icon="alert">
        Shut
      </Badge>
    );
  }
  return user.operator ? <Badge tone="accent">Operator</Badge> : <Badge>Account</Badge>;
}
