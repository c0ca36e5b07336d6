import type { AdminPrice } from "@creditgate/admin";
import { formatDay } from "../parts/time.tsx";

/** A version of a price in its place among the others. */
export interface PlacedPrice {
  readonly price: AdminPrice;
  /** The one that held before it, where that is loaded. */
  readonly before: AdminPrice | undefined;
  /** When the next one takes its place; `undefined` where none does. */
  readonly until: string | undefined;
  readonly state: "scheduled" | "current" | "past" | "replaced";
}

/** Versions, the last to hold first, as the service lists them. Of two for one instant the later one holds. */
export function placePrices(versions: readonly AdminPrice[]): readonly PlacedPrice[] {
  const current = versions.findIndex(({ inForce }) => inForce);
  return versions.map((price, index) => {
    const until = versions[index - 1]?.validFrom;
    const isNever = until !== undefined && until === price.validFrom;
    const state = index === current ? "current" : index < current ? "scheduled" : "past";
    return {
      price,
      before: versions[index + 1],
      until,
      state: isNever && state !== "current" ? "replaced" : state,
    };
  });
}

/** When it held, holds or will. */
export function describeSpan({ price, until, state }: PlacedPrice): string {
  const from = formatDay(price.validFrom);
  switch (state) {
    case "replaced":
      return "never";
    case "scheduled":
      return until === undefined ? `from ${from}` : `${from} to ${formatDay(until)}`;
    case "current":
      return until === undefined ? `since ${from}` : `${from} to ${formatDay(until)}`;
    case "past": {
      const to = formatDay(until ?? price.validFrom);
      return from === to ? `on ${from}` : `${from} to ${to}`;
    }
  }
}
