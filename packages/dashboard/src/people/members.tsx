import type { Member } from "@creditgate/client/admin";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useOrganizationId } from "../api/account.ts";
import { Badge } from "../parts/badge.tsx";
import { WholeListing } from "../parts/listing.tsx";
import { MenuButton } from "../parts/menu-button.tsx";
import { Day } from "../parts/time.tsx";
import { membersQuery } from "./queries.ts";
import { RemoveDialog } from "./remove-dialog.tsx";
import { RolesDialog } from "./roles-dialog.tsx";
import { roleNames } from "./words.ts";

interface Open {
  readonly dialog: "roles" | "remove";
  readonly member: Member;
}

/** The people of the organisation. */
export function Members(): ReactNode {
  const members = useQuery(membersQuery(useOrganizationId()));
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  return (
    <section className="section" aria-labelledby="members">
      <header>
        <h2 id="members">Members</h2>
      </header>
      <WholeListing
        query={members}
        failure="The members could not be loaded."
        empty={
          <p className="quiet small">
            There are no members yet: operators see the organization without being one.
          </p>
        }
      >
        {(rows) => (
          <table>
            <caption className="unseen">Members, the first to join first</caption>
            <thead>
              <tr>
                <th scope="col">Person</th>
                <th scope="col">Roles</th>
                <th scope="col" className="p1">
                  Joined
                </th>
                <th scope="col">
                  <span className="unseen">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((member) => (
                <tr key={member.userId}>
                  <th scope="row" className="breaks">
                    {member.name}
                    {member.name !== member.email && <span className="sub">{member.email}</span>}
                  </th>
                  <td>
                    {roleNames(member.roles)}{" "}
                    {member.disabled && (
                      <Badge tone="bad" icon="alert">
                        Account shut
                      </Badge>
                    )}
                  </td>
                  <td className="quiet p1">
                    <Day at={member.createdAt} />
                  </td>
                  <td className="end">
                    <MenuButton
                      label={`More for ${member.name}`}
                      actions={[
                        { id: "roles", name: "Change the roles" },
                        { id: "remove", name: "Remove", isDanger: true },
                      ]}
                      onAction={(dialog) => setOpen({ dialog, member })}
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </WholeListing>
      {open?.dialog === "roles" && <RolesDialog member={open.member} onClose={close} />}
      {open?.dialog === "remove" && <RemoveDialog member={open.member} onClose={close} />}
    </section>
  );
}
