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

const invitation = { action: "Make the link", failure: "No one was invited." };
const emailField = {
  label: "Email",
  name: "email",
  type: "email",
  maxLength: 254,
  autoFocus: true,
  hint: "No mail is sent: you get a link to send.",
} as const;

/** Invites a person, by a link that is shown once. */
export function InviteDialog() {
  const organization = useOrganization();
  const { values, bind } = useDraft({ email: "", roles: ["read"] as readonly MemberRole[] });
  const { email, roles } = values;
  return (
    <ActionDialog
      title="Invite a person"
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
        error={roles.length === 0 ? "A member has one at least" : undefined}
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
        <p>An operator may do everything, in every organization. Prefer a member with a role.</p>
      </Effect>
    </ActionDialog>
  );
}

/** A link for one person, shown this once. */
export function LinkDialog({ made }: { made: { link: string; email: string; expiresAt: string } }) {
  return (
    <SecretDialog title={`A link for ${made.email}`} label="Link" secret={made.link}>
      Send it to that person, and to no one else: no mail is sent from here. It works once, until{" "}
      {formatExact(made.expiresAt)}.
    </SecretDialog>
  );
}
