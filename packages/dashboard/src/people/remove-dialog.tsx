import type { Member } from "@creditgate/client/admin";
import type { ReactNode } from "react";
import { useOrganizationId } from "../api/account.ts";
import { useChange } from "../api/change.ts";
import { admin } from "../api/client.ts";
import { Effect } from "../parts/effect.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { tell } from "../parts/toasts.tsx";
import { peopleKeys } from "./queries.ts";

/** Takes a person out of the organisation. */
export function RemoveDialog({
  member,
  onClose,
}: {
  readonly member: Member;
  readonly onClose: () => void;
}): ReactNode {
  const organizationId = useOrganizationId();
  const remove = useChange({
    change: () => admin.organization(organizationId).members.remove(member.userId),
    untrue: peopleKeys(organizationId),
    onDone() {
      onClose();
      tell(`${member.name} is no member any more`);
    },
  });
  return (
    <FormDialog
      title={`Remove ${member.name}`}
      action="Remove the member"
      isDanger
      change={remove}
      failure="The member is not removed."
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    >
      <Effect>
        <p>
          {member.name} sees nothing of the organization from the next request on, by tokens neither. The
          account stays, and what it did stays in the audit log.
        </p>
        <p className="quiet">An invitation lets the person in again.</p>
      </Effect>
    </FormDialog>
  );
}
