import type { Denial } from "@creditgate/core";
import { invalidOption } from "@creditgate/core/adapter";
import { type MeteredCharge, noteOnce } from "../call/metering-options.ts";
import type { Reservation } from "../call/model-call.ts";
import type { Prompt } from "../call/prompt.ts";
import { Budget, type FundedCharge, type Wanted } from "../hold/budget.ts";
import { checkMargin, checkMaximum, estimatedInput, hasSound, thinkingIn } from "../hold/call-size.ts";
import { largestMedia } from "../hold/media-size.ts";
import { affordableTokens, worstCost } from "../hold/worst-cost.ts";
import { costOf, type Prices } from "../price/prices.ts";
import type { Fields } from "../usage/fields.ts";
import type { ModelKind, ModelMeteringOptions } from "./model-options.ts";

/** A request that its work can pay for, and from what. */
export interface FundedRequest {
  readonly request: Fields;
  readonly reservation: Reservation | undefined;
}

interface AskedModel {
  readonly provider: string;
  readonly model: string;
  readonly prompt: () => Prompt;
  readonly kind: ModelKind;
  /** The caller's. */
  readonly signal: AbortSignal | undefined;
}

/** Below it a provider refuses the call: OpenAI's Responses do. */
const leastTokens = 16;

/**
 * The request, shortened where it has to be and can be, with what it may cost reserved. Throws {@link InsufficientCredits} for one that
 * cannot be paid, and an `invalid_option` error for one without a maximum.
 */
export async function fundedRequest(
  request: Fields,
  credits: MeteredCharge,
  options: ModelMeteringOptions,
  asked: AskedModel,
): Promise<FundedRequest> {
  const { kind } = asked;
  if (kind === "image" || kind === "audio") return fundedMedia(request, credits, options, asked);
  return fundedTokens(request, credits, options, asked);
}

/** A call that may be made shorter. */
async function fundedTokens(
  request: Fields,
  credits: MeteredCharge,
  options: ModelMeteringOptions,
  asked: AskedModel,
): Promise<FundedRequest> {
  const { prices = noPrices, clamp = false, minOutputTokens = leastTokens } = options;
  const read = asked.prompt();
  const inputTokens = estimatedInput(read, sizing(options, asked));
  const call = { ...asked, inputTokens, hasSound: hasSound(read) };
  const { most, thinking } = asked.kind === "embedding" ? nothing : lengthOf(request, options);
  const cost = worstCost(prices, call, most + thinking);
  if (cost === undefined) return unfunded(request, options, `${nameOf(asked)} has no price`);
  const least = clamp ? (worstCost(prices, call, Math.min(most, minOutputTokens) + thinking) ?? cost) : cost;
  const reservation = await reserved(credits, options, asked, { most: cost, least });
  if (reservation.credits >= cost) return { request: withMost(request, most, asked), reservation };
  const tokens = affordableTokens(prices, call, reservation.credits, most + thinking) - thinking;
  return { request: withMost(request, tokens, asked), reservation };
}

/** A call that is made as it is: an image, a speech or a transcription. */
async function fundedMedia(
  request: Fields,
  credits: MeteredCharge,
  options: ModelMeteringOptions,
  asked: AskedModel,
): Promise<FundedRequest> {
  const { prices = noPrices, maxOutputTokens, audioSeconds } = options;
  const usage = largestMedia(request, { ...sizing(options, asked), maxOutputTokens, audioSeconds });
  if (usage === undefined)
    return unfunded(request, options, `the length of the audio for ${nameOf(asked)} is unknown`);
  const cost = costOf(prices, usage);
  if (cost === undefined) return unfunded(request, options, `${nameOf(asked)} has no price`);
  return { request, reservation: await reserved(credits, options, asked, { most: cost, least: cost }) };
}

function sizing({ margin, countTokens }: ModelMeteringOptions, { provider, model }: AskedModel) {
  const counting = countTokens === undefined ? {} : { countTokens };
  return { provider, model, margin: checkMargin(margin), ...counting };
}

/** The work must not fail for want of a price: it is held for as a whole. */
function unfunded(request: Fields, options: ModelMeteringOptions, why: string): FundedRequest {
  noteOnce(options, `${why}, so its calls are made without a hold of their own`);
  return { request, reservation: undefined };
}

async function reserved(
  credits: MeteredCharge,
  { extend = true, pause }: ModelMeteringOptions,
  asked: AskedModel,
  wanted: Pick<Wanted, "most" | "least">,
): Promise<Reservation> {
  const waits = pause && { ...pause, signal: asked.signal };
  const answer = await Budget.of(fundedCharge(credits)).reserve({ ...wanted, extends: extend, pause: waits });
  if (answer.reserved) return answer.reservation;
  const { available, denial } = answer;
  throw new InsufficientCredits(`a call of ${nameOf(asked)}`, wanted.least, available, denial);
}

function nameOf({ provider, model }: AskedModel): string {
  return `${provider} ${model}`;
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

function withMost(request: Fields, maxOutputTokens: number, { kind }: AskedModel): Fields {
  return kind === "embedding" ? request : { ...request, maxOutputTokens };
}

function fundedCharge(credits: MeteredCharge): FundedCharge {
  const { extend } = credits;
  if (typeof extend !== "function") invalidOption("credits", "a charge with held and extend()", credits);
  return credits as FundedCharge;
}

/**
 * A model call that was not made, since what is held for its work cannot pay for it and there was no more to hold. Thrown by the model,
 * so that `generateText` throws it and `streamText` has it as an `error` part. Amounts are credits.
 */
export class InsufficientCredits extends Error {
  override name = "InsufficientCredits" as const;
  readonly code = "insufficient_credits";
  /** What the call costs at least, or in all where it may not be made shorter. */
  readonly required: number;
  /** What was left of the hold. */
  readonly available: number;
  /** Why no more was held, where it was asked for. */
  readonly denial: Denial | undefined;

  constructor(what: string, required: number, available: number, denial?: Denial) {
    super(`${what} may cost ${required} credits, and ${available} are held for it`);
    this.required = required;
    this.available = available;
    this.denial = denial;
  }
}
