import {
  type Answer,
  CreditgateError,
  gateEndpoints,
  type Transport,
  type UsageBatchRequest,
  type UsageBatchResult,
  usageBatch,
} from "@creditgate/client";
import type { Clock } from "@creditgate/core";
import { fromMicro } from "../micro.ts";
import type { BalanceAnswer, Cost, FakeReport, FakeService } from "./fake-service.ts";

/** What a request is for. */
export type RequestKind = "balance" | "report" | "batch";

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
  /** The answer comes when the gate has asked again. */
  | "belated"
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
  /** Answered by an extended replica; others have no batch endpoint either. */
  readonly extended: boolean;
}

/** How one report of a batch fares that has reached the service. */
export interface Part {
  /** As a single post would have been answered; 500: processed or not. */
  readonly status: 200 | 422 | 429 | 500 | 503;
  readonly processed: boolean;
  readonly debitDelay: number;
  /** How often the answer says so. */
  readonly answers: 0 | 1 | 2;
}

/** How a batch fares that has reached the service. */
export interface BatchFate {
  /** It is refused as such, and nothing of it is processed. */
  readonly status: number | undefined;
  readonly parts: readonly Part[];
  /** The answers are not in the order of the reports. */
  readonly shuffled: boolean;
}

/** Options of {@link createFakeClient}. */
export interface FakeClientOptions {
  readonly service: FakeService;
  /** The clock of the service, and that of the process which is its client. */
  readonly clock: Clock;
  readonly processClock: Clock;
  /** A report is debited at most so long after its acknowledgement. */
  readonly lagMs: number;
  /** How many reports the service takes in one request; 0 where it has no endpoint for that. */
  readonly batchLimit: number;
  readonly passage: (request: RequestKind) => Passage;
  readonly batchFate: (reports: number) => BatchFate;
  /** A balance that makes sense has reached the client; it was asked for at `sentAt`. */
  readonly onRefresh: (customerId: string, sentAt: number) => void;
  /** The service refuses a report as it is. */
  readonly onRefused: (report: FakeReport) => void;
}

/** A client of the fake service. */
export interface FakeClient extends Pick<Transport, "fingerprint" | "send"> {
  /** Requests that are still on their way. */
  readonly inFlight: number;
  /** Whether an answer has shown it that the service honours keys. */
  readonly honouredKeys: boolean;
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
/** The gate has given the request up for lost. */
const belatedMs = 60_001;
const processedFaults: ReadonlySet<Fault | undefined> = new Set([undefined, "garbled", "belated"]);
const doubtfulFaults: ReadonlySet<Fault | undefined> = new Set(["broken", "lost", "hanging"]);
const refused = { code: "amount_out_of_range" };

/** Creates a client whose requests fare as `passage` says. */
export function createFakeClient(options: FakeClientOptions): FakeClient {
  const { service, clock, processClock, lagMs, batchLimit } = options;
  let inFlight = 0;
  let honouredKeys = false;

  /** Takes the request out, has it processed, and brings the answer back. */
  function travel<T>(passage: Passage, process: () => T, answer: (processed: T) => Answer) {
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
          if (!processedFaults.has(fault) || processed === undefined) throw failure(fault, passage);
          resolve(answer(processed));
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  function balance(customerId: string, asksForFresh: boolean): Promise<Answer> {
    const sentAt = processClock.now();
    const passage = options.passage("balance");
    return travel(
      passage,
      () => service.balances(customerId, passage.extended),
      (found) => {
        const isFresh = asksForFresh && found.isFresh;
        if (passage.fault === "garbled")
          return answered(garbled({ ...found, isFresh }, passage), passage, { isFresh });
        options.onRefresh(customerId, sentAt);
        if (found.body === undefined) throw httpError(404);
        return answered(found.body, passage, { isFresh });
      },
    );
  }

  function take(report: FakeReport, key: string, debitDelay: number, acknowledgedInMs: number): Cost {
    return service.take(report, key, Math.round(debitDelay * (acknowledgedInMs + lagMs)));
  }

  function report(body: FakeReport, key: string): Promise<Answer> {
    const passage = options.passage("report");
    const { fault, debitDelay, backMs } = passage;
    if (fault === "unprocessable") options.onRefused(body);
    return travel(
      passage,
      () => take(body, key, debitDelay, processedFaults.has(fault) ? backMs : 0),
      (cost) => {
        // The status line came, the body did not.
        if (fault === "garbled") throw new CreditgateError("connection_lost", "", { status: 200 });
        honouredKeys ||= service.honoursKeys;
        const idempotencyKey = service.honoursKeys ? key : undefined;
        return answered(passage.extended ? reportedOf(cost) : {}, passage, { idempotencyKey });
      },
    );
  }

  function batch({ reports }: UsageBatchRequest): Promise<Answer> {
    const passage = options.passage("batch");
    const { fault, backMs } = passage;
    const fate = options.batchFate(reports.length);
    const isTaken = passage.extended && fate.status === undefined && reports.length <= batchLimit;
    const process = () => (isTaken ? reports.flatMap((one, index) => takePart(one, fate.parts[index])) : []);

    function takePart(
      { key, ...report }: UsageBatchRequest["reports"][number],
      part: Part | undefined,
    ): readonly UsageBatchResult[] {
      if (part === undefined) return [];
      const { status, processed, debitDelay, answers } = part;
      const isAcknowledged = status === 200 && answers > 0 && processedFaults.has(fault);
      if (status === 422) options.onRefused(report);
      const cost =
        (status === 200 && (answers > 0 || processed)) || (status === 500 && processed)
          ? take(report, key, debitDelay, isAcknowledged ? backMs : 0)
          : undefined;
      const body = status === 200 && cost !== undefined ? reportedOf(cost) : refused;
      return Array.from({ length: answers }, () => ({ key, status, body }));
    }

    return travel(passage, process, (results) => {
      if (!isTaken) throw httpError(fate.status ?? (reports.length > batchLimit ? 413 : 404));
      if (fault === "garbled") return answered({}, passage, {});
      honouredKeys ||= results.some(({ status }) => status === 200);
      return answered({ results: fate.shuffled ? results.toReversed() : results }, passage, {});
    });
  }

  function answered(body: unknown, { extended }: Passage, said: Partial<Answer>): Answer {
    const limit = extended && batchLimit > 0 ? batchLimit : undefined;
    return { status: 200, body, idempotencyKey: undefined, batchLimit: limit, ...said };
  }

  return {
    get inFlight() {
      return inFlight;
    },
    get honouredKeys() {
      return honouredKeys;
    },
    fingerprint: async () => "fake",
    send(endpoint, input = {}, { idempotencyKey = "", fresh = false } = {}) {
      if (endpoint === gateEndpoints.walletBalance) return balance(String(input.query?.customer_id), fresh);
      if (endpoint === gateEndpoints.usageReport) return report(input.body as FakeReport, idempotencyKey);
      if (endpoint === usageBatch) return batch(input.body as UsageBatchRequest);
      return Promise.reject(httpError(404));
    },
  };
}

function reportedOf({ currency, amount }: Cost): object {
  return { credits: fromMicro(amount), currency };
}

function returnMs({ fault, outMs, backMs }: Passage): number {
  if (fault === "hanging") return givesUpAfterMs;
  if (fault === "belated") return belatedMs + outMs + backMs;
  return fault === "refused" ? outMs : outMs + backMs;
}

/** The service answers in JSON, also where it refuses; what stands before it does not. */
function httpError(status: number, retryAfterMs?: number, inJson = true): CreditgateError {
  const problem = inJson ? refused : undefined;
  return new CreditgateError("http", `${status}`, { status, retryAfterMs, problem });
}

function failure(fault: Fault | undefined, { retryAfterMs }: Passage): CreditgateError {
  switch (fault) {
    case undefined:
    case "garbled":
    case "belated":
      throw new Error("the answer was there before the request had been processed");
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
function garbled({ body, isFresh, isWhole }: BalanceAnswer, { outMs, backMs }: Passage): unknown {
  // Else it would be a fresh balance of a wallet that is not there.
  if (body === undefined || !isWhole) return { balances: [] };
  // What does not belong to this request is not read.
  const all = isFresh ? [...garblings, ...reportedGarblings] : garblings;
  const ruin = all[Math.floor(outMs + backMs) % all.length] ?? (() => undefined);
  const balances = Object.entries(body.balances).map(([currency, entry]) => [currency, ruin(entry)]);
  return { balances: Object.fromEntries(balances) };
}

type Garbling = (entry: Readonly<Record<string, unknown>>) => unknown;

const garblings: readonly Garbling[] = [
  () => null,
  ({ available: _, ...rest }) => rest,
  (entry) => ({ ...entry, available: null }),
  (entry) => ({ ...entry, available: String(entry.available) }),
  (entry) => ({ ...entry, postpaid_limit: -1 }),
  (entry) => ({ ...entry, overage_used: -1_000 }),
  (entry) => ({ ...entry, overage_limit: Number.POSITIVE_INFINITY }),
];

const reportedGarblings: readonly Garbling[] = [
  (entry) => ({ ...entry, unsettled: -1 }),
  (entry) => ({ ...entry, unsettled: String(entry.unsettled) }),
  (entry) => ({ ...entry, unsettled: null }),
  (entry) => ({ ...entry, kind: "both" }),
];
