import type { Invitation } from "@creditgate/client/admin";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useOrganizationId } from "../api/account.ts";
import { useChange } from "../api/change.ts";
import { admin } from "../api/client.ts";
import { Effect } from "../parts/effect.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { WholeListing } from "../parts/listing.tsx";
import { MenuButton } from "../parts/menu-button.tsx";
import { Day } from "../parts/time.tsx";
import { tell } from "../parts/toasts.tsx";
import { invitationsQuery, operatorInvitationsQuery, peopleKeys } from "./queries.ts";
import { roleNames } from "./words.ts";

/** The invitations to the organization. */
export function Invitations(): ReactNode {
  const organizationId = useOrganizationId();
  return (
    <InvitationList
      id="invitations"
      title="Invited"
      query={useQuery(invitationsQuery(organizationId))}
      revoke={(id) => admin.organization(organizationId).members.revokeInvitation(id)}
      untrue={peopleKeys(organizationId)}
    />
  );
}

/** The invitations of operators, for operators. */
export function OperatorInvitations(): ReactNode {
  return (
    <InvitationList
      id="operator-invitations"
      title="Invited operators"
      query={useQuery(operatorInvitationsQuery)}
      revoke={(id) => admin.users.revokeOperatorInvitation(id)}
      untrue={[operatorInvitationsQuery.queryKey]}
    />
  );
}

interface Revoking {
  readonly revoke: (invitationId: string) => Promise<Invitation>;
  /** What changes with it. */
  readonly untrue: readonly (readonly string[])[];
}

interface InvitationListProps extends Revoking {
  readonly id: string;
  readonly title: string;
  readonly query: UseQueryResult<readonly Invitation[]>;
}

/** Pending invitations; absent if there are none. */
function InvitationList({ id, title, query, ...revocation }: InvitationListProps): ReactNode {
  const [revoking, setRevoking] = useState<Invitation>();
  return (
    <>
      <WholeListing query={query} failure="The invitations could not be loaded." pending={null} empty={null}>
        {(rows) => (
          <section className="section" aria-labelledby={id}>
            <header>
              <h2 id={id}>{title}</h2>
            </header>
            <table>
              <caption className="unseen">Pending invitations, the oldest first</caption>
              <thead>
                <tr>
                  <th scope="col">Email</th>
                  <th scope="col">Roles</th>
                  <th scope="col" className="p2">
                    Invited by
                  </th>
                  <th scope="col" className="p1">
                    Until
                  </th>
                  <th scope="col">
                    <span className="unseen">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {rows.map((invitation) => (
                  <tr key={invitation.invitationId}>
                    <th scope="row" className="breaks">
                      {invitation.email}
                    </th>
                    <td>{invitation.roles.length === 0 ? "Operator" : roleNames(invitation.roles)}</td>
                    <td className="quiet p2 breaks">{invitation.createdBy}</td>
                    <td className="quiet p1">
                      <Day at={invitation.expiresAt} />
                    </td>
                    <td className="end">
                      <MenuButton
                        label={`More for ${invitation.email}`}
                        actions={[{ id: "revoke", name: "Take it back", isDanger: true }]}
                        onAction={() => setRevoking(invitation)}
                      />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        )}
      </WholeListing>
      {revoking !== undefined && (
        <RevokeDialog {...revocation} invitation={revoking} onClose={() => setRevoking(undefined)} />
      )}
    </>
  );
}

function RevokeDialog({
  invitation,
  revoke,
  untrue,
  onClose,
}: Revoking & {
  readonly invitation: Invitation;
  readonly onClose: () => void;
}): ReactNode {
  const change = useChange({
    change: () => revoke(invitation.invitationId),
    untrue,
    onDone() {
      onClose();
      tell("The invitation is taken back");
    },
  });
  return (
    <FormDialog
      title="Take the invitation back"
      action="Take it back"
      isDanger
      change={change}
      failure="The invitation is not taken back."
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      <Effect>
        <p>The link of {invitation.email} does not work any more. You can invite again, by another link.</p>
      </Effect>
    </FormDialog>
  );
}
