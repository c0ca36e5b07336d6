import type { Member } from "@creditgate/admin";
import { useOrganization } from "../api/account.ts";
import { useAnswer } from "../api/query.ts";
import { Badge } from "../parts/badge.tsx";
import { Effect } from "../parts/effect.tsx";
import { ActionDialog } from "../parts/form-dialog.tsx";
import { Loaded } from "../parts/listing.tsx";
import { MenuButton } from "../parts/menu-button.tsx";
import { Section } from "../parts/page.tsx";
import { Table } from "../parts/table.tsx";
import { Day } from "../parts/time.tsx";
import { notify } from "../parts/toasts.tsx";
import { membersQuery, peopleQueries } from "./queries.ts";
import { RolesDialog } from "./roles-dialog.tsx";
import { roleNames } from "./words.ts";

/** The people of the organization. */
export function Members() {
  const members = useAnswer(membersQuery);
  return (
    <Section id="members" title="Members">
      <Loaded query={members} failure="The members could not be loaded.">
        {(rows) =>
          rows.length === 0 ? (
            <p className="quiet small">
              There are no members yet: operators see the organization without being one.
            </p>
          ) : (
            <Table
              caption="Members, the first to join first"
              rows={rows}
              idOf={({ userId }) => userId}
              columns={(column) => [
                column("Person", { isName: true, look: "breaks" }, (member) => <Person {...member} />),
                column("Roles", {}, ({ roles, disabled }) => (
                  <>
                    {roleNames(roles)} {disabled && <Badge tone="bad">Account shut</Badge>}
                  </>
                )),
                column("Joined", { from: 1, look: "quiet" }, ({ createdAt }) => <Day at={createdAt} />),
                column("Actions", { isUnseen: true, look: "end" }, (member) => (
                  <MenuButton
                    label={`More for ${member.name}`}
                    actions={[
                      { name: "Change the roles", dialog: <RolesDialog member={member} /> },
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
      {name}
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
      action="Remove the member"
      isDanger
      failure="The member is not removed."
      send={() => organization.members.remove(member.userId)}
      untrue={peopleQueries}
      onDone={() => notify(`${member.name} is no member any more`)}
    >
      <Effect>
        <p>
          {member.name} sees nothing of the organization from the next request on, by tokens neither. The
          account stays, and what it did stays in the audit log.
        </p>
        <p className="quiet">An invitation lets the person in again.</p>
      </Effect>
    </ActionDialog>
  );
}
