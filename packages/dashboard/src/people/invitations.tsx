import type { Invitation } from "@creditgate/client/admin";
import { useQuery } from "@tanstack/react-query";
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
import { invitationsQuery, peopleKeys } from "./queries.ts";
import { roleNames } from "./words.ts";

/** Those who are invited and have not come yet; absent where there are none. */
export function Invitations(): ReactNode {
  const invitations = useQuery(invitationsQuery(useOrganizationId()));
  const [revoking, setRevoking] = useState<Invitation>();
  return (
    <>
      <WholeListing
        query={invitations}
        failure="The invitations could not be loaded."
        pending={null}
        empty={null}
      >
        {(rows) => (
          <section className="section" aria-labelledby="invitations">
            <header>
              <h2 id="invitations">Invited</h2>
            </header>
            <table>
              <caption className="unseen">Invitations that wait, the oldest first</caption>
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
                    <td>{roleNames(invitation.roles)}</td>
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
        <RevokeDialog invitation={revoking} onClose={() => setRevoking(undefined)} />
      )}
    </>
  );
}

function RevokeDialog({
  invitation,
  onClose,
}: {
  readonly invitation: Invitation;
  readonly onClose: () => void;
}): ReactNode {
  const organizationId = useOrganizationId();
  const revoke = useChange({
    change: () => admin.organization(organizationId).members.revokeInvitation(invitation.invitationId),
    untrue: peopleKeys(organizationId),
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
      change={revoke}
      failure="The invitation is not taken back."
      onSubmit={() => revoke.mutate()}
      onClose={onClose}
    >
      <Effect>
        <p>The link of {invitation.email} does not work any more. You can invite again, by another link.</p>
      </Effect>
    </FormDialog>
  );
}
