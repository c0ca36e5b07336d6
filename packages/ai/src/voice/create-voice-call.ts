import type { Charge } from "@creditgate/core";
import { within } from "@creditgate/core/adapter";
import { OpenVoiceCall } from "./open-voice-call.ts";
import type { UnopenedCall, VoiceDecision } from "./voice-call.ts";
import { VoiceMeter } from "./voice-meter.ts";
import { type VoiceCallOptions, type VoiceSettings, voiceSettings } from "./voice-options.ts";
import { postOf, type VoicePost } from "./voice-post.ts";
import { VoicePosts } from "./voice-posts.ts";
import { voiceCost } from "./voice-prices.ts";

/**
 * Opens a voice call (API 4.6), in the order of the API: creates or gets its customer, has the gate decide on what its first minutes may
 * cost, and opens its session. Resolves with the call, or with why there is none. Rejects with an `invalid_option` error for misuse, with
 * the error of the client where the service refuses the customer or the session as such (an agent that it does not know, a `sessionId` that has
 * been used), and with the reason of `signal` where that fires meanwhile. Where there is no call nothing is held, and nothing is billed.
 */
export async function createVoiceCall(options: VoiceCallOptions): Promise<VoiceDecision> {
  const settings = voiceSettings(options);
  const { gate, customer, agentId, indicator, sessionId, prices, hold, unopened, signal } = settings;
  signal?.throwIfAborted();
  const meter = new VoiceMeter();
  const posts = new VoicePosts({
    ...settings,
    next: () => meter.take().map((part) => postOf(part, sessionId)),
  });
  let charge: Charge | undefined;
  const giveUp = () => {
    posts.stop();
    charge?.release();
  };
  try {
    const isKnown = await isTaken(
      { kind: "customer", idempotencyKey: key(), body: customer },
      posts,
      settings,
    );
    const customerId = customer.externalId;
    const first = voiceCost(prices, { callMinutes: 0, parts: [] });
    const most = first + hold.reserve + hold.ahead;
    const decision = await gate.authorize({ customerId, agentId, indicator, hold: most });
    if (!decision.allowed) {
      giveUp();
      return decision;
    }
    charge = decision.charge;
    signal?.throwIfAborted();
    const body = { sessionId, agentId, customerId };
    const session: VoicePost = { kind: "session", idempotencyKey: key(), body };
    // Behind a customer that the service has not taken it waits its turn.
    if (!isKnown) void posts.add(session);
    const isOpen = isKnown && (await isTaken(session, posts, settings));
    const mayStart = unopened === "start" || (unopened === undefined && decision.trace.mode === "observe");
    if (isOpen || mayStart)
      return { allowed: true, call: new OpenVoiceCall({ settings, charge, meter, posts }) };
    giveUp();
    return { allowed: false, denial: sessionUnopened };
  } catch (error) {
    giveUp();
    throw error;
  }
}

const sessionUnopened: UnopenedCall = {
  code: "session_unopened",
  status: 503,
  title: "The call cannot be billed at the moment",
  retryable: true,
  retryAfter: 1,
};

function key(): string {
  return crypto.randomUUID();
}

/** Whether the service has it in time. Rejects where it refuses it, and where the signal fires. */
async function isTaken(
  post: VoicePost,
  posts: VoicePosts,
  { clock, openMs, signal }: VoiceSettings,
): Promise<boolean> {
  const ended = posts.add(post).then((end) => ({ end }));
  const inTime = await unlessAborted(within(ended, openMs, clock), signal);
  if (inTime?.end !== undefined) throw inTime.end.error;
  return inTime !== undefined;
}

function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
