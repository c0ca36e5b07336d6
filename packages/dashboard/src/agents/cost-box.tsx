import type { AdminPrice, UsageCost, UsageCostPart } from "@creditgate/admin";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useOrganizationId } from "../api/query.ts";
import { formatCredits } from "../parts/amounts.ts";
import { TextButton } from "../parts/button.tsx";
import { Failure } from "../parts/failure.tsx";
import { Choice, Field } from "../parts/field.tsx";
import { useSettled } from "../parts/hooks.ts";
import { Amount, Table } from "../parts/table.tsx";
import { formatDay } from "../parts/time.tsx";
import { placePrices } from "./price-versions.ts";
import { costQuery, type SupposedUsage } from "./queries.ts";
import { componentWords, creditsTimes, formatRate, isComponent } from "./rates.ts";
import { isCount, partsOf, reportOf, type UsageDraft, unitsOf, usageParts } from "./supposed-usage.ts";

/** As long as a person may pause between two digits. */
const typingMs = 250;

/** What a use would cost, by the control plane's own pricing. */
export function CostBox({
  agentId,
  indicator,
  versions,
}: {
  readonly agentId: string;
  readonly indicator: string;
  /** The last to hold first. */
  readonly versions: readonly AdminPrice[];
}) {
  const placed = placePrices(versions).filter(({ state }) => state !== "replaced");
  const current = placed.find(({ state }) => state === "current") ?? placed[0];
  const [version, setVersion] = useState(String(current?.price.version));
  const [modelIndex, setModelIndex] = useState("default");
  const [draft, setDraft] = useState<UsageDraft>({
    counts: { inputTokens: "1,000", outputTokens: "500" },
    units: {},
  });
  const [times, setTimes] = useState("1");
  const [showsAll, setShowsAll] = useState(false);
  const chosen = placed.find(({ price }) => String(price.version) === version) ?? current;
  if (chosen === undefined) return null;
  const { price } = chosen;
  const parts = showsAll ? usageParts : partsOf(price);
  const units = unitsOf(price);
  const model = price.modelPrices[Number(modelIndex)];
  const { rawUsage, ...call } = reportOf(draft, parts, units);
  const isFine =
    isCount(times, true) &&
    parts.every(({ field }) => isCount(draft.counts[field] ?? "", field !== "callMinutes")) &&
    units.every((name) => isCount(draft.units[name] ?? "", false));
  const origin = model && { provider: model.provider, model: model.model, plan: model.plan };
  const usage: SupposedUsage = {
    rawUsage: { ...origin, ...rawUsage },
    ...call,
    ...(chosen.state === "current" ? {} : { at: price.validFrom }),
  };
  const next = placed[placed.indexOf(chosen) - 1]?.price;
  const count = (field: string, isWhole: boolean) =>
    isCount(draft.counts[field] ?? "", isWhole)
      ? undefined
      : isWhole
        ? "Enter a whole number"
        : "Enter a number";
  return (
    <section className="panel sunken section" aria-labelledby="cost">
      <header>
        <h2 id="cost">Estimate a cost</h2>
        <span className="end quiet">Nothing is billed</span>
      </header>
      <div className="cost">
        <div className="fields">
          <div className="full">
            <Choice
              label="Price"
              value={version}
              onChange={(chosenVersion) => {
                setVersion(chosenVersion);
                setModelIndex("default");
              }}
              options={placed.map((one) => ({
                value: String(one.price.version),
                label: `${indicator}, v${one.price.version}, ${
                  one.state === "scheduled" ? `from ${formatDay(one.price.validFrom)}` : one.state
                }`,
              }))}
            />
          </div>
          {price.modelPrices.length > 0 && (
            <div className="full">
              <Choice
                label="Model"
                value={modelIndex}
                onChange={setModelIndex}
                options={[
                  { value: "default", label: "Default price" },
                  ...price.modelPrices.map(({ provider, model: name, plan }, index) => ({
                    value: String(index),
                    label: [provider, name, plan].filter(Boolean).join(", "),
                  })),
                ]}
              />
            </div>
          )}
          {parts.map(({ field, name }) => (
            <Field
              key={field}
              label={name}
              value={draft.counts[field] ?? ""}
              onChange={(text) => setDraft({ ...draft, counts: { ...draft.counts, [field]: text } })}
              isNumber
              error={count(field, field !== "callMinutes")}
            />
          ))}
          {units.map((name) => (
            <Field
              key={name}
              label={name}
              value={draft.units[name] ?? ""}
              onChange={(text) => setDraft({ ...draft, units: { ...draft.units, [name]: text } })}
              isNumber
              error={isCount(draft.units[name] ?? "", false) ? undefined : "Enter a number"}
            />
          ))}
          <Field
            label="Quantity"
            value={times}
            onChange={setTimes}
            isNumber
            error={isCount(times, true) ? undefined : "Enter a whole number"}
          />
          {!showsAll && parts.length < usageParts.length && (
            <div className="full">
              <TextButton text="Show all fields" look="sm" onPress={() => setShowsAll(true)} />
            </div>
          )}
        </div>
        <Cost
          agentId={agentId}
          indicator={indicator}
          usage={usage}
          isFine={isFine}
          times={times}
          next={next}
        />
      </div>
    </section>
  );
}

interface CostProps {
  readonly agentId: string;
  readonly indicator: string;
  readonly usage: SupposedUsage;
  readonly isFine: boolean;
  readonly times: string;
  /** The price that takes its place. */
  readonly next: AdminPrice | undefined;
}

function Cost({ agentId, indicator, usage, isFine, times, next }: CostProps) {
  const organizationId = useOrganizationId();
  const asked = useSettled(usage, typingMs);
  const cost = useQuery({ ...costQuery(organizationId, agentId, indicator, asked), enabled: isFine });
  const later = useQuery({
    ...costQuery(organizationId, agentId, indicator, { ...asked, at: next?.validFrom }),
    enabled: isFine && next !== undefined,
  });
  const isOld = !isFine || cost.isPlaceholderData || JSON.stringify(usage) !== JSON.stringify(asked);
  if (cost.isError) {
    return (
      <div>
        <Failure
          error={cost.error}
          what="The cost could not be estimated."
          onRetry={() => void cost.refetch()}
        />
      </div>
    );
  }
  // An element of its own: of one that becomes another, and grows, the browser says that it has moved.
  if (cost.data === undefined) return <div key="place" className="bone block" />;
  const { credits, creditCurrencyKey: currency } = cost.data;
  return (
    <div key="cost" className="section" aria-busy={isOld}>
      <div className="sum">
        <span className="quiet">Estimated cost</span>
        <output className={isOld ? "quiet" : ""}>
          {creditsTimes(credits, times)} <small>{currency === null ? "credits" : currency}</small>
        </output>
      </div>
      <CostTable
        cost={cost.data}
        times={times}
        later={next !== undefined && later.data !== undefined ? { cost: later.data, price: next } : undefined}
      />
    </div>
  );
}

interface CostTableProps {
  readonly cost: UsageCost;
  readonly times: string;
  readonly later: { readonly cost: UsageCost; readonly price: AdminPrice } | undefined;
}

/** How a cost adds up, and what it would be under the next price. */
function CostTable({ cost, times, later }: CostTableProps) {
  const isSeveral = !["", "1"].includes(times.trim());
  if (cost.creditCurrencyKey === null) {
    return <p className="small quiet">Recorded only; no credits are debited.</p>;
  }
  const sum = (name: ReactNode, credits: string) => (
    <tr>
      <th scope="row" colSpan={2}>
        {name}
      </th>
      <td className="p1" />
      <td className="r">{credits}</td>
    </tr>
  );
  return (
    <Table
      caption="How the cost adds up, in credits"
      rows={cost.parts}
      idOf={({ component, unit }) => `${component} ${unit}`}
      columns={(column) => [
        column("Part", { isName: true }, (part) => wordsOf(part).name),
        column("Amount", { isNumber: true }, amountOf),
        column(
          "Price",
          {
            isNumber: true,
            from: 1,
            look: "quiet",
            title: ({ isRateOfTotal }) => (isRateOfTotal ? "No separate price" : undefined),
          },
          (part) => (part.rate === null ? "no price" : `${formatRate(part.rate)} ${wordsOf(part).per}`),
        ),
        column("Credits", { isNumber: true }, ({ credits }) => <Amount of={credits} />),
      ]}
      foot={
        (isSeveral || later !== undefined) && (
          <>
            {isSeveral && sum("Each", formatCredits(cost.credits))}
            {later !== undefined &&
              sum(
                `Under v${later.price.version}, from ${formatDay(later.price.validFrom)}`,
                creditsTimes(later.cost.credits, times),
              )}
          </>
        )
      }
    />
  );
}

function wordsOf({ component, unit }: UsageCostPart): { readonly name: string; readonly per: string } {
  return isComponent(component) ? componentWords[component] : { name: unit ?? component, per: "each" };
}

function amountOf({ component, quantity }: UsageCostPart): string {
  const unit = { perAudioMinute: " s", perCallMinute: " min" }[component] ?? "";
  return formatQuantity(quantity) + unit;
}

/** With all its decimals, and no others. */
function formatQuantity(quantity: string): string {
  return quantity.includes(".") ? quantity : formatRate(quantity).replace(/\.00$/, "");
}
