import { useId } from "react";
import { Button } from "react-aria-components";
import { Field } from "../parts/field.tsx";
import { Icon } from "../parts/icon.tsx";
import { type Component, components, componentWords, isComponent } from "./rates.ts";
import { type RateDraft, rateDraft, rateError } from "./terms-draft.ts";

interface RateFieldsProps {
  readonly rates: readonly RateDraft[];
  readonly onChange: (rates: readonly RateDraft[]) => void;
  /** What can have no rate here. */
  readonly without?: readonly Component[];
}

/** Rates that are being written, and a way to add others. */
export function RateFields({ rates, onChange, without = [] }: RateFieldsProps) {
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
              error={rate.unit.trim() === "" && rate.text.trim() !== "" ? "Its name, as pages" : undefined}
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
        <option value="">Add a price of …</option>
        {options.map((component) => (
          <option key={component} value={component}>
            {componentWords[component].name}, {componentWords[component].per}
          </option>
        ))}
        <option value="perUnit">A unit with a name of your own</option>
      </select>
    </div>
  );
}
