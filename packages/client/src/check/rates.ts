import type { OpenRecord } from "../contract/fields.ts";
import { type UsagePart, usageParts } from "../contract/usage-fields.ts";
import type { PricedUsage } from "./finding.ts";

/** Credits for an event, and for one of each count. */
export interface Rates {
  readonly event: number;
  readonly input: number;
  readonly output: number;
  /** A part that has no rate costs what its total does, and is not here. */
  readonly parts: { readonly [Part in UsagePart]?: number };
}

/** What the control plane calls the rates of the parts, and how many one of them is. */
const names: Readonly<Record<UsagePart, readonly [name: string, per: number]>> = {
  cachedInputTokens: ["perThousandCachedTokens", 1_000],
  cacheWriteTokens: ["perThousandCacheWriteTokens", 1_000],
  audioInputTokens: ["perThousandAudioInputTokens", 1_000],
  reasoningTokens: ["perThousandReasoningTokens", 1_000],
  audioOutputTokens: ["perThousandAudioOutputTokens", 1_000],
  images: ["perImage", 1],
  seconds: ["perAudioMinute", 60],
  characters: ["perThousandCharacters", 1_000],
  requests: ["perRequest", 1],
};

/** The parts, each with its total. */
export const parts = Object.entries(usageParts) as readonly (readonly [UsagePart, Total | null])[];

type Total = "inputTokens" | "outputTokens";

/** The rates of a price, as far as the service takes what they are for. */
export function ratesOf(price: OpenRecord, taken: ReadonlySet<string> | undefined): Rates {
  const rate = (name: string): number => (Object.hasOwn(price, name) ? Number(price[name]) || 0 : 0);
  const priced = parts.filter(([part]) => taken?.has(part) === true && Object.hasOwn(price, names[part][0]));
  return {
    event: rate("perEvent"),
    input: rate("perThousandInputTokens") / 1_000,
    output: rate("perThousandOutputTokens") / 1_000,
    parts: Object.fromEntries(priced.map(([part]) => [part, rate(names[part][0]) / names[part][1]])),
  };
}

/** What the service debits for a usage whose parts have nothing in common. */
export function costOf(rates: Rates, usage: PricedUsage): number {
  const { inputTokens = 0, outputTokens = 0 } = usage;
  let cost = rates.event + rates.input * inputTokens + rates.output * outputTokens;
  for (const [part, total] of parts) cost += (rates.parts[part] ?? rateOf(rates, total)) * (usage[part] ?? 0);
  for (const [part, total] of parts) cost -= rateOf(rates, total) * (usage[part] ?? 0);
  return Number(cost.toFixed(6));
}

/** The rate of a total; a count of its own has none. */
export function rateOf({ input, output }: Rates, total: Total | null): number {
  if (total === null) return 0;
  return total === "inputTokens" ? input : output;
}

/** The higher rate of each; of a part where both have none of their own there is none. */
export function dearer(a: Rates, b: Rates): Rates {
  const priced = parts.filter(([part]) => a.parts[part] !== undefined || b.parts[part] !== undefined);
  const highest = ([part, total]: (typeof parts)[number]) =>
    [part, Math.max(a.parts[part] ?? rateOf(a, total), b.parts[part] ?? rateOf(b, total))] as const;
  return {
    event: Math.max(a.event, b.event),
    input: Math.max(a.input, b.input),
    output: Math.max(a.output, b.output),
    parts: Object.fromEntries(priced.map(highest)),
  };
}
