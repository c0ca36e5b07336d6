import { isCreditgateError } from "@creditgate/client";
import { type ReactNode, useState } from "react";
import { useChange } from "../api/change.ts";
import { admin } from "../api/client.ts";
import { Effect } from "../parts/effect.tsx";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { tell } from "../parts/toasts.tsx";

const shortest = 12;

/** Sets another password of one's own. */
export function PasswordDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const set = useChange({
    change: () => admin.account.changePassword({ currentPassword: current, newPassword: next }),
    untrue: [["account"], ["tokens"]],
    onDone() {
      onClose();
      tell("The password is changed", "All other sessions have ended, and all tokens.");
    },
  });
  const isWrong = isCreditgateError(set.error) && set.error.problem?.code === "password_wrong";
  const isShort = next !== "" && [...next].length < shortest;
  return (
    <FormDialog
      title="Change the password"
      action="Change the password"
      isReady={current !== "" && next !== "" && !isShort}
      change={isWrong ? { isPending: set.isPending, error: null } : set}
      failure="The password was not changed."
      onSubmit={() => set.mutate()}
      onClose={onClose}
    >
      <Field
        label="Current password"
        name="current-password"
        type="password"
        autoComplete="current-password"
        value={current}
        onChange={(text) => {
          set.reset();
          setCurrent(text);
        }}
        autoFocus
        error={isWrong ? "It is another one" : undefined}
      />
      <Field
        label="New password"
        name="new-password"
        type="password"
        autoComplete="new-password"
        value={next}
        onChange={setNext}
        error={isShort ? `${shortest} characters or more` : undefined}
        hint={`${shortest} characters or more. A sentence is good.`}
      />
      <Effect>
        <p>All your other sessions end, and all your tokens. This session goes on.</p>
        <p className="quiet">Ended tokens are not opened again: make others.</p>
      </Effect>
    </FormDialog>
  );
}
