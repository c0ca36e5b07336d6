import { type CreditgateError, isCreditgateError, oneLine } from "@creditgate/client";
import { lastingAdvice, lastingTroubles } from "#outbox-support";
import type { Clock } from "../values/clock.ts";
import type { GateEventMap } from "./events.ts";

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
  dead: ({ error }) => ({
    kind: `dead ${reasonOf(error)}`,
    line: `usage was refused and is not billed: ${messageOf(error)}. Correct what it names, or create it at the service; the report weighs on its wallet until it is resolved`,
  }),
  parked: ({ error }) => ({
    kind: "parked",
    line: `usage waits, since it may have been billed already: ${messageOf(error)}. It goes out again once the service echoes an Idempotency-Key, or with ambiguous: "retry"`,
  }),
  undelivered: ({ reports: { length }, error }) => ({
    line: `${length} usage report${length === 1 ? "" : "s"} will not be delivered, and are lost with this process: ${messageOf(error)}. Listen to gate.on("undelivered", ({ reports }) => …), keep them, and send each with its id as Idempotency-Key${lastingAdvice}`,
  }),
  ...lastingTroubles,
  degraded: ({ what, error }) => degradation(what, error),
};

const consequences: Readonly<Record<GateEventMap["degraded"]["what"], string>> = {
  balance: "a balance cannot be read, and without a recent one requests are answered 503",
  wallet: "wallet() failed, and requests are answered 503",
  delivery: "usage cannot be delivered, and waits",
  recovery: "what an earlier process has left cannot be read, and until then requests are answered 503",
  outbox: "the outbox failed, and what it should have is only in memory",
  price: "price() failed, and the hold counts instead",
  usage: "a report was refused, and is billed as far as it was understood",
  counts: "the provider sent no token counts",
  currency: "a customer who has wallets is denied, since none is in the currency of the gate",
  debit: "more was debited than the gate knew of, and a wallet may be overspent",
  action: "actionUrl() failed, and the denial goes out without it",
};

function degradation(what: GateEventMap["degraded"]["what"], error: unknown): Trouble {
  const line = `${consequences[what]}: ${messageOf(error)}`;
  if (!isCreditgateError(error)) return { kind: what, line };
  if (!isRefusedKey(error)) return { kind: `${what} ${reasonOf(error)}`, line };
  return { kind: "key", line: `${line}. Check CREDITGATE_API_KEY, or the option apiKey of createClient()` };
}

function isRefusedKey({ status }: CreditgateError): boolean {
  return status === 401 || status === 403;
}

function reasonOf(error: unknown): string {
  if (!isCreditgateError(error)) return "";
  // The name of an option is the beginning of its message.
  if (error.code === "invalid_option") return error.message.split(":", 1).join();
  return String(error.problem?.code ?? error.status ?? error.code);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
