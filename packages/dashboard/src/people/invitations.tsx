import type { Invitation } from "@creditgate/admin";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useOrganizationId } from "../api/account.ts";
import { admin } from "../api/client.ts";
import type { QueryKeys } from "../api/edit.ts";
import { Effect } from "../parts/effect.tsx";
import { ActionDialog } from "../parts/form-dialog.tsx";
import { Loaded, type Loading } from "../parts/listing.tsx";
import { MenuButton } from "../parts/menu-button.tsx";
import { Section } from "../parts/page.tsx";
import { Table } from "../parts/table.tsx";
import { Day } from "../parts/time.tsx";
import { tell } from "../parts/toasts.tsx";
import { invitationsQuery, operatorInvitationsQuery, peopleKeys } from "./queries.ts";
import { roleNames } from "./words.ts";

/** The invitations to the organization. */
export function Invitations() {
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
export function OperatorInvitations() {
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

/** Pending invitations; absent if there are none. */
function InvitationList({
  id,
  title,
  query,
  revoke,
  untrue,
}: {
  readonly id: string;
  readonly title: string;
  readonly query: Loading<readonly Invitation[]>;
  readonly revoke: (invitationId: string) => Promise<Invitation>;
  readonly untrue: QueryKeys;
}) {
  const [revoking, setRevoking] = useState<Invitation>();
  return (
    <>
      <Loaded query={query} failure="The invitations could not be loaded." pending={null}>
        {(rows) =>
          rows.length > 0 && (
            <Section id={id} title={title}>
              <Table
                caption="Pending invitations, the oldest first"
                rows={rows}
                idOf={({ invitationId }) => invitationId}
                columns={[
                  { header: "Email", isName: true, look: "breaks", cell: ({ email }) => email },
                  {
                    header: "Roles",
                    cell: ({ roles }) => (roles.length === 0 ? "Operator" : roleNames(roles)),
                  },
                  { header: "Invited by", from: 2, look: "quiet breaks", cell: ({ createdBy }) => createdBy },
                  {
                    header: "Until",
                    from: 1,
                    look: "quiet",
                    cell: ({ expiresAt }) => <Day at={expiresAt} />,
                  },
                  {
                    header: "Actions",
                    isUnseen: true,
                    look: "end",
                    cell: (invitation) => (
                      <MenuButton
                        label={`More for ${invitation.email}`}
                        actions={[{ id: "revoke", name: "Take it back", isDanger: true }]}
                        onAction={() => setRevoking(invitation)}
                      />
                    ),
                  },
                ]}
              />
            </Section>
          )
        }
      </Loaded>
      {revoking !== undefined && (
        <ActionDialog
          title="Take the invitation back"
          action="Take it back"
          isDanger
          failure="The invitation is not taken back."
          send={() => revoke(revoking.invitationId)}
          untrue={untrue}
          onDone={() => tell("The invitation is taken back")}
          onClose={() => setRevoking(undefined)}
        >
          <Effect>
            <p>The link of {revoking.email} does not work any more. You can invite again, by another link.</p>
          </Effect>
        </ActionDialog>
      )}
    </>
  );
}
