import { type CreditgateError, isCreditgateError, oneLine } from "@creditgate/client";
import {
  addressAdvice,
  advice,
  deadNames,
  duplicateLine,
  meanings,
  messageOf,
  outboxTroubles,
} from "#operator-messages";
import type { Clock } from "../values/clock.ts";
import type { GateEventMap } from "./events.ts";
import type { OperatorMessages, Trouble, Troubles } from "./operator-messages/operator-messages.ts";

/** Takes the lines that an operator must read; `console` is one. */
export interface Logger {
  error(message: string): void;
}

const hourMs = 3_600_000;
/** More kinds than there are: bounds the memory, whatever a service answers. */
const mostKinds = 100;
const mostCharacters = 800;

/** Logs problems that no listener handles, in one line, once for each kind and hour. */
export class OperatorLog {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #loggedAt = new Map<string, number>();

  constructor(clock: Clock, logger: Logger) {
    this.#clock = clock;
    this.#logger = logger;
  }

  log<Name extends keyof GateEventMap>(name: Name, event: GateEventMap[Name]): void {
    const trouble = troubles[name]?.(event);
    if (trouble === undefined || !this.#isNew(trouble)) return;
    try {
      this.#logger.error(oneLine(`creditgate: ${trouble.line}`, mostCharacters));
    } catch {
      // The work of the gate must go on.
    }
  }

  #isNew({ kind }: Trouble): boolean {
    if (kind === undefined) return true;
    const now = this.#clock.now();
    const before = this.#loggedAt.get(kind);
    if (before !== undefined && now - before < hourMs) return false;
    if (this.#loggedAt.size >= mostKinds) this.#loggedAt.clear();
    this.#loggedAt.set(kind, now);
    return true;
  }
}

const troubles: Troubles = {
  dead: ({ report, error }) => ({
    kind: `dead ${reasonOf(error)}`,
    line: lineOf("dead", error, deadNames(report)),
  }),
  late: ({ billed }) => (billed ? { kind: "late", line: meanings.late ?? "late" } : undefined),
  parked: ({ error }) => ({ kind: "parked", line: lineOf("parked", error) }),
  undelivered: ({ reports: { length }, error }) => ({
    line: `${length === 1 ? "1 usage report will not be delivered, and is" : `${length} usage reports will not be delivered, and are`} lost with this process: ${messageOf(error)}${advice.undelivered ?? ""}`,
  }),
  duplicate: (event) => ({ kind: `${event.what} ${event.indicator}`, line: duplicateLine(event) }),
  ...outboxTroubles,
  degraded: ({ what, error }) => degradation(what, error),
};

function lineOf(what: keyof OperatorMessages, error: unknown, names = ""): string {
  return `${meanings[what] ?? what}${names}: ${messageOf(error)}${advice[what] ?? ""}`;
}

function degradation(what: GateEventMap["degraded"]["what"], error: unknown): Trouble {
  const line = lineOf(what, error);
  if (!isCreditgateError(error)) return { kind: `${what} ${codeOf(error)}`, line };
  if (!isRefusedKey(error)) return { kind: `${what} ${reasonOf(error)}`, line: line + addressAdvice(error) };
  return { kind: "key", line: `${line}${advice.key ?? ""}` };
}

/** A service that refuses one customer may also answer 403. */
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
