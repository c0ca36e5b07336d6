import type { Rate, Rates } from "@creditgate/admin";
import { toMicro } from "../parts/amounts.ts";

/** What has a rate, but for units with names of one's own. */
export type Component = Exclude<keyof Rates, "perUnit">;

interface Words {
  /** What is counted: "Input tokens". */
  readonly name: string;
  /** Of how many the rate is: "per 1,000". */
  readonly per: string;
}

/** In the order in which prices are shown. */
export const componentWords: Readonly<Record<Component, Words>> = {
  perEvent: { name: "Event", per: "each" },
  perThousandInputTokens: { name: "Input tokens", per: "per 1,000" },
  perThousandOutputTokens: { name: "Output tokens", per: "per 1,000" },
  perThousandCachedTokens: { name: "Cached tokens", per: "per 1,000" },
  perThousandCacheWriteTokens: { name: "Cache write tokens", per: "per 1,000" },
  perThousandReasoningTokens: { name: "Reasoning tokens", per: "per 1,000" },
  perThousandAudioInputTokens: { name: "Audio input tokens", per: "per 1,000" },
  perThousandAudioOutputTokens: { name: "Audio output tokens", per: "per 1,000" },
  perImage: { name: "Images", per: "each" },
  perAudioMinute: { name: "Audio input", per: "per minute" },
  perThousandCharacters: { name: "Characters spoken", per: "per 1,000" },
  perRequest: { name: "Requests", per: "each" },
  perCallMinute: { name: "Voice call", per: "per minute" },
};

export const components: readonly Component[] = Object.keys(componentWords).filter(isComponent);

export function isComponent(name: string): name is Component {
  return Object.hasOwn(componentWords, name);
}

/** The tokens that a part without a rate costs as much as. */
export const totals: { readonly [Of in Component]?: Component } = {
  perThousandCachedTokens: "perThousandInputTokens",
  perThousandCacheWriteTokens: "perThousandInputTokens",
  perThousandAudioInputTokens: "perThousandInputTokens",
  perThousandReasoningTokens: "perThousandOutputTokens",
  perThousandAudioOutputTokens: "perThousandOutputTokens",
};

/** A rate as it holds: 0 where there is none, but for a part of the tokens, which then costs what they do. */
interface RateInForce {
  readonly text: string;
  readonly isOfTotal: boolean;
}

export function rateInForce(price: Rates, component: Component): RateInForce {
  const total = totals[component];
  const own = price[component];
  if (own !== undefined) return { text: String(own), isOfTotal: false };
  const ofTotal = total && price[total];
  return ofTotal === undefined ? { text: "0", isOfTotal: false } : { text: String(ofTotal), isOfTotal: true };
}

/** Two decimals, and more where there are more: no digit is lost, however many there are. */
export function formatRate(rate: Rate): string {
  const [whole = "0", fraction = ""] = String(rate).split(".");
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ",")}.${fraction.padEnd(2, "0")}`;
}

/** Whether it is nothing, however it is written. */
export function isZero(rate: Rate): boolean {
  return /^[0.]*$/.test(String(rate));
}

/** A rate of a price by itself, with the name of what it is for. */
interface NamedRate {
  readonly name: string;
  readonly per: string;
  readonly rate: string;
}

/** All rates of a price, in one order. */
export function namedRates({ perUnit = {}, ...price }: Rates): readonly NamedRate[] {
  const counted = components.flatMap((component) => {
    const rate = price[component];
    return rate === undefined ? [] : [{ ...componentWords[component], rate: String(rate) }];
  });
  const units = Object.entries(perUnit).map(([name, rate]) => ({ name, per: "each", rate: String(rate) }));
  return [...counted, ...units];
}

/** The price in a line: "1.00 per event, 0.50 per 1,000 input tokens". */
export function describePrice(price: Rates): string {
  return namedRates(price)
    .map(({ name, per, rate }) => {
      const what = name === componentWords.perEvent.name ? "per event" : `${per} ${name.toLowerCase()}`;
      return `${formatRate(rate)} ${what}`;
    })
    .join(", ");
}

/** How much lower or higher a rate is: -1, 0 or 1. Exact, also beyond what a number holds. */
export function compareRates(a: Rate, b: Rate): number {
  const [x, y] = [a, b].map((rate) => {
    const [whole = "0", fraction = ""] = String(rate).split(".");
    return BigInt(whole + fraction.padEnd(15, "0").slice(0, 15));
  });
  if (x === undefined || y === undefined || x === y) return 0;
  return x < y ? -1 : 1;
}

/** What a number of uses cost: each is rounded by itself, as each is billed by itself. Exact, however many. */
export function creditsTimes(credits: number, times: string): string {
  const micro = toMicro(credits) * BigInt(times.trim().replaceAll(",", "") || "1");
  const text = micro.toString().padStart(7, "0");
  return formatRate(`${text.slice(0, -6)}.${text.slice(-6).replace(/0+$/, "")}`);
}
