import type { Awaitable, Clock, Denial, Gate } from "@creditgate/core";
import {
  type Ambiguous,
  checkFunction,
  checkIdentifier,
  checkNames,
  checkNumber,
  checkOneOf,
  checkShape,
  day,
  invalidOption,
  systemClock,
} from "@creditgate/core/adapter";
import { fieldsOf } from "../usage/fields.ts";
import type { VoiceCall } from "./voice-call.ts";
import type { VoiceHold } from "./voice-funds.ts";
import type { VoiceClient, VoiceCustomer } from "./voice-post.ts";
import { type VoicePrices, voiceCost } from "./voice-prices.ts";

/** Options of {@link createVoiceCall}. */
export interface VoiceCallOptions {
  /** The way to the service: what `createClient()` of `@creditgate/client` makes. */
  readonly client: VoiceClient;
  /** Decides whether the call may begin, and go on. */
  readonly gate: Pick<Gate, "authorize">;
  /** Whose call it is. The service creates a customer that it does not know. */
  readonly customer: VoiceCustomer;
  /** The voice agent. */
  readonly agentId: string;
  /** The indicator that closes the call, and by whose prices the service bills it. */
  readonly indicator: string;
  /** Unique for each call; the service takes it once. @default a random UUID */
  readonly sessionId?: string;
  /** What a call costs: `await serviceVoicePrices(client, …)`, or `listedVoicePrices(…)`. */
  readonly prices: VoicePrices;
  /** What is held beyond what the call has cost. */
  readonly hold: VoiceHold;
  /**
   * Called when the credits are exhausted, to announce that to the caller. The call ends when the promise has
   * settled, at the latest after `graceMs`; what is measured meanwhile is billed.
   * @default the call ends at once
   */
  readonly onExhausted?: (exhaustion: VoiceExhaustion) => Awaitable<void>;
  /** Milliseconds for `onExhausted`. @default 10_000 */
  readonly graceMs?: number;
  /**
   * Whether a call starts whose customer or session the service has not taken within `openMs`; its posts are then tried on, and nothing is lost
   * if they arrive later.
   * @default "start" where the gate only observes, else "refuse"
   */
  readonly unopened?: "refuse" | "start";
  /** Milliseconds that opening may take, beside the gate's decision. @default 5_000 */
  readonly openMs?: number;
  /** Ends the call: its caller has hung up. */
  readonly signal?: AbortSignal;
  /**
   * What becomes of a post of which it is not known whether it arrived: as in a gate. @default "auto"
   */
  readonly ambiguous?: Ambiguous;
  /** Takes a line for each call of which posts were given up, or whose `onExhausted` failed; `false` for none. @default console */
  readonly logger?: { warn(message: string): void } | false;
  /** For tests. @default the machine's */
  readonly clock?: Clock;
  /** For tests: a number from 0 up to 1. @default Math.random */
  readonly random?: () => number;
}

/** What is known when no more can be held for a call. */
export interface VoiceExhaustion {
  readonly call: VoiceCall;
  /** Why no more is held: 402, or 503 where the balance cannot be read. */
  readonly denial: Denial;
  /** Credits that are left for last words. */
  readonly remaining: number;
  /** Milliseconds until the call ends. */
  readonly graceMs: number;
}

/** The options that have defaults, present. */
export interface VoiceSettings
  extends Required<Omit<VoiceCallOptions, "onExhausted" | "unopened" | "signal">>,
    Pick<VoiceCallOptions, "onExhausted" | "unopened" | "signal"> {}

const names: Readonly<Record<keyof VoiceCallOptions, true>> = {
  client: true,
  gate: true,
  customer: true,
  agentId: true,
  indicator: true,
  sessionId: true,
  prices: true,
  hold: true,
  onExhausted: true,
  graceMs: true,
  unopened: true,
  openMs: true,
  signal: true,
  ambiguous: true,
  logger: true,
  clock: true,
  random: true,
};

/** The options with their defaults; throws an `invalid_option` error that names option, expected and received. */
export function voiceSettings(options: VoiceCallOptions): VoiceSettings {
  if (typeof options !== "object" || options === null) invalidOption("options", "an object", options);
  checkNames(options, names);
  const { client, gate, customer, prices, hold, onExhausted, unopened, signal, logger = console } = options;
  if (fieldsOf(client?.voice) === undefined || fieldsOf(client.customers) === undefined) {
    invalidOption("client", "a client, as createClient() makes it", client);
  }
  checkShape("gate", gate, "a gate, as createGate() makes it", ["authorize"]);
  if (fieldsOf(customer) === undefined)
    invalidOption("customer", "an object with externalId and name", customer);
  checkIdentifier("customer.externalId", customer.externalId);
  if (prices === undefined) invalidOption("prices", "what a call costs; ask serviceVoicePrices()", prices);
  voiceCost(checkFunction("prices", prices), { callMinutes: 0, parts: [] });
  if (fieldsOf(hold) === undefined) invalidOption("hold", "an object with ahead and reserve", hold);
  checkNames(hold, { ahead: true, reserve: true }, { place: "hold." });
  if (!(checkNumber("hold.ahead", hold.ahead, 0, mostHeld) > 0)) {
    invalidOption("hold.ahead", "a number above 0", hold.ahead);
  }
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    invalidOption("signal", "an AbortSignal", signal);
  }
  if (logger !== false) checkShape("logger", logger, "an object with warn(), or false", ["warn"]);
  return {
    client,
    gate,
    customer,
    agentId: checkIdentifier("agentId", options.agentId),
    indicator: checkIdentifier("indicator", options.indicator),
    sessionId: checkIdentifier("sessionId", options.sessionId ?? crypto.randomUUID()),
    prices,
    hold: { ahead: hold.ahead, reserve: checkNumber("hold.reserve", hold.reserve, 0, mostHeld) },
    ...(onExhausted !== undefined && { onExhausted: checkFunction("onExhausted", onExhausted) }),
    graceMs: checkNumber("graceMs", options.graceMs ?? 10_000, 0, day),
    ...(unopened !== undefined && { unopened: checkOneOf("unopened", unopened, ["refuse", "start"]) }),
    openMs: checkNumber("openMs", options.openMs ?? 5_000, 1, day),
    ...(signal !== undefined && { signal }),
    ambiguous: checkOneOf("ambiguous", options.ambiguous ?? "auto", ["auto", "park", "retry"]),
    logger,
    clock: checkShape("clock", options.clock ?? systemClock, "a Clock", ["now", "schedule"]),
    random: checkFunction("random", options.random ?? Math.random),
  };
}

/** More than any wallet has, and small enough that a micro-credit still counts. */
const mostHeld = 1e9;
