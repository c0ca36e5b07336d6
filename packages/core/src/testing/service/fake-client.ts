import { type Answer, CreditgateError, endpoints, type Transport } from "@creditgate/client";
import type { Clock } from "../../values/clock.ts";
import type { FakeReport, FakeService } from "./fake-service.ts";

/** What may go wrong with a request. */
export type Fault =
  /** No connection: certainly not processed. */
  | "refused"
  /** 503, not processed. */
  | "unavailable"
  /** 429, not processed. */
  | "throttled"
  /** 403, not processed. */
  | "forbidden"
  /** 422, not processed. */
  | "unprocessable"
  /** 404 of a proxy before the service, in plain text; not processed. */
  | "misrouted"
  /** 500; processed or not. */
  | "broken"
  /** The connection is lost; processed or not. */
  | "lost"
  /** No answer until the client gives up; processed or not, and perhaps after that. */
  | "hanging"
  /** 2xx, processed, with a body that is lost or makes no sense. */
  | "garbled";

/** How one request fares. */
export interface Passage {
  readonly fault?: Fault | undefined;
  /** From the client until the service processes it: that is the instant which a balance answer shows. */
  readonly outMs: number;
  /** From there until the client has the answer. */
  readonly backMs: number;
  /** Whether a request whose fault leaves that open is processed. */
  readonly processed: boolean;
  /** Of the time that the service has for the debit of a report, how much it takes: 0 to 1. */
  readonly debitDelay: number;
  /** What a 429 or a 503 asks for. */
  readonly retryAfterMs?: number | undefined;
}

/** Options of {@link createFakeClient}. */
export interface FakeClientOptions {
  readonly service: FakeService;
  /** The clock of the service, and that of the process which is its client. */
  readonly clock: Clock;
  readonly processClock: Clock;
  /** A report is debited at most so long after its acknowledgement. */
  readonly lagMs: number;
  readonly passage: (request: "balance" | "report") => Passage;
  /** A balance that makes sense has reached the client; it was asked for at `sentAt`. */
  readonly onNews?: (customerId: string, sentAt: number) => void;
  /** The service refuses a report as it is. */
  readonly onRefused?: (report: FakeReport) => void;
}

/** A client of the fake service. */
export interface FakeClient extends Pick<Transport, "fingerprint" | "send"> {
  /** Requests that are still on their way. */
  readonly inFlight: number;
  /** Whether it has been told that the service honours keys. */
  readonly toldOfKeys: boolean;
}

const statuses = {
  unavailable: 503,
  throttled: 429,
  forbidden: 403,
  unprocessable: 422,
  misrouted: 404,
  broken: 500,
} as const;
/** The client closes a connection on which nothing comes back. */
const givesUpAfterMs = 5_000;
const processedFaults: ReadonlySet<Fault | undefined> = new Set([undefined, "garbled"]);
const doubtfulFaults: ReadonlySet<Fault | undefined> = new Set(["broken", "lost", "hanging"]);

/** Creates a client whose requests fare as `passage` says. */
export function createFakeClient(options: FakeClientOptions): FakeClient {
  const { service, clock, processClock, lagMs } = options;
  let inFlight = 0;
  let toldOfKeys = false;

  /** Takes the request out, has it processed, and brings the answer back. */
  function travel<T>(passage: Passage, process: () => T, answer: (processed: T | undefined) => Answer) {
    const { fault, outMs } = passage;
    const reaches = processedFaults.has(fault) || (doubtfulFaults.has(fault) && passage.processed);
    inFlight++;
    return new Promise<Answer>((resolve, reject) => {
      let processed: T | undefined;
      if (reaches) {
        if (outMs === 0) processed = process();
        else {
          clock.schedule(outMs, () => {
            processed = process();
          });
        }
      }
      processClock.schedule(returnMs(passage), () => {
        inFlight--;
        try {
          if (fault !== undefined && fault !== "garbled") throw failure(fault, passage);
          resolve(answer(processed));
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  function balance(customerId: string): Promise<Answer> {
    const sentAt = processClock.now();
    const passage = options.passage("balance");
    return travel(
      passage,
      () => service.balances(customerId),
      (body) => {
        if (passage.fault === "garbled") return answered(garbled(body, passage));
        options.onNews?.(customerId, sentAt);
        if (body === undefined) throw httpError(404);
        return answered(body);
      },
    );
  }

  function report(body: FakeReport, key: string): Promise<Answer> {
    const passage = options.passage("report");
    if (passage.fault === "unprocessable") options.onRefused?.(body);
    const acknowledged = processedFaults.has(passage.fault);
    const debitMs = Math.round(passage.debitDelay * ((acknowledged ? passage.backMs : 0) + lagMs));
    return travel(
      passage,
      () => service.take(body, key, debitMs),
      () => {
        // The status line came, the body did not.
        if (passage.fault === "garbled") throw new CreditgateError("connection_lost", "", { status: 200 });
        toldOfKeys ||= service.honoursKeys;
        return answered({}, service.honoursKeys ? key : undefined);
      },
    );
  }

  return {
    get inFlight() {
      return inFlight;
    },
    get toldOfKeys() {
      return toldOfKeys;
    },
    fingerprint: async () => "fake",
    send(endpoint, input = {}, { idempotencyKey = "" } = {}) {
      if (endpoint === endpoints.walletBalance) return balance(String(input.query?.customer_id));
      if (endpoint === endpoints.usageReport) return report(input.body as FakeReport, idempotencyKey);
      return Promise.reject(httpError(404));
    },
  };
}

function returnMs({ fault, outMs, backMs }: Passage): number {
  if (fault === "hanging") return givesUpAfterMs;
  return fault === "refused" ? outMs : outMs + backMs;
}

function answered(body: unknown, idempotencyKey?: string): Answer {
  return { status: 200, body, idempotencyKey };
}

/** The service answers in JSON, also where it refuses; what stands before it does not. */
function httpError(status: number, retryAfterMs?: number, inJson = true): CreditgateError {
  const problem = inJson ? { code: "refused" } : undefined;
  return new CreditgateError("http", `${status}`, { status, retryAfterMs, problem });
}

function failure(fault: Exclude<Fault, "garbled">, { retryAfterMs }: Passage): CreditgateError {
  switch (fault) {
    case "refused":
      return new CreditgateError("not_sent", "refused");
    case "lost":
      return new CreditgateError("connection_lost", "lost");
    case "hanging":
      return new CreditgateError("timeout", "no answer");
    default:
      return httpError(statuses[fault], retryAfterMs, fault !== "misrouted");
  }
}

/** A balance body one mutation away from a valid one. */
function garbled(body: ReturnType<FakeService["balances"]>, { outMs, backMs }: Passage): unknown {
  if (body === undefined) return { balances: [] };
  const ruin = garblings[(outMs + backMs) % garblings.length] ?? (() => undefined);
  const balances = Object.entries(body.balances).map(([currency, entry]) => [currency, ruin(entry)]);
  return { balances: Object.fromEntries(balances) };
}

const garblings: readonly ((entry: Record<string, number>) => unknown)[] = [
  () => null,
  ({ available: _, ...rest }) => rest,
  (entry) => ({ ...entry, available: null }),
  (entry) => ({ ...entry, available: String(entry.available) }),
  (entry) => ({ ...entry, postpaid_limit: -1 }),
  (entry) => ({ ...entry, overage_used: -1_000 }),
  (entry) => ({ ...entry, overage_limit: Number.POSITIVE_INFINITY }),
];
