import { type AdminUser, adminUser } from "@creditgate/admin";
import { useQuery } from "@tanstack/react-query";
import { admin } from "../api/client.ts";
import { useEdit } from "../api/edit.ts";
import { accountQuery, useMay, useOrganizationId } from "../api/query.ts";
import { Badge } from "../parts/badge.tsx";
import { DialogButton, Effect, FormDialog } from "../parts/form-dialog.tsx";
import { MenuButton } from "../parts/menu-button.tsx";
import { Page, Section } from "../parts/page.tsx";
import { Empty, Loaded, Table } from "../parts/table.tsx";
import { Day } from "../parts/time.tsx";
import { notify } from "../parts/toasts.tsx";
import {
  Invitations,
  InviteDialog,
  LinkDialog,
  OperatorDialog,
  OperatorInvitations,
} from "./invitations.tsx";
import { Members, Person } from "./members.tsx";
import { invitationsQuery, membersQuery, usersQuery } from "./queries.ts";

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

/** All accounts of the control plane, for operators. */
function Accounts() {
  const users = useQuery(usersQuery);
  const { data: account } = useQuery(accountQuery);
  return (
    <Section
      id="accounts"
      title="All accounts"
      isRuled
      end={
        <DialogButton text="Invite an operator" look="sm end">
          <OperatorDialog />
        </DialogButton>
      }
      lead="Of this control plane, in all organizations. Only operators see them."
    >
      <Loaded query={users} failure="The accounts could not be loaded.">
        {(rows) => (
          <Table
            caption="Accounts, the oldest first"
            rows={rows}
            idOf={({ userId }) => userId}
            columns={(column) => [
              column("Person", { isName: true, look: "breaks" }, (user) => <Person {...user} />),
              column("State", {}, (user) => <AccountState user={user} />),
              column("Signs in by", { from: 2 }, ({ hasPassword }) =>
                hasPassword ? "Password" : "The identity provider",
              ),
              column("Made", { from: 1, look: "quiet" }, ({ createdAt }) => <Day at={createdAt} />),
              column("Actions", { isUnseen: true, look: "end" }, (user) => (
                <MenuButton
                  label={`More for the account ${user.name}`}
                  actions={actionsFor(user, account?.user?.userId === user.userId)}
                />
              )),
            ]}
          />
        )}
      </Loaded>
      <OperatorInvitations />
    </Section>
  );
}

/** Of one's own account only the password can be changed. */
function actionsFor(user: AdminUser, isOwn: boolean) {
  const action = (change: AccountChange, name: string, isDanger = false) => ({
    name,
    isDanger,
    dialog: <AccountDialog user={user} change={change} />,
  });
  return [
    action("link", "Link for a new password"),
    !isOwn &&
      (user.operator
        ? action("demote", "No operator any more", true)
        : action("promote", "Make an operator")),
    !isOwn && (user.disabled ? action("open", "Open the account") : action("shut", "Shut the account", true)),
  ];
}

function AccountState({ user }: { readonly user: AdminUser }) {
  if (user.disabled) return <Badge tone="bad">Shut</Badge>;
  return user.operator ? <Badge tone="accent">Operator</Badge> : <Badge>Account</Badge>;
}

/** What an operator does with an account. */
type AccountChange = "link" | "promote" | "demote" | "shut" | "open";

interface Words {
  readonly title: string;
  readonly action: string;
  readonly effect: string;
  readonly undo: string;
  readonly done: string;
  readonly isDanger?: boolean;
}

const words: Readonly<Record<AccountChange, Words>> = {
  link: {
    title: "Link for a new password",
    action: "Make the link",
    effect:
      "You get a link to send to this person. Used, it sets a new password, and ends all sessions and tokens.",
    undo: "Until then the old password goes on.",
    done: "The link is made",
  },
  promote: {
    title: "Make an operator",
    action: "Make an operator",
    effect: "The person may do everything, in every organization, from the next request on.",
    undo: "It can be taken back.",
    done: "The account is an operator's",
  },
  demote: {
    title: "No operator any more",
    action: "Take it back",
    effect: "The person may do what the roles in organizations allow, and no more, from the next request on.",
    undo: "An operator can be made again.",
    done: "The account is no operator's any more",
    isDanger: true,
  },
  shut: {
    title: "Shut the account",
    action: "Shut the account",
    effect: "All its sessions and tokens end, and no one can sign in by it.",
    undo: "It can be opened again; its tokens stay ended.",
    done: "The account is shut",
    isDanger: true,
  },
  open: {
    title: "Open the account",
    action: "Open the account",
    effect: "The person can sign in again, with the roles from before.",
    undo: "It can be shut again.",
    done: "The account is open",
  },
};

const edits: Readonly<Record<AccountChange, { readonly operator?: boolean; readonly disabled?: boolean }>> = {
  link: {},
  promote: { operator: true },
  demote: { operator: false },
  shut: { disabled: true },
  open: { disabled: false },
};

/** Asks once, and does it. */
function AccountDialog({ user, change }: { user: AdminUser; change: AccountChange }) {
  const { userId, email, name } = user;
  const { title, action, effect, undo, done, isDanger = false } = words[change];
  const edit = useEdit({
    record: user,
    schema: adminUser,
    valuesOf: () => ({}),
    labels: { operator: "Operator", disabled: "Shut" },
    send: async (_, seen) => {
      if (change === "link") return admin.users.link(userId);
      await admin.users.edit(userId, { ...seen, ...edits[change] });
      return undefined;
    },
    untrue: ["users", "members"],
    onDone: (made) => (made === undefined ? notify(done, email) : <LinkDialog made={{ ...made, email }} />),
  });
  return (
    <FormDialog
      title={`${title}: ${name}`}
      action={action}
      isDanger={isDanger}
      form={edit}
      failure="Nothing was changed."
    >
      <Effect>
        <p>{effect}</p>
        <p className="quiet">{undo}</p>
      </Effect>
    </FormDialog>
  );
}
