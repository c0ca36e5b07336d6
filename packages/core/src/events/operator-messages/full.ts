import { type CreditgateError, isCreditgateError } from "@creditgate/client";
import type { OutboxReport } from "../../outbox/outbox.ts";
import { errorMessage } from "../../values/error-message.ts";
import type { DuplicateEvent, GateEventMap } from "../events.ts";
import type { OperatorMessages, Trouble, Troubles } from "./operator-messages.ts";

/** Ends a line: `creditgate explain CODE` and the documentation have the rest. */
const coded = (line: string, code: string) => `${line} [${code}]`;

/** What has happened, and what follows from it. */
const meanings: OperatorMessages = {
  dead: "usage was refused and is not billed",
  late: coded(
    "usage was reported after its work had ended. It is billed, but its hold had gone back by then, so a wallet can be overspent: " +
      "return or await the promise of all the work in its handler",
    "late",
  ),
  parked: "usage waits, since it may have been billed already",
  balance: "a balance cannot be read, and without a recent one requests are answered 503",
  budget:
    "a budget cannot be read or is not stored, and requests that name one are answered 503, or count in it until this process ends",
  ledger: "the store of the shared ledger fails or is late, and requests that need it are answered 503",
  replicas: "processes that share no ledger can overspend a wallet together",
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
  setup: "the gate and the service do not fit",
};

/** Work that was found twice: by what, how it is billed, and what to do about it. */
function duplicateLine({ what, billed, indicator }: DuplicateEvent): string {
  const work = `for indicator ${JSON.stringify(indicator)}`;
  if (billed === "each") {
    const line =
      `two createGate() let in one request ${work}, and each bills what is reported to it and its own defaultUsage. ` +
      "Create one gate, with sharedGate() if its module is evaluated twice, and put it before the route once";
    return coded(line, "duplicate");
  }
  return coded(`${duplicates[what](work)}. Work is billed once`, "duplicate");
}

const duplicates: Readonly<Record<DuplicateEvent["what"], (work: string) => string>> = {
  gate: (work) =>
    `two gates let in one request ${work}. Remove the one on the router or the one on the route; for two bills, ` +
    "give each gate its own indicator",
  meter: (work) =>
    `two wrappers meter one model call ${work}. Remove one: meteredModel(), or the metered client or fetch in it`,
  report: (work) =>
    `a handler calls credits.report() ${work} with usage that is metered already. Remove that call; for other work, ` +
    "report its own model or indicator",
};

const steps: OperatorMessages = {
  dead: ". Correct what it names, or create it at the service; the report weighs on its wallet until it is resolved",
  parked: '. It goes out again once the service echoes an Idempotency-Key, or with ambiguous: "retry"',
  undelivered:
    '. Listen to gate.on("undelivered", ({ reports }) => …), keep them, and send each with its id as Idempotency-Key; ' +
    "an outbox that lasts, such as that of @creditgate/sqlite, does so by itself",
  replicas:
    ". Give createGate() in each process one shared ledger, on Redis, PostgreSQL or Durable Objects: " +
    'see "Many processes" in the README of @creditgate/core',
  key: ". Check CREDITGATE_API_KEY, or the option apiKey of createClient()",
};

/** What to do about it. */
const advice: OperatorMessages = Object.fromEntries(
  Object.keys({ ...meanings, ...steps }).map((what) => [
    what,
    coded(steps[what as keyof OperatorMessages] ?? "", what),
  ]),
);

/** Of a report that was refused: the first of those that a line stands for. */
function deadNames({ customerId, indicator }: OutboxReport): string {
  return `, such as of customer ${JSON.stringify(customerId)} for indicator ${JSON.stringify(indicator)}`;
}

/** A path that the service does not know. Some error messages already include this advice. */
function addressAdvice({ status, message }: CreditgateError): string {
  if (status !== 404 || message.includes("check the baseUrl")) return "";
  return "; check the baseUrl of createClient(), or CREDITGATE_BASE_URL";
}

/** Of work whose client has disconnected, `abortGraceMs` later. */
export function abandonedLine(indicator: string, graceMs: number, state: string): string {
  return (
    `creditgate: a client disconnected, and abortGraceMs (${graceMs} ms) later its work for indicator ` +
    `${indicator} ${state} This is logged once.`
  );
}

export const unseenState: string =
  "had not shown that it had ended, so its hold is gone. Pass credits.signal to the model, or call credits.settle() " +
  "when it has stopped.";
export const pendingState: string =
  "is still pending: the promise of its handler has not settled, so its hold stays until it does or the gate closes. " +
  "Pass credits.signal to the model, and to each wait for the client or for an event.";

/** Of work that has reported nothing. */
export const unreportedAdvice: string =
  ". Call report() before the response ends, or set defaultUsage. This is logged once.";
export const onAbortAdvice: string = ", so the reports are billed, or else defaultUsage";

export function unbilledLine(works: number): string {
  return `creditgate: close() is over before work that has reported nothing (${works}), which is not billed. End the requests before close(), or raise graceMs.`;
}

/** Of an amount that a service has returned as a text. */
export const textHint: string = "; PostgreSQL returns numeric and bigint columns as strings: use Number()";

/** What an operator must know of a gate whose process lasts. */
const outboxTroubles: Troubles = {
  lag: ({ report: { agentId, indicator }, currency, settlementLagMs }) => ({
    kind: "lag",
    line: coded(
      `usage of indicator "${indicator}", agent "${agentId}", was accepted, and ${settlementLagMs} ms later the balance had not moved. Bill the indicator in CREDITS and in "${currency}", or raise settlementLagMs above what the service takes to debit`,
      "lag",
    ),
  }),
  orphan: ({ policy }) =>
    policy === "review"
      ? {
          kind: "orphan",
          line: coded("work that a crash cut off waits for a review: creditgate outbox list", "orphan"),
        }
      : undefined,
};

const troubles: Troubles = {
  dead: ({ report, error }) => ({
    kind: `dead ${reasonOf(error)}`,
    line: lineOf("dead", error, deadNames(report)),
  }),
  late: ({ billed }) => (billed ? { kind: "late", line: meanings.late ?? "late" } : undefined),
  parked: ({ error }) => ({ kind: "parked", line: lineOf("parked", error) }),
  undelivered: ({ reports: { length }, error }) => ({
    line: `${length === 1 ? "1 usage report will not be delivered, and is" : `${length} usage reports will not be delivered, and are`} lost with this process: ${errorMessage(error)}${advice.undelivered ?? ""}`,
  }),
  duplicate: (event) => ({ kind: `${event.what} ${event.indicator}`, line: duplicateLine(event) }),
  ...outboxTroubles,
  degraded: ({ what, error }) => degradation(what, error),
};

/** The line of an event that an operator must read. */
export function troubleOf<Name extends keyof GateEventMap>(
  name: Name,
  event: GateEventMap[Name],
): Trouble | undefined {
  return troubles[name]?.(event);
}

function lineOf(what: keyof OperatorMessages, error: unknown, names = ""): string {
  return `${meanings[what] ?? what}${names}: ${errorMessage(error)}${advice[what] ?? ""}`;
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
