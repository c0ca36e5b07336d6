import { type Member, type MemberRole, member as memberSchema } from "@creditgate/admin";
import { useOrganization } from "../api/account.ts";
import { useEdit } from "../api/edit.ts";
import { Effect } from "../parts/effect.tsx";
import { CheckList } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { notify } from "../parts/toasts.tsx";
import { peopleQueries } from "./queries.ts";
import { roleNames, roleOptions, rolesOf } from "./words.ts";

/** Sets what a member may do. */
export function RolesDialog({ member }: { member: Member }) {
  const organization = useOrganization();
  const edit = useEdit({
    record: member,
    schema: memberSchema,
    valuesOf: (one): { readonly roles: readonly MemberRole[] } => ({ roles: rolesOf(one.roles) }),
    labels: { roles: "Roles" },
    send: ({ roles = [] }, seen) => organization.members.edit(member.userId, { ...seen, roles }),
    untrue: peopleQueries,
    onDone: (after) => notify(`${member.name} is now ${roleNames(after.roles)}`),
  });
  const { roles } = edit.values;
  return (
    <FormDialog
      title={`Roles of ${member.name}`}
      action="Set the roles"
      isReady={roles.length > 0 && edit.isChanged}
      form={edit}
      failure="The roles were not set."
    >
      <CheckList
        {...edit.bind("roles")}
        label="Roles"
        options={roleOptions}
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
