import type { AdminPrice } from "@creditgate/admin";
import { Badge } from "../parts/badge.tsx";
import { actorName } from "../parts/changes.ts";
import { Icon } from "../parts/icon.tsx";
import { None, Table } from "../parts/table.tsx";
import { Day, formatExact } from "../parts/time.tsx";
import { describeSpan, type PlacedPrice, placePrices } from "./price-versions.ts";
import { RateText } from "./rate-cell.tsx";
import { type Component, compareRates, rateInForce } from "./rates.ts";
import { changesOf } from "./terms-change.tsx";

const shownRates = [
  ["perEvent", "Event"],
  ["perThousandInputTokens", "Input"],
  ["perThousandOutputTokens", "Output"],
  ["perThousandCachedTokens", "Cached", { from: 1 }],
] as const satisfies readonly (readonly [Component, string, { readonly from: 1 }?])[];

/** All versions of a price, the last to hold first; changes stand out. */
export function PriceHistory({
  versions,
  isWhole,
}: {
  readonly versions: readonly AdminPrice[];
  /** Whether the first version is among them. */
  readonly isWhole: boolean;
}) {
  const placed = placePrices(versions);
  return (
    <Table
      caption="Versions of the price, the last to hold first, in credits"
      rows={placed}
      idOf={({ price }) => price.version}
      columns={(column) => [
        column("Version", { isName: true }, (one) => (
          <Version placed={one} isFirst={isWhole && one === placed.at(-1)} />
        )),
        column(
          "Effective",
          {
            title: ({ price, until }) =>
              `${formatExact(price.validFrom)}${until === undefined ? "" : ` to ${formatExact(until)}`}`,
          },
          describeSpan,
        ),
        ...shownRates.map(([component, header, look]) =>
          column(header, { isNumber: true, ...look }, ({ price, before }) =>
            price.billing === "CREDITS" ? (
              <Rate price={price} before={before} component={component} />
            ) : (
              <None>–</None>
            ),
          ),
        ),
        column("Changed by", { from: 2, look: "quiet" }, ({ price: { setBy, setAt } }) => (
          <>
            {actorName(setBy)}
            {setAt !== null && (
              <>
                {setBy === null ? "" : ", "}
                <Day at={setAt} />
              </>
            )}
          </>
        )),
      ]}
    />
  );
}

function Version({ placed: { price, before, state }, isFirst }: { placed: PlacedPrice; isFirst: boolean }) {
  const others = isFirst || before === undefined ? "" : otherChanges(before, price);
  return (
    <>
      v{price.version}{" "}
      <span className="p1i">
        <State state={state} />
      </span>
      {others !== "" && <span className="sub">{others}</span>}
    </>
  );
}

function State({ state }: { readonly state: PlacedPrice["state"] }) {
  if (state === "current") return <Badge tone="good">Current</Badge>;
  if (state === "replaced") return <Badge>Replaced</Badge>;
  if (state === "past") return null;
  return (
    <Badge tone="line" icon="clock">
      Scheduled
    </Badge>
  );
}

interface RateProps {
  readonly price: AdminPrice;
  readonly before: AdminPrice | undefined;
  readonly component: Component;
}

function Rate({ price, before, component }: RateProps) {
  const text = <RateText price={price.price} component={component} />;
  if (before === undefined || before.billing !== "CREDITS") return text;
  const difference = compareRates(
    rateInForce(price.price, component).text,
    rateInForce(before.price, component).text,
  );
  if (difference === 0) return text;
  return (
    <>
      <Icon name={difference > 0 ? "higher" : "lower"} className="mini" />
      <span className="unseen">{difference > 0 ? "raised to" : "lowered to"}</span> <b>{text}</b>
    </>
  );
}

/** What has changed and has no column. */
function otherChanges(before: AdminPrice, after: AdminPrice): string {
  const shown = /^(Event|Input tokens|Output tokens|Cached tokens), /;
  return changesOf(before, after)
    .filter(({ field }) => !shown.test(field))
    .map((change) => `${change.field}: ${change.before ?? "none"} → ${change.after ?? "none"}`)
    .join("; ");
}
