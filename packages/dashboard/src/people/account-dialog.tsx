import { type AdminUser, adminUser } from "@creditgate/admin";
import { admin } from "../api/client.ts";
import { useEdit } from "../api/edit.ts";
import { Effect } from "../parts/effect.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { notify } from "../parts/toasts.tsx";
import { LinkDialog } from "./invite-dialogs.tsx";

/** What an operator does with an account. */
export type AccountChange = "link" | "promote" | "demote" | "shut" | "open";

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
export function AccountDialog({ user, change }: { user: AdminUser; change: AccountChange }) {
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
