import type { Selectable } from "kysely";
import type { DatabaseTransaction } from "../database/connection.ts";
import type { VoiceUsageTable } from "../database/tables.ts";
import { type Decimal, parseDecimal } from "../money/decimal.ts";
import { type IndicatorKey, termsBetween, termsInForce } from "../pricing/prices.ts";
import { amountOf, type Charge, type Quantity, whole } from "../pricing/pricing.ts";
import { type DatedTerms, priceFor, termsAt } from "../pricing/terms.ts";

type Part = Selectable<VoiceUsageTable>;

export interface CallPrice {
  /** None where the billing mode is not CREDITS. */
  readonly currency: string | null;
  readonly amount: bigint;
}

/**
 * What a call costs that ends now: the call and its minutes as of now, and each tracked part as of when it was
 * received; only the parts without a duration. `undefined` if there is no such indicator.
 */
export async function priceCall(
  transaction: DatabaseTransaction,
  key: IndicatorKey,
  { sessionId, totalDuration }: { readonly sessionId: string; readonly totalDuration: number | undefined },
  now: Date,
): Promise<CallPrice | undefined> {
  const terms = await termsInForce(transaction, key, now);
  if (terms === undefined) return undefined;
  if (terms.billing !== "CREDITS") return { currency: null, amount: 0n };
  const parts = await transaction
    .selectFrom("voice_usage")
    .selectAll()
    .where("org_id", "=", key.orgId)
    .where("session_id", "=", sessionId)
    .execute();
  const from = parts.reduce((first, { received_at }) => (received_at < first ? received_at : first), now);
  const versions = await termsBetween(transaction, key, { from, to: now });
  const call: readonly Charge[] =
    totalDuration === undefined
      ? []
      : [{ price: terms.price, quantity: { perEvent: whole(1), perCallMinute: minutes(totalDuration) } }];
  const charges = parts.map((part): Charge => {
    const price = priceFor(termsOfPart(versions, part.received_at, terms), originOf(part));
    return { price, quantity: quantityOf(part) };
  });
  return { currency: terms.currency, amount: amountOf([...call, ...charges]) };
}

/** Minutes as a decimal, by the text that denotes them. */
export function minutes(value: number | string): Decimal {
  const decimal = parseDecimal(value);
  if (decimal === undefined) throw new RangeError(`expected minutes, received ${value}`);
  return decimal;
}

/** Credits of another currency cannot be added to those of the call: its own terms hold then. */
function termsOfPart(versions: readonly DatedTerms[], receivedAt: Date, call: DatedTerms): DatedTerms {
  const terms = termsAt(versions, receivedAt);
  return terms?.billing === call.billing && terms.currency === call.currency ? terms : call;
}

function originOf({ provider, model, plan }: Part) {
  return { provider: provider ?? undefined, model: model ?? undefined, plan: plan ?? undefined };
}

/** Cached tokens are a part of the prompt; those that a caller counts beside it count all the same. */
function quantityOf(part: Part): Quantity {
  switch (part.kind) {
    case "stt":
      return { perAudioMinute: minutes(part.audio_minutes ?? "0") };
    case "llm": {
      const { prompt_tokens, completion_tokens, cached_tokens } = part;
      const [prompt, cached] = [prompt_tokens ?? 0n, cached_tokens ?? 0n];
      return {
        perThousandInputTokens: whole(cached < prompt ? prompt - cached : 0n),
        perThousandCachedTokens: whole(cached),
        perThousandOutputTokens: whole(completion_tokens ?? 0n),
      };
    }
    case "tts":
      return { perThousandCharacters: whole(part.characters ?? 0n) };
  }
}
