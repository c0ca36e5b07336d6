import type { Charge } from "@creditgate/core";
import { settleElsewhere } from "@creditgate/core/adapter";
import type { VoiceBill, VoiceEnding } from "./voice-call.ts";
import type { VoiceMeter } from "./voice-meter.ts";
import type { VoiceSettings } from "./voice-options.ts";
import { postOf } from "./voice-post.ts";
import type { VoicePosts } from "./voice-posts.ts";
import { voiceCost } from "./voice-prices.ts";
import { usageOf } from "./voice-usage.ts";

/** A call that was let in, and whose session is at the service, or on its way to it. */
export interface OpenedCall {
  readonly settings: VoiceSettings;
  readonly charge: Charge;
  readonly meter: VoiceMeter;
  readonly posts: VoicePosts;
}

/** How a call has ended. */
export interface EndedCall {
  readonly ending: VoiceEnding;
  readonly indicator: string;
  /** `undefined` where it was never started. */
  readonly seconds: number | undefined;
}

/** Bills a call of which nothing is measured any more: posts what is left, then the indicator. Never rejects. */
export async function billVoiceCall(opened: OpenedCall, ended: EndedCall): Promise<VoiceBill> {
  const { settings, charge, meter, posts } = opened;
  const { sessionId, prices } = settings;
  const { ending, indicator, seconds } = ended;
  const parts = meter.parts;
  if (seconds === undefined) {
    // It has cost nothing. There is no post that ends a session without a bill.
    posts.stop();
    charge.release();
    return { sessionId, indicator, ending, seconds: 0, parts, credits: 0, unposted: [] };
  }
  const usage = usageOf(seconds, parts);
  for (const part of meter.take()) void posts.add(postOf(part, sessionId));
  const body = { sessionId, indicator, totalDuration: usage.callMinutes };
  const unposted = await posts.add({ kind: "indicator", idempotencyKey: crypto.randomUUID(), body });
  const credits = costOr(charge.held, () => voiceCost(prices, usage));
  // Where the service may yet get the indicator, what is held goes on counting.
  if (unposted === undefined) await settleElsewhere(charge, credits).catch(() => {});
  log(opened);
  return { sessionId, indicator, ending, seconds, parts, credits, unposted: posts.unposted };
}

/** Prices that fail must not keep the call from its end. */
function costOr(otherwise: number, cost: () => number): number {
  try {
    return cost();
  } catch {
    return otherwise;
  }
}

function log({ settings: { logger, sessionId }, posts: { unposted } }: OpenedCall): void {
  const [first] = unposted;
  if (first === undefined || logger === false) return;
  const kinds = unposted.map(({ post }) => post.kind).join(", ");
  logger.warn(
    `creditgate: the service does not have all of voice call ${JSON.stringify(sessionId)}: ${kinds}; first, ${String(first.error)}. ` +
      "The bill has them in unposted: repeat them in this order, each under its idempotencyKey.",
  );
}
