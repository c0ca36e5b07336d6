import type { UsageSeriesAnswer } from "@creditgate/client/admin";
import { fromMicro, toMicro } from "../parts/credits.ts";

/** A band of the chart: the usage of one agent or customer, or of all others. */
export interface Band {
  readonly key: string;
  readonly name: string;
  /** The class of its colour. */
  readonly look: "k1" | "k2" | "k3" | "k4";
  readonly credits: number;
  readonly values: readonly number[];
}

const looks = ["k1", "k2", "k3", "k4"] as const;

/** Four bands at most: what does not stand by itself is in the last one. */
export function bandsOf({ series, others, by }: UsageSeriesAnswer): readonly Band[] {
  const isAll = series.length <= looks.length && others.events === 0;
  const own = isAll ? series : series.slice(0, looks.length - 1);
  const rest = isAll ? [] : [...series.slice(looks.length - 1), others];
  const bands = own.map(({ id, name, credits, values }) => ({ key: `=${id}`, name, credits, values }));
  if (rest.length > 0) {
    const name = by === "agent" ? "Other agents" : "Other customers";
    const values = others.values.map((_, index) => sum(rest.map((one) => one.values[index] ?? 0)));
    bands.push({ key: "others", name, credits: sum(rest.map(({ credits }) => credits)), values });
  }
  return bands.map((band, index) => ({ ...band, look: looks[index] ?? "k4" }));
}

/** Of credits, as exact as they are. */
export function sum(credits: readonly number[]): number {
  return fromMicro(credits.reduce((whole, one) => whole + toMicro(one), 0));
}
