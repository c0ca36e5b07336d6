import { invalidOption } from "@creditgate/core";
import type { MeteredCharge } from "../call/metering-options.ts";
import { noteOnce } from "../call/notes.ts";
import type { Prompt } from "../call/prompt.ts";
import { Budget, type FundedCharge, type Reservation } from "../hold/budget.ts";
import { checkMargin, checkMaximum, estimatedInput, thinkingIn } from "../hold/call-size.ts";
import { InsufficientCredits } from "../hold/insufficient-credits.ts";
import { affordableTokens, worstCost } from "../hold/worst-cost.ts";
import type { Prices } from "../price/prices.ts";
import type { Fields } from "../usage/fields.ts";
import type { ModelMeteringOptions } from "./model-options.ts";

/** A request that its work can pay for, and from what. */
export interface FundedRequest {
  readonly request: Fields;
  readonly reservation: Reservation | undefined;
}

interface AskedModel {
  readonly provider: string;
  readonly model: string;
  readonly prompt: () => Prompt;
  /** It writes nothing. */
  readonly isEmbedding: boolean;
}

/** Below it a provider refuses the call: OpenAI's Responses do. */
const leastTokens = 16;

/**
 * The request, shortened where it has to be, with what it may cost reserved. Throws {@link InsufficientCredits} for one that cannot be paid,
 * and an `invalid_option` error for one without a maximum.
 */
export async function fundedRequest(
  request: Fields,
  credits: MeteredCharge,
  options: ModelMeteringOptions,
  asked: AskedModel,
): Promise<FundedRequest> {
  const {
    prices = noPrices,
    clamp = false,
    extend = true,
    minOutputTokens = leastTokens,
    countTokens,
  } = options;
  const { provider, model } = asked;
  const margin = checkMargin(options.margin);
  const counting = countTokens === undefined ? {} : { countTokens };
  const inputTokens = estimatedInput(asked.prompt(), { provider, model, margin, ...counting });
  const call = { provider, model, inputTokens };
  const { most, thinking } = asked.isEmbedding ? nothing : lengthOf(request, options);
  const cost = worstCost(prices, call, most + thinking);
  if (cost === undefined) {
    // The work must not fail for want of a price: it is held for as a whole.
    noteOnce(options, `${provider} ${model} has no price, so its calls are made without a hold of their own`);
    return { request, reservation: undefined };
  }
  const least = clamp ? (worstCost(prices, call, Math.min(most, minOutputTokens) + thinking) ?? cost) : cost;
  const reserved = await Budget.of(fundedCharge(credits)).reserve({ most: cost, least, extends: extend });
  if (!reserved.reserved) {
    throw new InsufficientCredits(
      `a call of ${provider} ${model}`,
      least,
      reserved.available,
      reserved.denial,
    );
  }
  const { reservation } = reserved;
  if (reservation.credits >= cost) return { request: withMost(request, most, asked), reservation };
  const tokens = affordableTokens(prices, call, reservation.credits, most + thinking) - thinking;
  return { request: withMost(request, tokens, asked), reservation };
}

const nothing = { most: 0, thinking: 0 };
const noPrices: Prices = () => undefined;

/** The most that it may write, and what the AI SDK adds to that. */
function lengthOf(
  request: Fields,
  options: ModelMeteringOptions,
): { readonly most: number; readonly thinking: number } {
  const asked = request.maxOutputTokens ?? options.maxOutputTokens;
  return { most: checkMaximum("maxOutputTokens", asked), thinking: thinkingIn(request) };
}

function withMost(request: Fields, maxOutputTokens: number, { isEmbedding }: AskedModel): Fields {
  return isEmbedding ? request : { ...request, maxOutputTokens };
}

function fundedCharge(credits: MeteredCharge): FundedCharge {
  const { extend } = credits;
  if (typeof extend !== "function") invalidOption("credits", "a charge with held and extend()", credits);
  return credits as FundedCharge;
}
