import type { Member, MemberRole } from "@creditgate/client/admin";
import { type ReactNode, useState } from "react";
import { useOrganizationId } from "../api/account.ts";
import { useChange } from "../api/change.ts";
import { admin } from "../api/client.ts";
import { CheckList } from "../parts/check-list.tsx";
import { Effect } from "../parts/effect.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { tell } from "../parts/toasts.tsx";
import { peopleKeys } from "./queries.ts";
import { roleNames, roleOptions, rolesOf } from "./words.ts";

/** Sets what a member may do. */
export function RolesDialog({
  member,
  onClose,
}: {
  readonly member: Member;
  readonly onClose: () => void;
}): ReactNode {
  const organizationId = useOrganizationId();
  const [roles, setRoles] = useState<readonly MemberRole[]>(rolesOf(member.roles));
  const set = useChange({
    change: () => admin.organization(organizationId).members.edit(member.userId, { roles }),
    untrue: peopleKeys(organizationId),
    onDone(after) {
      onClose();
      tell(`${member.name} is now ${roleNames(after.roles)}`);
    },
  });
  return (
    <FormDialog
      title={`Roles of ${member.name}`}
      action="Set the roles"
      isReady={roles.length > 0}
      change={set}
      failure="The roles were not set."
      onSubmit={() => set.mutate()}
      onClose={onClose}
    >
      <CheckList
        label="Roles"
        options={roleOptions}
        value={roles}
        onChange={setRoles}
        error={roles.length === 0 ? "A member has one at least" : undefined}
      />
      <Effect>
        <p>
          It holds from the next request on, in open pages too. It is in the audit log, and can be set back.
        </p>
      </Effect>
    </FormDialog>
  );
}
