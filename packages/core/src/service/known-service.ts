import {
  type Answer,
  type CreditgateError,
  type GateIdentity,
  isCreditgateError,
  refusalCodes,
} from "@creditgate/client";
import type { Clock } from "../values/clock.ts";
import { UnbillableWork } from "./unbillable-work.ts";

/** After a batch has failed as such, reports go singly for this long. */
const singlyMs = 60_000;
/** No batch is larger, whatever limit the service returns: it is bounded in bytes too. */
const mostInBatch = 500;

/** What the answers of a service have taught all gates on it and on one API key. */
export class KnownService {
  /** Distinguishes the service and the API key from others. */
  readonly fingerprint: string;
  /** It names what is wrong: one of its problems had a `code` of Creditgate's. */
  namesProblems = false;
  /** It has acknowledged a usage report: the base URL is right. */
  acceptsUsage = false;
  /** The parts of a usage that the service accepts, from its last answer; `undefined`: it has returned none. */
  usageParts: ReadonlySet<string> | undefined;
  /** Its last balance included what is not debited yet. */
  isExtended = false;
  /** Its answers can have the sums of budgets, and it stores with a report which it counts in. */
  takesBudgets = false;
  /** What it cannot bill. */
  readonly unbillable: UnbillableWork = new UnbillableWork();
  /** Names the process and its ledger to the service. */
  readonly gate: GateIdentity | undefined;
  #honoursKeys = false;
  /** It has answered without the key after it had echoed one. */
  #hasLostKeys = false;
  /** How many reports the service accepts in one request, from its last answer. */
  #batchLimit = 1;
  #singlyUntil: number | undefined;
  readonly #listeners = new Set<() => void>();

  constructor(fingerprint: string, gate?: GateIdentity) {
    this.fingerprint = fingerprint;
    this.gate = gate;
  }

  /** It has echoed a key. */
  get honoursKeys(): boolean {
    return this.#honoursKeys;
  }

  learnKeys(): void {
    // Some routes to the service drop keys: an echo by another route proves nothing for the next report.
    if (this.#honoursKeys || this.#hasLostKeys) return;
    this.#honoursKeys = true;
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }

  /** It has answered without the key that it was sent: from now on sending twice may count twice, for as long as this process lives. */
  loseKeys(): void {
    if (!this.#honoursKeys) return;
    this.#honoursKeys = false;
    this.#hasLostKeys = true;
  }

  /** Calls the listener once, as soon as the service has echoed a key; the returned function ends that. */
  onKeys(listener: () => void): () => void {
    if (this.#honoursKeys) listener();
    else this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** How many reports may go in one request: a batch that may have been processed is only safe to send again with keys. */
  batchLimit(clock: Clock): number {
    if (!this.#honoursKeys) return 1;
    if (this.#singlyUntil === undefined) return this.#batchLimit;
    if (clock.now() < this.#singlyUntil) return 1;
    this.#singlyUntil = undefined;
    return this.#batchLimit;
  }

  /** A batch failed as such: it may be the endpoint that is ill, not the service. */
  batchFailed(now: number): void {
    this.#singlyUntil = now + singlyMs;
  }

  learnFrom(answer: Pick<Answer, "batchLimit" | "usageParts" | "budgetLimit">): void {
    this.takesBudgets = answer.budgetLimit !== undefined;
    this.#batchLimit = Math.min(answer.batchLimit ?? 1, mostInBatch);
    this.usageParts = answer.usageParts;
  }

  learnFromError(error: unknown): void {
    if (isCreditgateError(error) && isOwnCode(error.problem?.code)) this.namesProblems = true;
  }

  /**
   * Whether the service itself has refused the request. Its refusals are JSON objects, and a service that is known to
   * be Creditgate's adds a `code`. Without one the answer is a proxy's or a gateway's, in the midst of a deploy.
   */
  hasRefused({ problem }: CreditgateError): boolean {
    if (problem === undefined) return false;
    // A control plane that is asked at a path which is not its own: the base URL is wrong.
    if (problem.code === "route_unknown") return false;
    return isOwnCode(problem.code) || !(this.#honoursKeys || this.namesProblems);
  }

  /**
   * Whether the service itself has refused the report as it is. While a service gives no `code` of its own and has acknowledged
   * no report, the base URL may be wrong, and a dead letter for every report would hide that.
   */
  hasRefusedReport(error: CreditgateError): boolean {
    return this.hasRefused(error) && (this.acceptsUsage || isOwnCode(error.problem?.code));
  }

  /** Whether the service itself has answered that it does not know the customer, agent or indicator. */
  doesNotKnow(error: unknown): boolean {
    return isCreditgateError(error) && error.status === 404 && this.hasRefused(error);
  }
}

function isOwnCode(code: unknown): boolean {
  return typeof code === "string" && refusalCodes.test(code);
}

/** The wallets of a service. An object of a class, since each gate has its own: a call by way of a closure would never be fast. */
export interface ServiceWallets {
  /** Throws while they are not known: then there is nothing to send either. */
  readonly open: { readonly service: KnownService };
}
