import type { UserToken } from "@creditgate/admin";
import { admin } from "../api/client.ts";
import { useDraft } from "../api/edit.ts";
import { Effect } from "../parts/effect.tsx";
import { Choice, Field } from "../parts/field.tsx";
import { ActionDialog } from "../parts/form-dialog.tsx";
import { SecretDialog } from "../parts/secret-dialog.tsx";
import { daysFromNow, formatExact } from "../parts/time.tsx";
import { notify } from "../parts/toasts.tsx";

/** For how many days. */
const lives = [
  { value: "90", label: "90 days" },
  { value: "30", label: "30 days" },
  { value: "7", label: "7 days" },
  { value: "365", label: "A year" },
];

/** Creates a token, which is shown once. */
export function TokenDialog() {
  const { values, bind } = useDraft({ name: "", life: "90" });
  const name = values.name.trim();
  return (
    <ActionDialog
      title="New token"
      action="Make the token"
      isReady={name !== ""}
      failure="The token was not made."
      send={() => admin.account.tokens.create({ name, expiresAt: daysFromNow(Number(values.life)) })}
      untrue={["tokens"]}
      onDone={(created) => (
        <SecretDialog title={`The token ${created.name}`} label="Token" secret={created.token}>
          It goes in the header <code>Authorization: Bearer</code>, and ends {formatExact(created.expiresAt)}.
        </SecretDialog>
      )}
    >
      <Field
        {...bind("name")}
        label="Name"
        maxLength={100}
        autoFocus
        hint="What it is for. It stands in the audit log, with you."
      />
      <Choice {...bind("life")} label="Ends after" options={lives} />
    </ActionDialog>
  );
}

/** Revokes a token. */
export function RevokeTokenDialog({ token }: { token: UserToken }) {
  return (
    <ActionDialog
      title={`Revoke ${token.name}`}
      action="Revoke the token"
      isDanger
      failure="The token is not revoked."
      send={() => admin.account.tokens.revoke(token.tokenId)}
      untrue={["tokens"]}
      onDone={() => notify(`${token.name} is revoked`)}
    >
      <Effect>
        <p>What uses it is refused from the next request on.</p>
        <p className="quiet">It cannot be undone: make another token.</p>
      </Effect>
    </ActionDialog>
  );
}
