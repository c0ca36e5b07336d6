import type { CreatedUserToken, UserToken } from "@creditgate/client/admin";
import { type ReactNode, useState } from "react";
import { useChange } from "../api/change.ts";
import { admin } from "../api/client.ts";
import { Choice } from "../parts/choice.tsx";
import { Effect } from "../parts/effect.tsx";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { tell } from "../parts/toasts.tsx";

const dayMs = 24 * 60 * 60 * 1_000;

/** For how many days. */
const lives = [
  { value: "90", label: "90 days" },
  { value: "30", label: "30 days" },
  { value: "7", label: "7 days" },
  { value: "365", label: "A year" },
] as const;

type Life = (typeof lives)[number]["value"];

/** Makes a token, which is shown once. */
export function TokenDialog({
  onCreated,
  onClose,
}: {
  readonly onCreated: (token: CreatedUserToken) => void;
  readonly onClose: () => void;
}): ReactNode {
  const [name, setName] = useState("");
  const [life, setLife] = useState<Life>("90");
  const create = useChange({
    change: () =>
      admin.account.tokens.create({
        name: name.trim(),
        expiresAt: new Date(Date.now() + Number(life) * dayMs).toISOString(),
      }),
    untrue: [["tokens"]],
    onDone: onCreated,
  });
  return (
    <FormDialog
      title="New token"
      action="Make the token"
      isReady={name.trim() !== ""}
      change={create}
      failure="The token was not made."
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <Field
        label="Name"
        name="name"
        value={name}
        onChange={setName}
        maxLength={100}
        autoFocus
        hint="What it is for. It stands in the audit log, with you."
      />
      <Choice label="Ends after" value={life} options={lives} onChange={setLife} />
    </FormDialog>
  );
}

/** Ends a token. */
export function RevokeTokenDialog({
  token,
  onClose,
}: {
  readonly token: UserToken;
  readonly onClose: () => void;
}): ReactNode {
  const revoke = useChange({
    change: () => admin.account.tokens.revoke(token.tokenId),
    untrue: [["tokens"]],
    onDone() {
      onClose();
      tell(`${token.name} is revoked`);
    },
  });
  return (
    <FormDialog
      title={`Revoke ${token.name}`}
      action="Revoke the token"
      isDanger
      change={revoke}
      failure="The token is not revoked."
      onSubmit={() => revoke.mutate()}
      onClose={onClose}
    >
      <Effect>
        <p>What uses it is refused from the next request on.</p>
        <p className="quiet">It cannot be undone: make another token.</p>
      </Effect>
    </FormDialog>
  );
}
