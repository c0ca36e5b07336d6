import type { Charge, Clock } from "@creditgate/core";
import { checkNames, invalidOption } from "@creditgate/core/adapter";
import type { Prices } from "../price/prices.ts";
import type { ModelUsage } from "../usage/model-usage.ts";

/** What of a charge metering uses: `credits` of a handler, or the `charge` of a decision; with `prices`, what is held too. */
export type MeteredCharge = Pick<Charge, "report" | "signal" | "beforeBill"> &
  Partial<Pick<Charge, "held" | "extend">>;

/** The charge, or what finds it at each call, such as `currentCredits` of `@creditgate/ai/node`. */
export type MeteredCredits = MeteredCharge | (() => MeteredCharge);

/** How a model call ended. `left`: its work was billed while it went on. */
export type CallEnding = "finished" | "aborted" | "failed" | "left";

/** What was billed for one model call. */
export interface MeteredCall {
  readonly usage: ModelUsage;
  readonly ending: CallEnding;
  /** The totals that the provider did not report, or not completely. */
  readonly estimated: readonly ("inputTokens" | "outputTokens")[];
  /** The provider's names of fields that held no count. */
  readonly malformed: readonly string[];
}

/** How model calls are billed. */
export interface MeteringOptions {
  /** Bills the calls as this indicator. @default that of the request */
  readonly indicator?: string;
  /** Bills the calls as this agent. @default that of the request */
  readonly agentId?: string;
  /**
   * Counts the tokens of a piece of text, of at most 512 characters, if the provider reports none. If it throws or
   * returns no count, the tokens are estimated.
   * @default an estimate by `tokenx`
   */
  readonly countTokens?: (text: string, model: string | undefined) => number;
  /**
   * Reads an aborted stream on in the background to the provider's own numbers, for at most `ms` milliseconds and
   * about `tokens` tokens.
   * @default none: the provider is stopped at once, and what it has not reported is estimated
   */
  readonly drain?: { readonly ms: number; readonly tokens: number };
  /**
   * What usage costs. Each report passes its cost to the gate's ledger, and a metered model holds the most that a
   * call may cost before it makes the call.
   * @default the gate's own `price`, and no hold for each call
   */
  readonly prices?: Prices;
  /** Called with each call that was billed. What it throws is dropped. */
  readonly onCall?: (call: MeteredCall) => void;
  /** Takes a line, once for each kind, where a finished call was estimated or a call is not metered; `false` for none. @default console */
  readonly logger?: { warn(message: string): void } | false;
  /** For tests. @default the machine's */
  readonly clock?: Pick<Clock, "schedule">;
}

/** The names of all options, for what has more of them. */
export const meteringOptionNames: Readonly<Record<keyof MeteringOptions, true>> = {
  indicator: true,
  agentId: true,
  countTokens: true,
  prices: true,
  drain: true,
  onCall: true,
  logger: true,
  clock: true,
};

/** Throws an `invalid_option` error for a charge or an option that cannot be right. */
export function checkMetering(
  credits: MeteredCredits,
  options: MeteringOptions,
  names: Readonly<Record<string, true>> = meteringOptionNames,
): void {
  if (typeof credits !== "function" && typeof credits?.report !== "function") {
    invalidOption("credits", "a charge, or a function that finds it", credits);
  }
  if (typeof options !== "object" || options === null) invalidOption("options", "an object", options);
  checkNames(options, names);
  const { countTokens, prices, drain, onCall, logger } = options;
  if (prices !== undefined && typeof prices !== "function") {
    invalidOption("prices", "a function, such as listedPrices() makes", prices);
  }
  if (countTokens !== undefined && typeof countTokens !== "function") {
    invalidOption("countTokens", "a function", countTokens);
  }
  if (onCall !== undefined && typeof onCall !== "function") invalidOption("onCall", "a function", onCall);
  if (logger !== undefined && logger !== false && typeof logger?.warn !== "function") {
    invalidOption("logger", "an object with warn(), or false", logger);
  }
  if (drain === undefined) return;
  for (const bound of ["ms", "tokens"] as const) {
    const value: unknown = drain?.[bound];
    if (typeof value !== "number" || !(value > 0 && value <= longest)) {
      invalidOption(`drain.${bound}`, "a number above 0, at most 2,147,483,647", value);
    }
  }
}

/** The charge of this call. */
export function chargeOf(credits: MeteredCredits): MeteredCharge {
  const charge = typeof credits === "function" ? credits() : credits;
  return typeof charge?.report === "function" ? charge : invalidOption("credits", "a charge", charge);
}

/** Timers of more would fire at once. */
const longest = 2_147_483_647;

const said = new Set<string>();
/** More than any application has: what grows without a bound ends a process. */
const mostSaid = 100;

/** Says it once in a process. Never throws. */
export function noteOnce({ logger = console }: Pick<MeteringOptions, "logger">, line: string): void {
  if (logger === false || said.has(line) || said.size === mostSaid) return;
  said.add(line);
  try {
    logger.warn(`creditgate: ${line}. This is logged once.`);
  } catch {
    // The model call must go on.
  }
}
