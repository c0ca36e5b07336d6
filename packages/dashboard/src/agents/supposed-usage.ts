import type { AdminPrice, Rates } from "@creditgate/admin";
import type { RawUsage } from "@creditgate/client";
import type { Component } from "./rates.ts";

type Count = Exclude<keyof RawUsage, "provider" | "model" | "plan" | "units">;

/** Something that a use has a number of. */
interface UsagePart {
  /** The field of the report; minutes of a call are in none. */
  readonly field: Count | "callMinutes";
  readonly name: string;
  readonly component: Component;
  /** Whether it is asked for whatever the price says. */
  readonly isUsual?: boolean;
}

export const usageParts: readonly UsagePart[] = [
  { field: "inputTokens", name: "Input tokens", component: "perThousandInputTokens", isUsual: true },
  { field: "outputTokens", name: "Output tokens", component: "perThousandOutputTokens", isUsual: true },
  {
    field: "cachedInputTokens",
    name: "Cached input tokens",
    component: "perThousandCachedTokens",
    isUsual: true,
  },
  {
    field: "reasoningTokens",
    name: "Reasoning tokens",
    component: "perThousandReasoningTokens",
    isUsual: true,
  },
  { field: "cacheWriteTokens", name: "Cache write tokens", component: "perThousandCacheWriteTokens" },
  { field: "audioInputTokens", name: "Audio input tokens", component: "perThousandAudioInputTokens" },
  { field: "audioOutputTokens", name: "Audio output tokens", component: "perThousandAudioOutputTokens" },
  { field: "images", name: "Images", component: "perImage" },
  { field: "seconds", name: "Audio seconds", component: "perAudioMinute" },
  { field: "characters", name: "Characters spoken", component: "perThousandCharacters" },
  { field: "requests", name: "Requests", component: "perRequest" },
  { field: "callMinutes", name: "Call minutes", component: "perCallMinute" },
];

/** The parts that a price has to do with. */
export function partsOf({ price, modelPrices }: AdminPrice): readonly UsagePart[] {
  const prices: readonly Rates[] = [price, ...modelPrices.map((own) => own.price)];
  return usageParts.filter(
    ({ component, isUsual }) => isUsual || prices.some((rates) => rates[component] !== undefined),
  );
}

/** The units that a price takes. */
export function unitsOf({ price, modelPrices }: AdminPrice): readonly string[] {
  const prices = [price, ...modelPrices.map((own) => own.price)];
  return [...new Set(prices.flatMap(({ perUnit = {} }) => Object.keys(perUnit)))];
}

/** A use as a person writes it: counts by field or unit, as text. */
export interface UsageDraft {
  readonly counts: Readonly<Record<string, string>>;
  readonly units: Readonly<Record<string, string>>;
}

/** Whether it is a count: whole, but for minutes and units. Nothing is 0. */
export function isCount(text: string, isWhole: boolean): boolean {
  const plain = text.trim();
  const pattern = isWhole ? /^\d{1,15}$/ : /^\d{1,9}(\.\d{1,6})?$/;
  return plain === "" || pattern.test(plain.replace(/^(\d{1,3})(,\d{3})+/, (all) => all.replaceAll(",", "")));
}

const plainOf = (text: string) => text.trim().replaceAll(",", "");

/** The report of it. What the price has nothing to do with is left out, as are counts that are none. */
export function reportOf(
  { counts, units }: UsageDraft,
  parts: readonly UsagePart[],
  unitNames: readonly string[],
): { readonly rawUsage: RawUsage; readonly callMinutes?: string } {
  const counted = parts.flatMap(({ field }) => {
    const text = plainOf(counts[field] ?? "");
    return field === "callMinutes" || text === "" ? [] : [[field, Number(text)] as const];
  });
  const named = unitNames.flatMap((name) => {
    const text = plainOf(units[name] ?? "");
    return text === "" ? [] : [[name, Number(text)] as const];
  });
  const callMinutes = plainOf(counts.callMinutes ?? "");
  return {
    rawUsage: {
      ...Object.fromEntries(counted),
      ...(named.length === 0 ? {} : { units: Object.fromEntries(named) }),
    },
    ...(callMinutes === "" ? {} : { callMinutes }),
  };
}
