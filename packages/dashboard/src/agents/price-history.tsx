import type { AdminPrice } from "@creditgate/client/admin";
import type { ReactNode } from "react";
import { actorName } from "../parts/actor.ts";
import { Badge } from "../parts/badge.tsx";
import { Icon } from "../parts/icon.tsx";
import { Day, formatExact } from "../parts/time.tsx";
import { describeSpan, type PlacedPrice, placePrices } from "./price-versions.ts";
import { RateText } from "./rate-cell.tsx";
import { type Component, compareRates, rateInForce } from "./rates.ts";
import { changesOf } from "./terms-change.tsx";

const columns = [
  ["perEvent", "Event", ""],
  ["perThousandInputTokens", "Input", ""],
  ["perThousandOutputTokens", "Output", ""],
  ["perThousandCachedTokens", "Cached", " p1"],
] as const satisfies readonly (readonly [Component, string, string])[];

/** All versions of a price, the last to hold first; what has changed stands out. */
export function PriceHistory({
  versions,
  isWhole,
}: {
  readonly versions: readonly AdminPrice[];
  /** Whether the first version is among them. */
  readonly isWhole: boolean;
}): ReactNode {
  const placed = placePrices(versions);
  return (
    <table>
      <caption className="unseen">Versions of the price, the last to hold first, in credits</caption>
      <thead>
        <tr>
          <th scope="col">Version</th>
          <th scope="col">In force</th>
          {columns.map(([component, name, className]) => (
            <th key={component} scope="col" className={`r${className}`}>
              {name}
            </th>
          ))}
          <th scope="col" className="p2">
            Changed by
          </th>
        </tr>
      </thead>
      <tbody>
        {placed.map((one, index) => (
          <Row key={one.price.version} placed={one} isFirst={isWhole && index === placed.length - 1} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ placed, isFirst }: { readonly placed: PlacedPrice; readonly isFirst: boolean }): ReactNode {
  const { price, before, until } = placed;
  const others = isFirst || before === undefined ? "" : otherChanges(before, price);
  return (
    <tr>
      <th scope="row">
        v{price.version}{" "}
        <span className="p1i">
          <State state={placed.state} />
        </span>
        {others !== "" && <span className="sub">{others}</span>}
      </th>
      <td title={`${formatExact(price.validFrom)}${until === undefined ? "" : ` to ${formatExact(until)}`}`}>
        {describeSpan(placed)}
      </td>
      {columns.map(([component, , className]) => (
        <td key={component} className={`r${className}`}>
          {price.billing === "CREDITS" ? (
            <Rate price={price} before={before} component={component} />
          ) : (
            <span className="zero">–</span>
          )}
        </td>
      ))}
      <td className="p2 quiet">
        {actorName(price.setBy)}
        {price.setAt !== null && (
          <>
            {price.setBy === null ? "" : ", "}
            <Day at={price.setAt} />
          </>
        )}
      </td>
    </tr>
  );
}

function State({ state }: { readonly state: PlacedPrice["state"] }): ReactNode {
  if (state === "in force") {
    return (
      <Badge tone="good" icon="check">
        In force
      </Badge>
    );
  }
  if (state === "planned") {
    return (
      <Badge tone="line" icon="clock">
        Planned
      </Badge>
    );
  }
  return state === "replaced" ? <Badge>Replaced</Badge> : null;
}

function Rate({
  price,
  before,
  component,
}: {
  readonly price: AdminPrice;
  readonly before: AdminPrice | undefined;
  readonly component: Component;
}): ReactNode {
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
    .filter(({ name }) => !shown.test(name))
    .map((change) => `${change.name}: ${change.before ?? "none"} → ${change.after ?? "none"}`)
    .join("; ");
}
