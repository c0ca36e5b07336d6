import { useId } from "react";
import { Button } from "react-aria-components";
import { useAnswer } from "../api/query.ts";
import { currenciesQuery } from "../customers/queries.ts";
import { TextButton } from "../parts/button.tsx";
import { Choice, Field } from "../parts/field.tsx";
import { Icon } from "../parts/icon.tsx";
import { type Component, components, componentWords, isComponent } from "./rates.ts";
import {
  isTwice,
  type ModelDraft,
  modelDraft,
  type RateDraft,
  rateDraft,
  rateError,
  type TermsDraft,
} from "./terms-draft.ts";

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
          { value: "credits", label: "Credits: usage debits the wallet" },
          { value: "recorded", label: "Recorded only: usage debits nothing" },
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
            error={draft.currency.trim() === "" ? "Enter a currency, such as ai_credits" : undefined}
            hint={
              known.length === 0 || known.includes(draft.currency.trim())
                ? "Debited from the customer’s wallet in this currency."
                : `No wallet uses it yet. Existing: ${known.join(", ")}.`
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

/** Prices of models that differ from the default one. */
function ModelFields({
  models,
  onChange,
}: {
  readonly models: readonly ModelDraft[];
  readonly onChange: (models: readonly ModelDraft[]) => void;
}) {
  const change = (changed: ModelDraft) =>
    onChange(models.map((model) => (model.id === changed.id ? changed : model)));
  return (
    <>
      {models.map((draft, index) => (
        <fieldset className="model section" key={draft.id}>
          <legend>Price of model {index + 1}</legend>
          <div className="model-name">
            <Field
              label="Provider"
              value={draft.provider}
              onChange={(provider) => change({ ...draft, provider })}
              maxLength={200}
              isCode
            />
            <Field
              label="Model"
              value={draft.model}
              onChange={(model) => change({ ...draft, model })}
              maxLength={200}
              isCode
              error={isTwice(models, draft) ? "This model already has a price" : undefined}
            />
            <Field
              label="Plan (optional)"
              value={draft.plan}
              onChange={(plan) => change({ ...draft, plan })}
              maxLength={200}
              isCode
            />
          </div>
          <RateFields
            rates={draft.rates}
            onChange={(rates) => change({ ...draft, rates })}
            without={["perCallMinute"]}
          />
          <p className="hint small quiet">Empty prices use the default price.</p>
          <Button className="btn sm" onPress={() => onChange(models.filter((one) => one !== draft))}>
            Remove {draft.model === "" ? "this model" : draft.model}
          </Button>
        </fieldset>
      ))}
      <div>
        <TextButton
          text="Add model price"
          look="sm"
          icon="plus"
          onPress={() => onChange([...models, modelDraft()])}
        />
      </div>
    </>
  );
}

interface RateFieldsProps {
  readonly rates: readonly RateDraft[];
  readonly onChange: (rates: readonly RateDraft[]) => void;
  /** What can have no rate here. */
  readonly without?: readonly Component[];
}

/** Rates that are being written, and a way to add others. */
function RateFields({ rates, onChange, without = [] }: RateFieldsProps) {
  const change = (changed: RateDraft) =>
    onChange(rates.map((rate) => (rate.id === changed.id ? changed : rate)));
  return (
    <div className="rates">
      {rates.map((rate) => (
        <div className="rate" key={rate.id}>
          {rate.component === "perUnit" && (
            <Field
              label="Unit"
              value={rate.unit}
              onChange={(unit) => change({ ...rate, unit })}
              maxLength={64}
              error={
                rate.unit.trim() === "" && rate.text.trim() !== "" ? "Enter a name, such as pages" : undefined
              }
            />
          )}
          <Field
            label={rate.component === "perUnit" ? "Price" : componentWords[rate.component].name}
            value={rate.text}
            onChange={(text) => change({ ...rate, text })}
            unit={rate.component === "perUnit" ? "each" : componentWords[rate.component].per}
            isNumber
            error={rateError(rate)}
          />
          <Button
            className="icon-btn"
            aria-label={`Remove the price of ${nameOf(rate)}`}
            onPress={() => onChange(rates.filter((one) => one !== rate))}
          >
            <Icon name="close" />
          </Button>
        </div>
      ))}
      <AddRate
        options={components.filter(
          (component) => !without.includes(component) && rates.every((rate) => rate.component !== component),
        )}
        onAdd={(component) => onChange([...rates, rateDraft(component)])}
      />
    </div>
  );
}

function nameOf({ component, unit }: RateDraft): string {
  return component === "perUnit" ? unit || "the unit" : componentWords[component].name.toLowerCase();
}

function AddRate({
  options,
  onAdd,
}: {
  readonly options: readonly Component[];
  readonly onAdd: (component: RateDraft["component"]) => void;
}) {
  const id = useId();
  return (
    <div className="field rate-add">
      <label className="unseen" htmlFor={id}>
        Add a price
      </label>
      <select
        id={id}
        className="select"
        value=""
        onChange={({ target: { value } }) => {
          if (value === "perUnit" || isComponent(value)) onAdd(value);
        }}
      >
        <option value="">Add a price…</option>
        {options.map((component) => (
          <option key={component} value={component}>
            {componentWords[component].name}, {componentWords[component].per}
          </option>
        ))}
        <option value="perUnit">Custom unit</option>
      </select>
    </div>
  );
}
