import { useAnswer } from "../api/query.ts";
import { currenciesQuery } from "../customers/queries.ts";
import { Choice, Field } from "../parts/field.tsx";
import { ModelFields } from "./model-fields.tsx";
import { RateFields } from "./rate-fields.tsx";
import type { TermsDraft } from "./terms-draft.ts";

type Billing = "credits" | "recorded";

/** What an indicator costs, as it is being written. */
export function TermsFields({
  draft,
  onChange,
}: {
  readonly draft: TermsDraft;
  readonly onChange: (draft: TermsDraft) => void;
}) {
  const { data: currencies = [] } = useAnswer(currenciesQuery);
  const known = currencies.map((one) => one.creditCurrencyKey);
  return (
    <>
      <Choice<Billing>
        label="Billing"
        value={draft.isBilled ? "credits" : "recorded"}
        onChange={(billing) => onChange({ ...draft, isBilled: billing === "credits" })}
        options={[
          { value: "credits", label: "Credits: usage debits the customer's wallet" },
          { value: "recorded", label: "Recorded: usage is kept, and debits nothing" },
        ]}
      />
      {draft.isBilled && (
        <>
          <Field
            label="Currency"
            name="currency"
            value={draft.currency}
            onChange={(currency) => onChange({ ...draft, currency })}
            isCode
            maxLength={200}
            error={draft.currency.trim() === "" ? "What its credits are called, as ai_credits" : undefined}
            hint={
              known.length === 0 || known.includes(draft.currency.trim())
                ? "The customer pays by a wallet in it."
                : `No wallet is in it yet. There are ${known.join(", ")}.`
            }
          />
          <fieldset className="section tight prices">
            <legend>Price, in credits</legend>
            <RateFields rates={draft.rates} onChange={(rates) => onChange({ ...draft, rates })} />
          </fieldset>
          <ModelFields models={draft.models} onChange={(models) => onChange({ ...draft, models })} />
        </>
      )}
    </>
  );
}
