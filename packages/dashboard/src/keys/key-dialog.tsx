import { type ApiKeyScope, apiKeyScopes, type CreatedApiKey } from "@creditgate/client/admin";
import { type ReactNode, useState } from "react";
import { useMay, useOrganizationId } from "../api/account.ts";
import { useChange } from "../api/change.ts";
import { admin } from "../api/client.ts";
import { CheckList } from "../parts/check-list.tsx";
import { Choice } from "../parts/choice.tsx";
import { Effect } from "../parts/effect.tsx";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { gateScopes, scopesInWords, scopeWords } from "./key.ts";

const dayMs = 24 * 60 * 60 * 1_000;

const lives = [
  { value: "never", label: "Never" },
  { value: "30", label: "After 30 days" },
  { value: "90", label: "After 90 days" },
  { value: "365", label: "After a year" },
] as const;

type Life = (typeof lives)[number]["value"];
type For = "gate" | "all" | "chosen";

/** Makes a key, which is shown once. */
export function KeyDialog({
  onCreated,
  onClose,
}: {
  readonly onCreated: (key: CreatedApiKey) => void;
  readonly onClose: () => void;
}): ReactNode {
  const organizationId = useOrganizationId();
  // A key that moves money is made by one who may.
  const mayMove = useMay("money");
  const [name, setName] = useState("");
  const [purpose, setPurpose] = useState<For>("gate");
  const [chosen, setChosen] = useState(gateScopes);
  const [life, setLife] = useState<Life>("never");
  const scopes = { gate: gateScopes, all: apiKeyScopes, chosen }[purpose];
  const create = useChange({
    change: () =>
      admin.organization(organizationId).apiKeys.create({
        name: name.trim(),
        scopes,
        ...(life === "never" ? {} : { expiresAt: new Date(Date.now() + Number(life) * dayMs).toISOString() }),
      }),
    untrue: [["keys", organizationId]],
    onDone: onCreated,
  });
  return (
    <FormDialog
      title="New API key"
      action="Create the key"
      isReady={name.trim() !== "" && scopes.length > 0}
      change={create}
      failure="The key was not made."
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <Field
        label="Name"
        name="name"
        value={name}
        onChange={setName}
        maxLength={200}
        autoFocus
        hint="Where it is used, as “chat server, production”."
      />
      {mayMove ? (
        <Choice<For>
          label="For"
          value={purpose}
          onChange={setPurpose}
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
          label="Scopes"
          isCode
          options={apiKeyScopes.map((value) => ({ value, label: value, hint: scopeWords[value] }))}
          value={chosen}
          onChange={setChosen}
          error={chosen.length === 0 ? "At least one" : undefined}
        />
      )}
      <Choice label="Ends" value={life} options={lives} onChange={setLife} />
      <Effect>
        <p>
          The key works at once, for <b>{scopesInWords(scopes) || "nothing"}</b>. It is shown once, when it is
          made. It can be rotated and revoked at any time.
        </p>
      </Effect>
    </FormDialog>
  );
}
