import type { MemberRole } from "@creditgate/admin";
import { useState } from "react";
import { useOrganizationId } from "../api/account.ts";
import { admin } from "../api/client.ts";
import { useDraft } from "../api/edit.ts";
import { Effect } from "../parts/effect.tsx";
import { CheckList, Field } from "../parts/field.tsx";
import { ActionDialog, type DialogOf } from "../parts/form-dialog.tsx";
import { type OneTime, operatorInvitationsQuery, peopleKeys } from "./queries.ts";
import { roleOptions } from "./words.ts";

type InviteProps = DialogOf<{ onMade: (made: OneTime) => void }>;

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
export function InviteDialog({ onMade, onClose }: InviteProps) {
  const organizationId = useOrganizationId();
  const { values, bind } = useDraft({ email: "", roles: ["read"] as readonly MemberRole[] });
  const { email, roles } = values;
  return (
    <ActionDialog
      title="Invite a person"
      {...invitation}
      isReady={email.includes("@") && roles.length > 0}
      send={() => admin.organization(organizationId).members.invite({ email: email.trim(), roles })}
      untrue={peopleKeys(organizationId)}
      onDone={onMade}
      onClose={onClose}
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
export function OperatorDialog({ onMade, onClose }: InviteProps) {
  const [email, setEmail] = useState("");
  return (
    <ActionDialog
      title="Invite an operator"
      {...invitation}
      isReady={email.includes("@")}
      send={() => admin.users.inviteOperator({ email: email.trim() })}
      untrue={[operatorInvitationsQuery.queryKey]}
      onDone={({ link, expiresAt }) => onMade({ link, expiresAt, email: email.trim() })}
      onClose={onClose}
    >
      <Field {...emailField} value={email} onChange={setEmail} />
      <Effect>
        <p>An operator may do everything, in every organization. Prefer a member with a role.</p>
      </Effect>
    </ActionDialog>
  );
}
