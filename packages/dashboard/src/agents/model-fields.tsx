import { Button } from "react-aria-components";
import { TextButton } from "../parts/button.tsx";
import { Field } from "../parts/field.tsx";
import { RateFields } from "./rate-fields.tsx";
import { isTwice, type ModelDraft, modelDraft } from "./terms-draft.ts";

/** Prices of models that differ from the default one. */
export function ModelFields({
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
          <legend>Model {index + 1} differs</legend>
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
              error={isTwice(models, draft) ? "It has a price above" : undefined}
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
          <p className="hint small quiet">What is empty costs what it does by default.</p>
          <Button className="btn sm" onPress={() => onChange(models.filter((one) => one !== draft))}>
            Remove {draft.model === "" ? "this model" : draft.model}
          </Button>
        </fieldset>
      ))}
      <div>
        <TextButton
          text="Another price for a model"
          look="sm"
          icon="plus"
          onPress={() => onChange([...models, modelDraft()])}
        />
      </div>
    </>
  );
}
