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
        <Empty title="Owners only">
          Owners of the organization see its members, invite others and set their roles.
        </Empty>
      </Page>
    );
  }
  const invite = (
    <DialogButton text="Invite" look="primary" icon="plus" data-key="n">
      <InviteDialog />
    </DialogButton>
  );
  return (
    <Page title="Users and roles" actions={invite}>
      <Members invite={invite} />
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
      lead="All accounts of this control plane. Visible to operators only."
    >
      <Loaded query={users} failure="The accounts could not be loaded.">
        {(rows) => (
          <Table
            caption="Accounts, the oldest first"
            rows={rows}
            idOf={({ userId }) => userId}
            columns={(column) => [
              column("Person", { isName: true, look: "breaks" }, (user) => <Person {...user} />),
              column("Status", {}, (user) => <AccountState user={user} />),
              column("Sign-in method", { from: 2 }, ({ hasPassword }) =>
                hasPassword ? "Password" : "Identity provider",
              ),
              column("Created", { from: 1, look: "quiet" }, ({ createdAt }) => <Day at={createdAt} />),
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
    action("link", "Password reset link"),
    !isOwn &&
      (user.operator ? action("demote", "Remove operator role", true) : action("promote", "Make operator")),
    !isOwn && (user.disabled ? action("open", "Enable account") : action("shut", "Disable account", true)),
  ];
}

function AccountState({ user }: { readonly user: AdminUser }) {
  if (user.disabled) return <Badge tone="bad">Disabled</Badge>;
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
  readonly edit?: { readonly operator: boolean } | { readonly disabled: boolean };
}

const words: Readonly<Record<AccountChange, Words>> = {
  link: {
    title: "Password reset link",
    action: "Create link",
    effect:
      "You get a link to share with this person. It sets a new password and ends all sessions and tokens.",
    undo: "The current password works until then.",
    done: "Link created",
  },
  promote: {
    title: "Make operator",
    action: "Make operator",
    effect: "The person can do everything in every organization immediately.",
    undo: "You can remove the role later.",
    done: "Operator role added",
    edit: { operator: true },
  },
  demote: {
    title: "Remove operator role",
    action: "Remove operator role",
    effect: "The person keeps only what their roles in organizations allow.",
    undo: "You can make them an operator again.",
    done: "Operator role removed",
    edit: { operator: false },
    isDanger: true,
  },
  shut: {
    title: "Disable account",
    action: "Disable account",
    effect: "All its sessions and tokens end, and nobody can sign in with it.",
    undo: "You can enable it again. Its tokens stay revoked.",
    done: "Account disabled",
    edit: { disabled: true },
    isDanger: true,
  },
  open: {
    title: "Enable account",
    action: "Enable account",
    effect: "The person can sign in again with the same roles.",
    undo: "You can disable it again.",
    done: "Account enabled",
    edit: { disabled: false },
  },
};

/** Asks once, and does it. */
function AccountDialog({ user, change }: { user: AdminUser; change: AccountChange }) {
  const { userId, email, name } = user;
  const { title, action, effect, undo, done, isDanger = false } = words[change];
  const edit = useEdit({
    record: user,
    schema: adminUser,
    valuesOf: () => ({}),
    labels: { operator: "Operator", disabled: "Disabled" },
    send: async (_, seen) => {
      if (change === "link") return admin.users.link(userId);
      await admin.users.edit(userId, { ...seen, ...words[change].edit });
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
