import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Button } from "react-aria-components";
import { accountQuery, useMay, useOrganizationId } from "../api/account.ts";
import { Empty } from "../parts/empty.tsx";
import { Icon } from "../parts/icon.tsx";
import { Page } from "../parts/page.tsx";
import { SecretDialog } from "../parts/secret-dialog.tsx";
import { formatExact } from "../parts/time.tsx";
import { Accounts } from "./accounts.tsx";
import { Invitations } from "./invitations.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { Members } from "./members.tsx";
import type { OneTime } from "./one-time.ts";
import { invitationsQuery, membersQuery } from "./queries.ts";

/** Who may do what in the organisation. */
export function PeoplePage(): ReactNode {
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
          <p>An owner of the organization sees who is in it, invites others and sets their roles.</p>
        </Empty>
      </Page>
    );
  }
  return (
    <Page
      title="Users and roles"
      actions={
        <Button className="btn primary" data-key="n" onPress={() => setIsInviting(true)}>
          <Icon name="plus" />
          Invite
        </Button>
      }
    >
      <Members />
      {/* Each when the one above it is there: what is there first would be moved. */}
      {!members.isPending && <Invitations />}
      {!members.isPending && !invitations.isPending && account?.operator === true && (
        <Accounts onMade={setMade} />
      )}
      {isInviting && (
        <InviteDialog
          onClose={() => setIsInviting(false)}
          onInvited={(invitation) => {
            setIsInviting(false);
            setMade(invitation);
          }}
        />
      )}
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
