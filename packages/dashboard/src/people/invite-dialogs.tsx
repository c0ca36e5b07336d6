import type { MemberRole } from "@creditgate/admin";
import { useState } from "react";
import { admin } from "../api/client.ts";
import { useDraft } from "../api/edit.ts";
import { useOrganization } from "../api/query.ts";
import { CheckList, Field } from "../parts/field.tsx";
import { ActionDialog, Effect } from "../parts/form-dialog.tsx";
import { SecretDialog } from "../parts/secret-dialog.tsx";
import { formatExact } from "../parts/time.tsx";
import { peopleQueries } from "./queries.ts";
import { roleOptions } from "./words.ts";

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
