import { type AdminApiKey, type ApiKeyScope, apiKeyScopes, type CreatedApiKey } from "@creditgate/admin";
import { useState } from "react";
import { useDraft } from "../api/edit.ts";
import { useMay, useOrganization } from "../api/query.ts";
import { CheckList, Choice, Field } from "../parts/field.tsx";
import { ActionDialog, Effect } from "../parts/form-dialog.tsx";
import { SecretDialog } from "../parts/secret-dialog.tsx";
import { daysFromNow, formatAgo, formatExact } from "../parts/time.tsx";
import { notify } from "../parts/toasts.tsx";
import { gateScopes, scopesInWords, scopeWords } from "./key.ts";

const lives = [
  { value: "never", label: "Never" },
  { value: "30", label: "After 30 days" },
  { value: "90", label: "After 90 days" },
  { value: "365", label: "After a year" },
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
      action="Create the key"
      isReady={name !== "" && scopes.length > 0}
      failure="The key was not made."
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
        hint="Where it is used, as “chat server, production”."
      />
      {mayMove ? (
        <Choice<For>
          {...bind("purpose")}
          label="For"
          options={[
            { value: "gate", label: "A gate: reads balances, reports usage" },
            { value: "all", label: "Everything that the API does" },
            { value: "chosen", label: "What I choose" },
          ]}
        />
      ) : (
        <p className="small quiet">
          It is good for a gate: it reads balances and reports usage. A key that moves money is made by an
          owner.
        </p>
      )}
      {purpose === "chosen" && (
        <CheckList<ApiKeyScope>
          {...bind("chosen")}
          label="Scopes"
          isCode
          options={apiKeyScopes.map((value) => ({ value, label: value, hint: scopeWords[value] }))}
          error={chosen.length === 0 ? "At least one" : undefined}
        />
      )}
      <Choice {...bind("life")} label="Ends" options={lives} />
      <Effect>
        <p>
          The key works at once, for <b>{scopesInWords(scopes) || "nothing"}</b>. It is shown once, when it is
          made. It can be rotated and revoked at any time.
        </p>
      </Effect>
    </ActionDialog>
  );
}

const overlaps = [
  { value: "86400", label: "For a day" },
  { value: "3600", label: "For an hour" },
  { value: "604800", label: "For a week" },
  { value: "0", label: "Not at all" },
];

/** Creates a new key in place of another, which remains valid for a while. */
export function RotateDialog({ apiKey: { keyId, name, expiresAt } }: { apiKey: AdminApiKey }) {
  const organization = useOrganization();
  const [overlap, setOverlap] = useState("86400");
  const [opened] = useState(() => Date.now());
  const end = Math.min(opened + Number(overlap) * 1_000, Date.parse(expiresAt ?? "") || Infinity);
  return (
    <ActionDialog
      title={`Rotate ${name}`}
      action="Make the new key"
      failure="The key was not rotated."
      send={() => organization.apiKeys.rotate(keyId, { overlapSeconds: Number(overlap) })}
      untrue={["keys"]}
      onDone={(created) => <CreatedKey created={created} />}
    >
      <Choice label="The old key goes on" value={overlap} options={overlaps} onChange={setOverlap} />
      <Effect>
        <p>
          A new key with the same name and scopes is made, and shown once.{" "}
          {overlap === "0"
            ? "The old one is refused from the next request on: applications that use it stop until they have the new one."
            : `The old one goes on until ${formatExact(new Date(end).toISOString())}, and is refused from then on. Both work meanwhile.`}
        </p>
        {expiresAt !== null && (
          <p className="quiet">The new one ends when the old one would have: {formatExact(expiresAt)}.</p>
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
      action="Revoke the key"
      isDanger
      failure="The key is not revoked."
      send={() => organization.apiKeys.revoke(keyId)}
      untrue={["keys"]}
      onDone={() => notify(`${name} is revoked`, "Requests with it are refused from now on.")}
    >
      <Effect>
        <p>
          {lastUsedAt === null
            ? "It has never been used."
            : `It was used ${formatAgo(lastUsedAt)}. What uses it is refused from the next request on.`}
        </p>
        {scopes.includes("read") && (
          <p>A gate that has no other key lets no request in: it cannot read balances.</p>
        )}
        {scopes.includes("usage") && (
          <p>Usage that is not reported yet waits in the gate's outbox until the gate has another key.</p>
        )}
        <p className="quiet">
          It cannot be undone. To change over without a gap, rotate it. It is in the audit log.
        </p>
      </Effect>
    </ActionDialog>
  );
}

function CreatedKey({ created: { name, apiKey } }: { created: CreatedApiKey }) {
  return (
    <SecretDialog title={`The key ${name}`} label="API key" secret={apiKey}>
      Put it where your server finds it, as <code>CREDITGATE_API_KEY</code>, and never into a browser. If it
      is lost, make another; this one can then be revoked.
    </SecretDialog>
  );
}
