import type { CreatedInvitation, MemberRole } from "@creditgate/client/admin";
import { type ReactNode, useState } from "react";
import { useOrganizationId } from "../api/account.ts";
import { useChange } from "../api/change.ts";
import { admin } from "../api/client.ts";
import { CheckList } from "../parts/check-list.tsx";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { peopleKeys } from "./queries.ts";
import { roleOptions } from "./words.ts";

/** Invites a person, by a link that is shown once. */
export function InviteDialog({
  onInvited,
  onClose,
}: {
  readonly onInvited: (invitation: CreatedInvitation) => void;
  readonly onClose: () => void;
}): ReactNode {
  const organizationId = useOrganizationId();
  const [email, setEmail] = useState("");
  const [roles, setRoles] = useState<readonly MemberRole[]>(["read"]);
  const invite = useChange({
    change: () => admin.organization(organizationId).members.invite({ email: email.trim(), roles }),
    untrue: peopleKeys(organizationId),
    onDone: onInvited,
  });
  return (
    <FormDialog
      title="Invite a person"
      action="Make the link"
      isReady={email.includes("@") && roles.length > 0}
      change={invite}
      failure="No one was invited."
      onSubmit={() => invite.mutate()}
      onClose={onClose}
    >
      <Field
        label="Email"
        name="email"
        type="email"
        value={email}
        onChange={setEmail}
        maxLength={254}
        autoFocus
        hint="No mail is sent: you get a link to send."
      />
      <CheckList
        label="Roles"
        options={roleOptions}
        value={roles}
        onChange={setRoles}
        error={roles.length === 0 ? "A member has one at least" : undefined}
      />
    </FormDialog>
  );
}
