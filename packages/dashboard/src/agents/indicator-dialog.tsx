import type { AdminAgent, AdminIndicator } from "@creditgate/admin";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useOrganizationId } from "../api/account.ts";
import { admin } from "../api/client.ts";
import { currenciesQuery } from "../customers/queries.ts";
import { Effect } from "../parts/effect.tsx";
import { Field } from "../parts/field.tsx";
import { ActionDialog, type DialogOf } from "../parts/form-dialog.tsx";
import { tell } from "../parts/toasts.tsx";
import { priceKeys } from "./queries.ts";
import { describePrice } from "./rates.ts";
import { newTerms, readTerms } from "./terms-draft.ts";
import { TermsFields } from "./terms-fields.tsx";

/** Creates an indicator with its first price. */
export function IndicatorDialog({
  agent: { agentId, agent_name },
  onCreated,
  onClose,
}: DialogOf<{ agent: AdminAgent; onCreated: (indicator: AdminIndicator) => void }>) {
  const organizationId = useOrganizationId();
  const { data: currencies = [] } = useQuery(currenciesQuery(organizationId));
  const [name, setName] = useState("");
  const [draft, setDraft] = useState(() => newTerms(currencies[0]?.credit_currency_key ?? "ai_credits"));
  const terms = readTerms(draft);
  return (
    <ActionDialog
      title={`New indicator of ${agent_name}`}
      action="Create the indicator"
      isReady={name.trim() !== "" && terms !== undefined}
      failure="The indicator was not created."
      send={async () =>
        terms &&
        (await admin.organization(organizationId).indicators.create(agentId, { name: name.trim(), ...terms }))
      }
      untrue={priceKeys(organizationId, agentId)}
      onDone={(indicator) => {
        if (indicator === undefined) return;
        onCreated(indicator);
        tell(`Indicator ${indicator.name} created`);
      }}
      onClose={onClose}
    >
      <Field
        label="Name"
        name="name"
        value={name}
        onChange={setName}
        isCode
        autoFocus
        maxLength={200}
        hint="What the agent does, as message or image. Reports of usage name it; it cannot be changed."
      />
      <TermsFields draft={draft} onChange={setDraft} />
      <Effect>
        <p>
          {terms === undefined
            ? "Nothing yet: a price is missing. What is free says 0 for an event."
            : `Usage of it is accepted from now on, and ${
                terms.billing === "CREDITS" ? `costs ${describePrice(terms.price ?? {})}` : "debits nothing"
              }.`}
        </p>
      </Effect>
    </ActionDialog>
  );
}
