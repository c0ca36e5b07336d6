import type { Invitation, MemberRole } from "@creditgate/admin";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { admin } from "../api/client.ts";
import { useDraft } from "../api/edit.ts";
import { useAnswer, useOrganization } from "../api/query.ts";
import { CheckList, Field } from "../parts/field.tsx";
import { ActionDialog, Effect } from "../parts/form-dialog.tsx";
import { MenuButton } from "../parts/menu-button.tsx";
import { Section } from "../parts/page.tsx";
import { SecretDialog } from "../parts/secret-dialog.tsx";
import { Loaded, type Loading, Table } from "../parts/table.tsx";
import { Day, formatExact } from "../parts/time.tsx";
import { notify } from "../parts/toasts.tsx";
import { invitationsQuery, operatorInvitationsQuery, peopleQueries } from "./queries.ts";
import { roleNames, roleOptions } from "./words.ts";

/** The invitations to the organization. */
export function Invitations() {
  const organization = useOrganization();
  return (
    <InvitationList
      id="invitations"
      title="Pending invitations"
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
      title="Pending operator invitations"
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
                column("Expires", { from: 1, look: "quiet" }, ({ expiresAt }) => <Day at={expiresAt} />),
                column("Actions", { isUnseen: true, look: "end" }, ({ invitationId, email }) => (
                  <MenuButton
                    label={`More for ${email}`}
                    actions={[
                      {
                        name: "Revoke",
                        isDanger: true,
                        dialog: (
                          <ActionDialog
                            title="Revoke invitation"
                            action="Revoke invitation"
                            isDanger
                            failure="The invitation could not be revoked."
                            send={() => revoke(invitationId)}
                            untrue={untrue}
                            onDone={() => notify("Invitation revoked")}
                          >
                            <Effect>
                              <p>
                                The link sent to {email} stops working. You can invite them again with a new
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

const invitation = { action: "Create link", failure: "The invitation was not created." };
const emailField = {
  label: "Email",
  name: "email",
  type: "email",
  maxLength: 254,
  autoFocus: true,
  hint: "No email is sent. You get a link to share.",
} as const;

/** Invites a person, by a link that is shown once. */
export function InviteDialog() {
  const organization = useOrganization();
  const { values, bind } = useDraft({ email: "", roles: ["read"] as readonly MemberRole[] });
  const { email, roles } = values;
  return (
    <ActionDialog
      title="Invite a member"
      {...invitation}
      isReady={email.includes("@") && roles.length > 0}
      send={() => organization.members.invite({ email: email.trim(), roles })}
      untrue={peopleQueries}
      onDone={(made) => <LinkDialog made={made} />}
    >
      <Field {...emailField} {...bind("email")} />
      <CheckList
        {...bind("roles")}
        label="Roles"
        options={roleOptions}
        error={roles.length === 0 ? "Select at least one role" : undefined}
      />
    </ActionDialog>
  );
}

/** Invites another operator, by a link that is shown once. */
export function OperatorDialog() {
  const [email, setEmail] = useState("");
  return (
    <ActionDialog
      title="Invite an operator"
      {...invitation}
      isReady={email.includes("@")}
      send={() => admin.users.inviteOperator({ email: email.trim() })}
      untrue={["operator-invitations"]}
      onDone={(made) => <LinkDialog made={{ ...made, email: email.trim() }} />}
    >
      <Field {...emailField} value={email} onChange={setEmail} />
      <Effect>
        <p>An operator can do everything in every organization. Prefer a member with a role.</p>
      </Effect>
    </ActionDialog>
  );
}

/** A link for one person, shown this once. */
export function LinkDialog({ made }: { made: { link: string; email: string; expiresAt: string } }) {
  return (
    <SecretDialog title={`Link for ${made.email}`} label="Link" secret={made.link}>
      Share it with this person only; no email is sent. It works once, until {formatExact(made.expiresAt)}.
    </SecretDialog>
  );
}
