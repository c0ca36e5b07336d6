import type { UsageSeriesAnswer } from "@creditgate/admin";
import { sumOf, toMicro } from "../parts/amounts.ts";
import { visible } from "../parts/visible.ts";

/** A band of the chart: the usage of one agent or customer, or of all others. */
export interface Band {
  readonly key: string;
  readonly name: string;
  /** The class of its colour. */
  readonly look: "k1" | "k2" | "k3" | "k4";
  /** In micro-credits, as the values. */
  readonly credits: bigint;
  readonly values: readonly bigint[];
}

const looks = ["k1", "k2", "k3", "k4"] as const;

/** Four bands at most: what does not stand by itself is in the last one. */
export function bandsOf({ series, others, by }: UsageSeriesAnswer): readonly Band[] {
  const isAll = series.length <= looks.length && others.events === 0;
  const own = isAll ? series : series.slice(0, looks.length - 1);
  const rest = isAll ? [] : [...series.slice(looks.length - 1), others];
  const bands = own.map(({ id, name, credits, values }) => ({
    ...{ key: `=${id}`, name, credits: toMicro(credits) },
    values: values.map(toMicro),
  }));
  if (rest.length > 0) {
    const name = by === "agent" ? "Other agents" : "Other customers";
    const values = others.values.map((_, index) => sumOf(rest.map((one) => toMicro(one.values[index] ?? 0))));
    bands.push({ key: "others", name, credits: sumOf(rest.map(({ credits }) => toMicro(credits))), values });
  }
  return bands.map((band, index) => ({ ...band, look: looks[index] ?? "k4" }));
}

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: "UTC" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const weekday = new Intl.DateTimeFormat("en-GB", {
  ...{ weekday: "short", day: "numeric", month: "short", timeZone: "UTC" },
});
const hour = new Intl.DateTimeFormat("en-GB", {
  ...{ day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", timeZone: "UTC" },
});

/** The beginning of an hour or a day, as it stands at an axis; alone, with what the axis would tell. */
export function describeTime(time: string, unit: string, isAlone = false): string {
  const format = unit === "hour" ? (isAlone ? hour : clock) : isAlone ? weekday : day;
  return format.format(new Date(time));
}

/** Whole weeks, and parts of a day. */
const steps: Readonly<Record<string, readonly number[]>> = { day: [1, 2, 7, 14, 28], hour: [1, 2, 3, 6, 12] };

/** Every how many bars one has its time below it, so that the texts do not touch. */
export function tickEvery(unit: string, bars: number, room: number): number {
  return steps[unit]?.find((step) => bars / step <= room) ?? bars;
}

/** SVG does not cut text that has no room. */
export function shortened(name: string, most = 17): string {
  const shown = visible(name);
  const letters = [...shown];
  return letters.length <= most ? shown : `${letters.slice(0, most - 1).join("")}…`;
}
