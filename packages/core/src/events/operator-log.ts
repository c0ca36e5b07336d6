import { type CreditgateError, isCreditgateError, oneLine } from "@creditgate/client";
import { addressAdvice, advice, deadNames, duplicateLine, meanings, wordsOf } from "#operator-words";
import { lastingTroubles } from "#outbox-support";
import type { Clock } from "../values/clock.ts";
import type { GateEventMap } from "./events.ts";
import type { OperatorWords } from "./operator-words/operator-words.ts";

/** Takes the lines that an operator must read; `console` is one. */
export interface Logger {
  error(message: string): void;
}

/** What is wrong, and what to do about it. */
interface Trouble {
  /** Lines of one kind say the same; a line of none is said each time. */
  readonly kind?: string;
  readonly line: string;
}

const hourMs = 3_600_000;
/** More kinds than there are: bounds the memory, whatever a service answers. */
const mostKinds = 100;
const mostCharacters = 800;

/** Says what no listener hears and an operator must know: in one line, once for each kind and hour. */
export class OperatorLog {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #saidAt = new Map<string, number>();

  constructor(clock: Clock, logger: Logger) {
    this.#clock = clock;
    this.#logger = logger;
  }

  say<Name extends keyof GateEventMap>(name: Name, event: GateEventMap[Name]): void {
    const trouble = troubles[name]?.(event);
    if (trouble === undefined || !this.#isNews(trouble)) return;
    try {
      this.#logger.error(oneLine(`creditgate: ${trouble.line}`, mostCharacters));
    } catch {
      // The work of the gate must go on.
    }
  }

  #isNews({ kind }: Trouble): boolean {
    if (kind === undefined) return true;
    const now = this.#clock.now();
    const before = this.#saidAt.get(kind);
    if (before !== undefined && now - before < hourMs) return false;
    if (this.#saidAt.size >= mostKinds) this.#saidAt.clear();
    this.#saidAt.set(kind, now);
    return true;
  }
}

/** By event, what an operator must know of it. */
export type Troubles = {
  readonly [Name in keyof GateEventMap]?: (event: GateEventMap[Name]) => Trouble | undefined;
};

const troubles: Troubles = {
  dead: ({ report, error }) => ({
    kind: `dead ${reasonOf(error)}`,
    line: lineOf("dead", error, deadNames(report)),
  }),
  parked: ({ error }) => ({ kind: "parked", line: lineOf("parked", error) }),
  undelivered: ({ reports: { length }, error }) => ({
    line: `${length === 1 ? "1 usage report will not be delivered, and is" : `${length} usage reports will not be delivered, and are`} lost with this process: ${wordsOf(error)}${advice.undelivered ?? ""}`,
  }),
  duplicate: (event) => ({ kind: `${event.what} ${event.indicator}`, line: duplicateLine(event) }),
  ...lastingTroubles,
  degraded: ({ what, error }) => degradation(what, error),
};

function lineOf(what: keyof OperatorWords, error: unknown, names = ""): string {
  return `${meanings[what] ?? what}${names}: ${wordsOf(error)}${advice[what] ?? ""}`;
}

function degradation(what: GateEventMap["degraded"]["what"], error: unknown): Trouble {
  const line = lineOf(what, error);
  if (!isCreditgateError(error)) return { kind: `${what} ${codeOf(error)}`, line };
  if (!isRefusedKey(error)) return { kind: `${what} ${reasonOf(error)}`, line: line + addressAdvice(error) };
  return { kind: "key", line: `${line}${advice.key ?? ""}` };
}

/** A service that refuses one customer may say so with a 403 too. */
function isRefusedKey({ status, problem }: CreditgateError): boolean {
  return status === 401 || (status === 403 && !`${problem?.code}`.startsWith("customer_"));
}

function reasonOf(error: unknown): string {
  if (!isCreditgateError(error)) return "";
  // The name of an option is the beginning of its message.
  if (error.code === "invalid_option") return error.message.split(":", 1).join();
  return String(error.problem?.code ?? error.status ?? error.code);
}

/** As errors of Node, of databases and of our stores have one. */
function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
