import { isCreditgateError } from "@creditgate/client";
import type { OutboxReport } from "../outbox/outbox.ts";
import type { WorkKind } from "../outbox/report.ts";
import type { Clock } from "../values/clock.ts";

type CustomersWork = WorkKind & Pick<OutboxReport, "customerId">;

/** One refusal is forgiven in each such time. */
const forgiveMs = 60_000;
/** So many are let happen in a row. */
const fullMs = 3 * forgiveMs;
/** These bound the memory: names may come from requests. */
const mostCustomers = 10_000;
const mostKinds = 16;

/** Refusals, as a leaky bucket: what else is billed forgives none of them. From the third on, work is tried one piece at a time. */
interface Bar {
  /** When all of them are forgiven. */
  until: number;
  /** One piece of work is being tried, and counts as refused until its usage is taken. */
  isTrying?: boolean;
  /** What the service did not take; once it does, all is forgiven. Empty: anything of the customer's. */
  cause?: string | undefined;
}

/** Its own bar concerns kinds of work whose usage the service has not taken; that of a customer whom the service does not know, all. */
interface Suspect extends Bar {
  readonly kinds: Map<string, Bar>;
}

interface CommonKind extends Bar {
  /** Whose report was refused; `undefined` if another customer's was too, or if the service does not know such work. */
  readonly customerId: string | undefined;
}

/**
 * Work whose usage the service refuses: each piece of it would be free. A refusal concerns the kind as which the work was admitted and
 * the customer's new kinds of work; once a second customer's usage of a kind is refused, all customers of whom it was never taken.
 */
export class UnbillableWork {
  readonly #suspects = new Map<string, Suspect>();
  readonly #commonKinds = new Map<string, CommonKind>();
  /** The kinds of work whose usage the service has taken, by customer. */
  readonly #accepted = new Map<string, Map<string, true>>();

  /**
   * Whether it is not to be admitted now. Of refused work one piece is: with `tries` this one, which shows whether the service bills it
   * by now. `isWary`: of new kinds of work too.
   */
  refuses(work: CustomersWork, clock: Clock, isWary = false, tries = false): boolean {
    if (this.#isEmpty && !isWary) return false;
    const now = clock.now();
    const { customerId } = work;
    const key = keyOf(work);
    const isNew = this.#accepted.get(customerId)?.has(key) !== true;
    let suspect = this.#suspects.get(customerId);
    if (tries && isWary && isNew) {
      suspect = this.#suspectOf(customerId);
      suspect.until = Math.max(suspect.until, now + fullMs - forgiveMs);
    }
    const common = this.#commonKinds.get(key);
    const bars = [
      suspect?.kinds.get(key),
      isNew || suspect?.cause === "" ? suspect : undefined,
      isNew && common !== undefined && common.customerId === undefined ? common : undefined,
    ].filter((bar) => bar !== undefined);
    if (bars.some(({ until }) => until - now > fullMs - forgiveMs)) return true;
    for (const bar of tries ? bars : []) {
      if (bar.until - now <= forgiveMs) continue;
      bar.until += forgiveMs;
      bar.isTrying = true;
    }
    return false;
  }

  /** The service has taken the usage. `admittedAs`: the kind of its work, if that is another. */
  accepted(report: CustomersWork, clock: Clock, admittedAs: WorkKind = report): void {
    const { customerId } = report;
    const key = keyOf(report);
    const admitted = keyOf(admittedAs);
    const kinds = this.#accepted.get(customerId) ?? new Map<string, true>();
    const isNew = !kinds.has(admitted);
    // Most reports: nothing is refused, and this teaches nothing.
    if (this.#isEmpty && !isNew && key === admitted) return;
    put(this.#accepted, customerId, kinds, mostCustomers);
    for (const kind of [key, admitted]) put(kinds, kind, true, mostKinds);
    this.#commonKinds.delete(key);
    const suspect = this.#suspects.get(customerId);
    if (suspect === undefined) return;
    const now = clock.now();
    forgive(suspect, suspect.cause === "" || suspect.cause === key, isNew);
    for (const [kind, bar] of suspect.kinds) {
      forgive(bar, bar.cause === key, kind === admitted);
      if (bar.until <= now) suspect.kinds.delete(kind);
    }
    if (suspect.kinds.size === 0 && suspect.until <= now) this.#suspects.delete(customerId);
  }

  /** It has refused the usage as it is. */
  refused(report: CustomersWork, error: unknown, now: number, admittedAs: WorkKind = report): void {
    const { customerId } = report;
    const { problem, status = 0 } = isCreditgateError(error) ? error : {};
    const code = problem?.code;
    const suspect = this.#suspectOf(customerId);
    if (code === "customer_unknown") {
      fill(suspect, now, fullMs, "");
      return;
    }
    const isName = code === "agent_unknown" || code === "indicator_unknown";
    const key = keyOf(report);
    const admitted = keyOf(admittedAs);
    // Of usage that cannot be read the next may be right whatever the service has been taught.
    const cause = [400, 413, 422].includes(status) ? undefined : key;
    const bar = suspect.kinds.get(admitted) ?? { until: 0 };
    if (bar.until <= now) fill(suspect, now, forgiveMs, cause);
    fill(bar, now, isName && key === admitted ? fullMs : forgiveMs, cause);
    suspect.kinds.delete(admitted);
    put(suspect.kinds, admitted, bar, mostKinds);
    if (isName) this.unknown(report, now);
  }

  /** The service does not know such work, by its refusal of this customer's report, or for certain. */
  unknown(work: WorkKind & { readonly customerId?: string }, now: number): void {
    const key = keyOf(work);
    const known = this.#commonKinds.get(key);
    const customerId =
      known === undefined || known.customerId === work.customerId ? work.customerId : undefined;
    put(this.#commonKinds, key, { customerId, until: now + fullMs }, mostCustomers);
  }

  get #isEmpty(): boolean {
    return this.#suspects.size === 0 && this.#commonKinds.size === 0;
  }

  #suspectOf(customerId: string): Suspect {
    const suspect = this.#suspects.get(customerId) ?? { kinds: new Map(), until: 0 };
    put(this.#suspects, customerId, suspect, mostCustomers);
    return suspect;
  }
}

function fill(bar: Bar, now: number, byMs: number, cause?: string): void {
  bar.until = Math.min(Math.max(bar.until, now) + byMs, now + fullMs);
  bar.isTrying = false;
  bar.cause = cause;
}

function forgive(bar: Bar, isCause: boolean, isTried: boolean): void {
  if (isCause) bar.until = 0;
  else if (isTried && bar.isTrying === true) bar.until -= forgiveMs;
  else return;
  bar.isTrying = false;
}

/** Of too many the longest known goes. */
function put<T>(map: Map<string, T>, key: string, value: T, most: number): void {
  map.set(key, value);
  if (map.size <= most) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}

let last = { agentId: "", indicator: "", key: "" };

/** The last one is kept: most work is of one kind, and a new text would be hashed for each report. */
function keyOf({ agentId, indicator }: WorkKind): string {
  if (agentId !== last.agentId || indicator !== last.indicator)
    last = { agentId, indicator, key: `${agentId.length} ${agentId}${indicator}` };
  return last.key;
}
