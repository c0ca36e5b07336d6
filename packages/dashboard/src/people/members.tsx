import { type Member, type MemberRole, member as memberSchema } from "@creditgate/admin";
import type { ReactNode } from "react";
import { useEdit } from "../api/edit.ts";
import { useAnswer, useOrganization } from "../api/query.ts";
import { Badge } from "../parts/badge.tsx";
import { CheckList } from "../parts/field.tsx";
import { ActionDialog, Effect, FormDialog } from "../parts/form-dialog.tsx";
import { MenuButton } from "../parts/menu-button.tsx";
import { Name } from "../parts/name.tsx";
import { Section } from "../parts/page.tsx";
import { Empty, Loaded, Table } from "../parts/table.tsx";
import { Day } from "../parts/time.tsx";
import { notify } from "../parts/toasts.tsx";
import { membersQuery, peopleQueries } from "./queries.ts";
import { roleNames, roleOptions, rolesOf } from "./words.ts";

/** The people of the organization. */
export function Members({ invite }: { readonly invite: ReactNode }) {
  const members = useAnswer(membersQuery);
  return (
    <Section id="members" title="Members">
      <Loaded query={members} failure="The members could not be loaded.">
        {(rows) =>
          rows.length === 0 ? (
            <Empty title="No members yet" action={invite}>
              Members see this organization and change what their roles allow. Operators see it without being
              members.
            </Empty>
          ) : (
            <Table
              caption="Members, the first to join first"
              rows={rows}
              idOf={({ userId }) => userId}
              columns={(column) => [
                column("Person", { isName: true, look: "breaks" }, (member) => <Person {...member} />),
                column("Roles", {}, ({ roles, disabled }) => (
                  <>
                    {roleNames(roles)} {disabled && <Badge tone="bad">Disabled</Badge>}
                  </>
                )),
                column("Joined", { from: 1, look: "quiet" }, ({ createdAt }) => <Day at={createdAt} />),
                column("Actions", { isUnseen: true, look: "end" }, (member) => (
                  <MenuButton
                    label={`More for ${member.name}`}
                    actions={[
                      { name: "Edit roles", dialog: <RolesDialog member={member} /> },
                      { name: "Remove", isDanger: true, dialog: <RemoveDialog member={member} /> },
                    ]}
                  />
                )),
              ]}
            />
          )
        }
      </Loaded>
    </Section>
  );
}

export function Person({ name, email }: { readonly name: string; readonly email: string }) {
  return (
    <>
      <Name>{name}</Name>
      {name !== email && <span className="sub">{email}</span>}
    </>
  );
}

/** Removes a person from the organization. */
function RemoveDialog({ member }: { member: Member }) {
  const organization = useOrganization();
  return (
    <ActionDialog
      title={`Remove ${member.name}`}
      action="Remove member"
      isDanger
      failure="The member could not be removed."
      send={() => organization.members.remove(member.userId)}
      untrue={peopleQueries}
      onDone={() => notify(`${member.name} removed`)}
    >
      <Effect>
        <p>
          {member.name} loses access to the organization immediately, including by tokens. The account and its
          audit records stay.
        </p>
        <p className="quiet">You can invite them again.</p>
      </Effect>
    </ActionDialog>
  );
}

/** Sets what a member may do. */
function RolesDialog({ member }: { member: Member }) {
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
      action="Save roles"
      isReady={roles.length > 0 && edit.isChanged}
      form={edit}
      failure="The roles were not saved."
    >
      <CheckList
        {...edit.bind("roles")}
        label="Roles"
        options={roleOptions}
        error={roles.length === 0 ? "Select at least one role" : undefined}
      />
      <Effect>
        <p>The roles apply immediately, also in open pages. The change is recorded in the audit log.</p>
      </Effect>
    </FormDialog>
  );
}
