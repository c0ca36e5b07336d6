import { type AdminApiKey, type ApiKeyScope, apiKeyScopes, type CreatedApiKey } from "@creditgate/admin";
import { useState } from "react";
import { useDraft } from "../api/edit.ts";
import { useMay, useOrganization } from "../api/query.ts";
import { CheckList, Choice, Field } from "../parts/field.tsx";
import { ActionDialog, Effect } from "../parts/form-dialog.tsx";
import { overlaps, SecretDialog } from "../parts/secret-dialog.tsx";
import { daysFromNow, formatAgo, formatExact } from "../parts/time.tsx";
import { notify } from "../parts/toasts.tsx";
import { gateScopes, scopesInWords, scopeWords } from "./key.ts";

const lives = [
  { value: "never", label: "Never" },
  { value: "30", label: "After 30 days" },
  { value: "90", label: "After 90 days" },
  { value: "365", label: "After 1 year" },
];

type For = "gate" | "all" | "chosen";

/** Creates a key, which is shown once. */
export function KeyDialog() {
  const organization = useOrganization();
  // A key that moves money is made by one who may.
  const mayMove = useMay("money");
  const { values, bind } = useDraft({
    name: "",
    purpose: "gate" as For,
    chosen: gateScopes,
    life: "never",
  });
  const { purpose, chosen, life } = values;
  const name = values.name.trim();
  const scopes = { gate: gateScopes, all: apiKeyScopes, chosen }[purpose];
  return (
    <ActionDialog
      title="New API key"
      action="Create key"
      isReady={name !== "" && scopes.length > 0}
      failure="The key was not created."
      send={() =>
        organization.apiKeys.create({
          name,
          scopes,
          ...(life === "never" ? {} : { expiresAt: daysFromNow(Number(life)) }),
        })
      }
      untrue={["keys"]}
      onDone={(created) => <CreatedKey created={created} />}
    >
      <Field
        {...bind("name")}
        label="Name"
        maxLength={200}
        autoFocus
        hint="Where it is used, such as “chat server, production”."
      />
      {mayMove ? (
        <Choice<For>
          {...bind("purpose")}
          label="For"
          options={[
            { value: "gate", label: "Gate: read balances and report usage" },
            { value: "all", label: "Full access" },
            { value: "chosen", label: "Custom scopes" },
          ]}
        />
      ) : (
        <p className="small quiet">
          The key can read balances and report usage, as a gate does. Only owners create keys that move money.
        </p>
      )}
      {purpose === "chosen" && (
        <CheckList<ApiKeyScope>
          {...bind("chosen")}
          label="Scopes"
          isCode
          options={apiKeyScopes.map((value) => ({ value, label: value, hint: scopeWords[value] }))}
          error={chosen.length === 0 ? "Select at least one scope" : undefined}
        />
      )}
      <Choice {...bind("life")} label="Expires" options={lives} />
      <Effect>
        <p>
          The key works immediately, with the scopes <b>{scopesInWords(scopes) || "none"}</b>. It is shown
          only once. You can rotate or revoke it at any time.
        </p>
      </Effect>
    </ActionDialog>
  );
}

/** Creates a new key in place of another, which remains valid for a while. */
export function RotateDialog({ apiKey: { keyId, name, expiresAt } }: { apiKey: AdminApiKey }) {
  const organization = useOrganization();
  const [overlap, setOverlap] = useState("86400");
  const [opened] = useState(() => Date.now());
  const end = Math.min(opened + Number(overlap) * 1_000, Date.parse(expiresAt ?? "") || Infinity);
  return (
    <ActionDialog
      title={`Rotate ${name}`}
      action="Rotate key"
      failure="The key was not rotated."
      send={() => organization.apiKeys.rotate(keyId, { overlapSeconds: Number(overlap) })}
      untrue={["keys"]}
      onDone={(created) => <CreatedKey created={created} />}
    >
      <Choice label="Old key stays valid" value={overlap} options={overlaps} onChange={setOverlap} />
      <Effect>
        <p>
          A new key with the same name and scopes is created and shown once.{" "}
          {overlap === "0"
            ? "The old key is rejected immediately: applications that use it fail until they have the new one."
            : `The old key works until ${formatExact(new Date(end).toISOString())}.`}
        </p>
        {expiresAt !== null && (
          <p className="quiet">The new key expires when the old one would have: {formatExact(expiresAt)}.</p>
        )}
      </Effect>
    </ActionDialog>
  );
}

/** Revokes a key at once. */
export function RevokeDialog({ apiKey: { keyId, name, scopes, lastUsedAt } }: { apiKey: AdminApiKey }) {
  const organization = useOrganization();
  return (
    <ActionDialog
      title={`Revoke ${name}`}
      action="Revoke key"
      isDanger
      failure="The key could not be revoked."
      send={() => organization.apiKeys.revoke(keyId)}
      untrue={["keys"]}
      onDone={() => notify(`${name} revoked`, "Requests with it are rejected.")}
    >
      <Effect>
        <p>
          {lastUsedAt === null
            ? "It has never been used."
            : `Last used ${formatAgo(lastUsedAt)}. Requests with it are rejected immediately.`}
        </p>
        {scopes.includes("read") && (
          <p>A gate without another key denies every request: it cannot read balances.</p>
        )}
        {scopes.includes("usage") && (
          <p>Unreported usage stays in the gate’s outbox until the gate has another key.</p>
        )}
        <p className="quiet">This cannot be undone. To switch without downtime, rotate the key instead.</p>
      </Effect>
    </ActionDialog>
  );
}

function CreatedKey({ created: { name, apiKey } }: { created: CreatedApiKey }) {
  return (
    <SecretDialog title={`API key ${name}`} label="API key" secret={apiKey}>
      Set it as <code>CREDITGATE_API_KEY</code> on your server, never in a browser. If you lose it, create
      another and revoke this one.
    </SecretDialog>
  );
}
