import type { AdminAgent, AdminIndicator } from "@creditgate/admin";
import { useState } from "react";
import { useOrganization } from "../api/account.ts";
import { useAnswer } from "../api/query.ts";
import { currenciesQuery } from "../customers/queries.ts";
import { Effect } from "../parts/effect.tsx";
import { Field } from "../parts/field.tsx";
import { ActionDialog } from "../parts/form-dialog.tsx";
import { notify } from "../parts/toasts.tsx";
import { priceQueries } from "./queries.ts";
import { describePrice } from "./rates.ts";
import { newTerms, readTerms } from "./terms-draft.ts";
import { TermsFields } from "./terms-fields.tsx";

/** Creates an indicator with its first price. */
export function IndicatorDialog({
  agent: { agentId, agentName },
  onCreated,
}: {
  agent: AdminAgent;
  onCreated: (indicator: AdminIndicator) => void;
}) {
  const organization = useOrganization();
  const { data: currencies = [] } = useAnswer(currenciesQuery);
  const [name, setName] = useState("");
  const [draft, setDraft] = useState(() => newTerms(currencies[0]?.creditCurrencyKey ?? "ai_credits"));
  const terms = readTerms(draft);
  return (
    <ActionDialog
      title={`New indicator of ${agentName}`}
      action="Create the indicator"
      isReady={name.trim() !== "" && terms !== undefined}
      failure="The indicator was not created."
      send={async () =>
        terms && (await organization.indicators.create(agentId, { name: name.trim(), ...terms }))
      }
      untrue={priceQueries}
      onDone={(indicator) => {
        if (indicator === undefined) return;
        onCreated(indicator);
        notify(`Indicator ${indicator.name} created`);
      }}
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
