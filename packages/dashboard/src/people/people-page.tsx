import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { accountQuery, useMay, useOrganizationId } from "../api/account.ts";
import { TextButton } from "../parts/button.tsx";
import { Empty } from "../parts/listing.tsx";
import { Page } from "../parts/page.tsx";
import { SecretDialog } from "../parts/secret-dialog.tsx";
import { formatExact } from "../parts/time.tsx";
import { Accounts } from "./accounts.tsx";
import { Invitations } from "./invitations.tsx";
import { InviteDialog } from "./invite-dialogs.tsx";
import { Members } from "./members.tsx";
import { invitationsQuery, membersQuery, type OneTime } from "./queries.ts";

/** Who may do what in the organisation. */
export function PeoplePage() {
  const isOwner = useMay("owner");
  const { data: account } = useQuery(accountQuery);
  const [isInviting, setIsInviting] = useState(false);
  const [made, setMade] = useState<OneTime>();
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
        <TextButton
          text="Invite"
          look="primary"
          icon="plus"
          data-key="n"
          onPress={() => setIsInviting(true)}
        />
      }
    >
      <Members />
      {/* Each when the one above it is there: what is there first would be moved. */}
      {!members.isPending && <Invitations />}
      {!members.isPending && !invitations.isPending && account?.operator === true && (
        <Accounts onMade={setMade} />
      )}
      {isInviting && <InviteDialog onClose={() => setIsInviting(false)} onMade={setMade} />}
      {made !== undefined && (
        <SecretDialog
          title={`A link for ${made.email}`}
          label="Link"
          secret={made.link}
          onClose={() => setMade(undefined)}
        >
          Send it to that person, and to no one else: no mail is sent from here. It works once, until{" "}
          {formatExact(made.expiresAt)}.
        </SecretDialog>
      )}
    </Page>
  );
}
