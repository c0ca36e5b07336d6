import { type ReactNode, useState } from "react";
import { useChange } from "../api/change.ts";
import { admin } from "../api/client.ts";
import { Effect } from "../parts/effect.tsx";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import type { OneTime } from "./one-time.ts";
import { operatorInvitationsQuery } from "./queries.ts";

/** Invites another operator, by a link that is shown once. */
export function OperatorDialog({
  onMade,
  onClose,
}: {
  readonly onMade: (made: OneTime) => void;
  readonly onClose: () => void;
}): ReactNode {
  const [email, setEmail] = useState("");
  const invite = useChange({
    change: (address: string) => admin.users.inviteOperator({ email: address }),
    untrue: [operatorInvitationsQuery.queryKey],
    onDone: ({ link, expiresAt }, address) => onMade({ link, expiresAt, email: address }),
  });
  return (
    <FormDialog
      title="Invite an operator"
      action="Make the link"
      isReady={email.includes("@")}
      change={invite}
      failure="No one was invited."
      onSubmit={() => invite.mutate(email.trim())}
      onClose={onClose}
    >
      <Field
        label="Email"
        name="email"
        type="email"
        value={email}
        onChange={setEmail}
        maxLength={254}
        autoFocus
        hint="No mail is sent: you get a link to send."
      />
      <Effect>
        <p>An operator may do everything, in every organization. Prefer a member with a role.</p>
      </Effect>
    </FormDialog>
  );
}
