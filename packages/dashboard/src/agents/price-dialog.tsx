import { type AdminPrice, adminPrice } from "@creditgate/admin";
import { useId, useState } from "react";
import { useEdit } from "../api/edit.ts";
import { useOrganization } from "../api/query.ts";
import { Choice, FieldNotes } from "../parts/field.tsx";
import { Effect, FormDialog } from "../parts/form-dialog.tsx";
import { formatExact } from "../parts/time.tsx";
import { notify } from "../parts/toasts.tsx";
import { priceQueries } from "./queries.ts";
import { changesOf, TermsChange } from "./terms-change.tsx";
import { draftOf, readTerms, type TermsDraft } from "./terms-draft.ts";
import { TermsFields } from "./terms-fields.tsx";

type From = "now" | "later";

/** Gives an indicator another price, from now on or from later. */
export function PriceDialog({
  agentId,
  indicator,
  versions,
}: {
  agentId: string;
  indicator: string;
  /** The last to hold first. */
  versions: readonly AdminPrice[];
}) {
  const organization = useOrganization();
  const inForce = versions.find((version) => version.inForce) ?? versions[0];
  const [from, setFrom] = useState<From>("now");
  const [time, setTime] = useState("");
  const validFrom = from === "now" ? undefined : instantOf(time);
  const isTimeFine = from === "now" || (validFrom !== undefined && Date.parse(validFrom) > Date.now());
  const newest = versions.toSorted((one, other) => other.version - one.version)[0];
  const edit = useEdit<AdminPrice | undefined, { readonly draft: TermsDraft }, AdminPrice | undefined>({
    record: newest,
    schema: adminPrice,
    // What holds is changed; after a conflict, what the other one has set.
    valuesOf: (price) => ({ draft: draftOf((price === newest ? inForce : price) ?? { billing: "CREDITS" }) }),
    labels: { version: "Version" },
    send: async (_, seen) =>
      terms &&
      (await organization.indicators.setPrice(agentId, indicator, {
        ...seen,
        ...terms,
        ...(validFrom === undefined ? {} : { validFrom }),
      })),
    untrue: priceQueries,
    onDone: (set) => set && notify(`Price of ${indicator} saved as version ${set.version}`),
  });
  const { draft } = edit.values;
  const terms = readTerms(draft);
  const before = versions.find((version) => Date.parse(version.validFrom) <= whenOf(validFrom)) ?? inForce;
  const changes = terms === undefined ? [] : changesOf(before, terms);
  return (
    <FormDialog
      title={`Price of ${indicator}`}
      action={validFrom === undefined ? "Change price now" : "Schedule price"}
      isReady={terms !== undefined && changes.length > 0 && isTimeFine}
      form={edit}
      failure="The price was not changed."
    >
      <TermsFields draft={draft} onChange={(written) => edit.set({ draft: written })} />
      <Choice<From>
        label="Effective"
        value={from}
        onChange={setFrom}
        options={[
          { value: "now", label: "Immediately" },
          { value: "later", label: "At a later time" },
        ]}
      />
      {from === "later" && <Moment value={time} onChange={setTime} isFine={time === "" || isTimeFine} />}
      <Effect>
        {terms === undefined ? (
          <p className="quiet">Complete the price above.</p>
        ) : changes.length === 0 ? (
          <p className="quiet">No changes yet.</p>
        ) : (
          <>
            <TermsChange changes={changes} />
            <p>
              The price applies to usage received from{" "}
              {validFrom === undefined ? "now on" : formatExact(validFrom)}. Billed usage does not change.
            </p>
            <p className="quiet">
              It becomes a new version, recorded in the audit log. A later version can replace it.
            </p>
          </>
        )}
      </Effect>
    </FormDialog>
  );
}

function whenOf(validFrom: string | undefined): number {
  return validFrom === undefined ? Date.now() : Date.parse(validFrom);
}

/** What the browser's field holds, as an instant of UTC. */
function instantOf(text: string): string | undefined {
  return /^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d$/.test(text) ? `${text}:00Z` : undefined;
}

interface MomentProps {
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly isFine: boolean;
}

function Moment({ value, onChange, isFine }: MomentProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>Effective from (UTC)</label>
      <input
        id={id}
        className="input"
        type="datetime-local"
        value={value}
        aria-invalid={!isFine}
        aria-describedby={`${id}-hint`}
        onChange={({ target }) => onChange(target.value)}
      />
      <FieldNotes
        id={`${id}-hint`}
        hint="Until then prices apply as scheduled."
        error={isFine ? undefined : "Enter a time in the future"}
      />
    </div>
  );
}
