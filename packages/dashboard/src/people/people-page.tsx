import { useQuery } from "@tanstack/react-query";
import { accountQuery, useMay, useOrganizationId } from "../api/query.ts";
import { DialogButton } from "../parts/form-dialog.tsx";
import { Page } from "../parts/page.tsx";
import { Empty } from "../parts/table.tsx";
import { Accounts } from "./accounts.tsx";
import { Invitations } from "./invitations.tsx";
import { InviteDialog } from "./invite-dialogs.tsx";
import { Members } from "./members.tsx";
import { invitationsQuery, membersQuery } from "./queries.ts";

/** Who may do what in the organisation. */
export function PeoplePage() {
  const isOwner = useMay("owner");
  const { data: account } = useQuery(accountQuery);
  const organizationId = useOrganizationId();
  const members = useQuery({ ...membersQuery(organizationId), enabled: isOwner });
  const invitations = useQuery({ ...invitationsQuery(organizationId), enabled: isOwner });
  if (!isOwner) {
    return (
      <Page title="Users and roles">
        <Empty title="For owners only">
          An owner of the organization sees who is in it, invites others and sets their roles.
        </Empty>
      </Page>
    );
  }
  return (
    <Page
      title="Users and roles"
      actions={
        <DialogButton text="Invite" look="primary" icon="plus" data-key="n">
          <InviteDialog />
        </DialogButton>
      }
    >
      <Members />
      {/* Each when the one above it is there: what is there first would be moved. */}
      {!members.isPending && <Invitations />}
      {!members.isPending && !invitations.isPending && account?.operator === true && <Accounts />}
    </Page>
  );
}
