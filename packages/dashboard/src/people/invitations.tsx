import type { Invitation } from "@creditgate/admin";
import { useQuery } from "@tanstack/react-query";
import { admin } from "../api/client.ts";
import { useAnswer, useOrganization } from "../api/query.ts";
import { ActionDialog, Effect } from "../parts/form-dialog.tsx";
import { MenuButton } from "../parts/menu-button.tsx";
import { Section } from "../parts/page.tsx";
import { Loaded, type Loading, Table } from "../parts/table.tsx";
import { Day } from "../parts/time.tsx";
import { notify } from "../parts/toasts.tsx";
import { invitationsQuery, operatorInvitationsQuery, peopleQueries } from "./queries.ts";
import { roleNames } from "./words.ts";

/** The invitations to the organization. */
export function Invitations() {
  const organization = useOrganization();
  return (
    <InvitationList
      id="invitations"
      title="Invited"
      query={useAnswer(invitationsQuery)}
      revoke={(id) => organization.members.revokeInvitation(id)}
      untrue={peopleQueries}
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
      untrue={["operator-invitations"]}
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
  readonly untrue: readonly string[];
}) {
  return (
    <Loaded query={query} failure="The invitations could not be loaded." pending={null}>
      {(rows) =>
        rows.length > 0 && (
          <Section id={id} title={title}>
            <Table
              caption="Pending invitations, the oldest first"
              rows={rows}
              idOf={({ invitationId }) => invitationId}
              columns={(column) => [
                column("Email", { isName: true, look: "breaks" }, ({ email }) => email),
                column("Roles", {}, ({ roles }) => (roles.length === 0 ? "Operator" : roleNames(roles))),
                column("Invited by", { from: 2, look: "quiet breaks" }, ({ createdBy }) => createdBy),
                column("Until", { from: 1, look: "quiet" }, ({ expiresAt }) => <Day at={expiresAt} />),
                column("Actions", { isUnseen: true, look: "end" }, ({ invitationId, email }) => (
                  <MenuButton
                    label={`More for ${email}`}
                    actions={[
                      {
                        name: "Take it back",
                        isDanger: true,
                        dialog: (
                          <ActionDialog
                            title="Take the invitation back"
                            action="Take it back"
                            isDanger
                            failure="The invitation is not taken back."
                            send={() => revoke(invitationId)}
                            untrue={untrue}
                            onDone={() => notify("The invitation is taken back")}
                          >
                            <Effect>
                              <p>
                                The link of {email} does not work any more. You can invite again, by another
                                link.
                              </p>
                            </Effect>
                          </ActionDialog>
                        ),
                      },
                    ]}
                  />
                )),
              ]}
            />
          </Section>
        )
      }
    </Loaded>
  );
}
