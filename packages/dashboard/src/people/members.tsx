import type { Member } from "@creditgate/admin";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useOrganizationId } from "../api/account.ts";
import { admin } from "../api/client.ts";
import { Badge } from "../parts/badge.tsx";
import { Effect } from "../parts/effect.tsx";
import { ActionDialog, type DialogOf } from "../parts/form-dialog.tsx";
import { Loaded } from "../parts/listing.tsx";
import { MenuButton } from "../parts/menu-button.tsx";
import { Section } from "../parts/page.tsx";
import { Table } from "../parts/table.tsx";
import { Day } from "../parts/time.tsx";
import { tell } from "../parts/toasts.tsx";
import { membersQuery, peopleKeys } from "./queries.ts";
import { RolesDialog } from "./roles-dialog.tsx";
import { roleNames } from "./words.ts";

interface Open {
  readonly dialog: "roles" | "remove";
  readonly member: Member;
}

/** The people of the organization. */
export function Members() {
  const members = useQuery(membersQuery(useOrganizationId()));
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
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
              columns={[
                { header: "Person", isName: true, look: "breaks", cell: (member) => <Person {...member} /> },
                {
                  header: "Roles",
                  cell: ({ roles, disabled }) => (
                    <>
                      {roleNames(roles)} {disabled && <Badge tone="bad">Account shut</Badge>}
                    </>
                  ),
                },
                { header: "Joined", from: 1, look: "quiet", cell: ({ createdAt }) => <Day at={createdAt} /> },
                {
                  header: "Actions",
                  isUnseen: true,
                  look: "end",
                  cell: (member) => (
                    <MenuButton
                      label={`More for ${member.name}`}
                      actions={[
                        { id: "roles", name: "Change the roles" },
                        { id: "remove", name: "Remove", isDanger: true },
                      ]}
                      onAction={(dialog) => setOpen({ dialog, member })}
                    />
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
      {open?.dialog === "roles" && <RolesDialog member={open.member} onClose={close} />}
      {open?.dialog === "remove" && <RemoveDialog member={open.member} onClose={close} />}
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
function RemoveDialog({ member, onClose }: DialogOf<{ member: Member }>) {
  const organizationId = useOrganizationId();
  return (
    <ActionDialog
      title={`Remove ${member.name}`}
      action="Remove the member"
      isDanger
      failure="The member is not removed."
      send={() => admin.organization(organizationId).members.remove(member.userId)}
      untrue={peopleKeys(organizationId)}
      onDone={() => tell(`${member.name} is no member any more`)}
      onClose={onClose}
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
