import { invalidOption } from "@creditgate/core/adapter";
import { checkedList, type PriceList, type Rates, roundedUp } from "../price/rates.ts";
import { type AgentLister, listOfService, type PricedWork } from "../price/service-prices.ts";
import type { VoicePart, VoiceUsage } from "./voice-usage.ts";

/** What a call has cost that has used so much, in credits; never less than the service debits, and it does not fall when a count rises. */
export type VoicePrices = (usage: VoiceUsage) => number;

/**
 * The prices of voice calls by a list, as the control plane has it: an event for the call, its minutes, and each part by its own
 * provider, model and plan. Throws an `invalid_option` error for a rate that is not known, or is no amount.
 */
export function listedVoicePrices(list: PriceList): VoicePrices {
  const { price = {}, modelPrices = [] } = checkedList(list);
  return ({ callMinutes, parts }) => {
    const call = rate(price, "perEvent") + rate(price, "perCallMinute") * callMinutes;
    return roundedUp(
      parts.reduce((sum, part) => sum + costOf(part, ratesOf(part, price, modelPrices)), call),
    );
  };
}

/**
 * The prices that the service returns for the indicator of voice calls (API 4.5), as Creditgate's control plane does.
 * They are the present ones, so request them again when they may have changed. Resolves `undefined` if the service
 * returns none; rejects as the client does.
 */
export async function serviceVoicePrices(
  client: AgentLister,
  work: Omit<PricedWork, "namedOnly">,
): Promise<VoicePrices | undefined> {
  const list = await listOfService(client, work);
  return list && listedVoicePrices(list);
}

/** What the usage costs by these prices. Throws an `invalid_option` error for what is no amount. */
export function voiceCost(prices: VoicePrices, usage: VoiceUsage): number {
  const credits = prices(usage);
  if (Number.isFinite(credits) && credits >= 0) return credits;
  return invalidOption("prices()", "a number of credits, 0 or more", credits);
}

function ratesOf(
  { provider, model, plan }: VoicePart,
  price: Rates,
  modelPrices: NonNullable<PriceList["modelPrices"]>,
): Rates {
  const ofModel = modelPrices.filter((one) => one.provider === provider && one.model === model);
  const found =
    ofModel.find((one) => one.plan !== undefined && one.plan === plan) ??
    ofModel.find((one) => one.plan === undefined);
  return { ...price, ...found?.price };
}

function costOf(part: VoicePart, rates: Rates): number {
  switch (part.kind) {
    case "stt":
      return rate(rates, "perAudioMinute") * part.audioMinutes;
    case "llm": {
      const { promptTokens, completionTokens, cachedTokens } = part;
      const input = rate(rates, "perThousandInputTokens") * (promptTokens - cachedTokens);
      const cached = rate(rates, "perThousandCachedTokens", "perThousandInputTokens") * cachedTokens;
      return (input + cached + rate(rates, "perThousandOutputTokens") * completionTokens) / 1_000;
    }
    case "tts":
      return (rate(rates, "perThousandCharacters") * part.characters) / 1_000;
  }
}

function rate(rates: Rates, name: keyof Rates, total: keyof Rates = name): number {
  return Number(rates[name] ?? rates[total] ?? 0);
}
