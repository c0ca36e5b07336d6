import { isCreditgateError } from "@creditgate/client";
import type { OutboxReport } from "./outbox.ts";

/** What names work to the service, beside its customer. */
export type WorkKind = Pick<OutboxReport, "agentId" | "indicator">;

type CustomersWork = WorkKind & Pick<OutboxReport, "customerId">;

/** After a refusal one piece of work is admitted for each such time: its report shows whether the service bills it by now. */
const retryMs = 60_000;
/** So many refusals, none of them certain to be of its kind, refuse a kind of work; so many refused kinds refuse a customer's other work. */
const few = 3;
/** A kind that is not tried again says nothing of the customer's other work any more. */
const forgetMs = 10 * retryMs;
/** These bound the memory: names may come from requests. */
const mostCustomers = 10_000;
const mostKinds = 16;

/** A time before which no work of a kind, or of a customer, is admitted. */
interface Bar {
  nextTry: number;
}

interface RefusedKind extends Bar, WorkKind {
  /** Refusals since a report of this kind was taken last. At {@link few} the kind is refused. */
  strikes: number;
  /** Refusals of reports that its work has given other names, less half of its reports that were taken. At {@link few} too. */
  otherwise: number;
}

interface Suspect extends Bar {
  /** The service does not know the customer. */
  isUnknown: boolean;
  kinds: RefusedKind[];
}

interface CommonKind extends Bar {
  /** Whose report was refused; `undefined` when another customer's was too, or the service has said that it knows no such work. */
  readonly customerId: string | undefined;
}

/**
 * Work whose usage the service refuses: each piece of it would be free. A refusal concerns the work of its own customer, and once a
 * second customer's usage of this kind is refused, that of all customers whose usage of this kind the service has never taken.
 */
export class UnbillableWork {
  readonly #suspects = new Map<string, Suspect>();
  readonly #commonKinds = new Map<string, CommonKind>();
  /** The kinds of work whose usage the service has taken, by customer, the last one first. */
  readonly #taken = new Map<string, WorkKind[]>();

  /** Whether it is not to be admitted now. */
  refuses(work: CustomersWork, now: number): boolean {
    if (this.#suspects.size === 0 && this.#commonKinds.size === 0) return false;
    const bars = this.#barsOf(work, now);
    if (bars.some(({ nextTry }) => now < nextTry)) return true;
    for (const bar of bars) bar.nextTry = now + retryMs;
    return false;
  }

  /** Whether the service has taken usage of this kind from the customer. */
  hasTaken({ customerId, ...work }: CustomersWork): boolean {
    return this.#taken.get(customerId)?.some(isSame(work)) === true;
  }

  /** The service has taken the usage. `admittedAs`: the kind of its work, if that is another. */
  taken(report: CustomersWork, admittedAs?: WorkKind): void {
    const { customerId } = report;
    this.#remember(customerId, report);
    if (admittedAs !== undefined) this.#remember(customerId, admittedAs);
    if (this.#commonKinds.size > 0) this.#commonKinds.delete(keyOf(report));
    const suspect = this.#suspects.get(customerId);
    if (suspect === undefined) return;
    suspect.isUnknown = false;
    for (const kind of suspect.kinds) {
      if (isSame(report)(kind)) kind.strikes = 0;
      if (isSame(admittedAs ?? report)(kind)) kind.otherwise = Math.max(0, kind.otherwise - 0.5);
    }
    suspect.kinds = suspect.kinds.filter(({ strikes, otherwise }) => strikes + otherwise > 0);
    if (suspect.kinds.length === 0) this.#suspects.delete(customerId);
  }

  /** It has refused the usage as it is. */
  refused(report: CustomersWork, error: unknown, now: number, admittedAs?: WorkKind): void {
    const code = isCreditgateError(error) ? error.problem?.code : undefined;
    const suspect = this.#suspectOf(report.customerId);
    if (code === "customer_unknown") {
      suspect.isUnknown = true;
      suspect.nextTry = now + retryMs;
      return;
    }
    const isCertain = code === "agent_unknown" || code === "indicator_unknown";
    strike(suspect, report, { strikes: isCertain ? few : 1 }, now);
    if (admittedAs !== undefined && !isSame(report)(admittedAs))
      strike(suspect, admittedAs, { otherwise: 1 }, now);
    if (suspect.kinds.filter(isRefused).length >= few) suspect.nextTry = now + retryMs;
    if (isCertain) this.unknown(report, now);
  }

  /** The service does not know such work, by its refusal of this customer's report, or for certain. */
  unknown(work: WorkKind & { readonly customerId?: string }, now: number): void {
    const key = keyOf(work);
    const known = this.#commonKinds.get(key);
    if (known === undefined) makeRoom(this.#commonKinds);
    const customerId =
      known === undefined || known.customerId === work.customerId ? work.customerId : undefined;
    this.#commonKinds.set(key, { customerId, nextTry: now + retryMs });
  }

  #barsOf(work: CustomersWork, now: number): readonly Bar[] {
    const bars: Bar[] = [];
    const suspect = this.#suspects.get(work.customerId);
    const kind = suspect?.kinds.find(isSame(work));
    if (suspect?.isUnknown === true) bars.push(suspect);
    if (kind !== undefined && isRefused(kind)) bars.push(kind);
    if (this.hasTaken(work)) return bars;
    const refused = suspect?.kinds.filter((one) => isRefused(one) && now < one.nextTry + forgetMs) ?? [];
    if (suspect !== undefined && refused.length >= few) bars.push(suspect);
    const common = this.#commonKinds.get(keyOf(work));
    if (common !== undefined && common.customerId === undefined) bars.push(common);
    return bars;
  }

  #suspectOf(customerId: string): Suspect {
    const known = this.#suspects.get(customerId);
    if (known !== undefined) return known;
    const suspect: Suspect = { isUnknown: false, kinds: [], nextTry: 0 };
    makeRoom(this.#suspects);
    this.#suspects.set(customerId, suspect);
    return suspect;
  }

  #remember(customerId: string, { agentId, indicator }: WorkKind): void {
    const kinds = this.#taken.get(customerId);
    const [last] = kinds ?? [];
    if (last?.agentId === agentId && last.indicator === indicator) return;
    if (kinds === undefined) makeRoom(this.#taken);
    const kind = { agentId, indicator };
    const others = kinds?.filter((one) => !isSame(kind)(one)).slice(0, mostKinds - 1) ?? [];
    this.#taken.set(customerId, [kind, ...others]);
  }
}

function strike(
  suspect: Suspect,
  kind: WorkKind,
  { strikes = 0, otherwise = 0 }: Partial<Pick<RefusedKind, "strikes" | "otherwise">>,
  now: number,
): void {
  const { agentId, indicator } = kind;
  const known = suspect.kinds.find(isSame(kind));
  const others = suspect.kinds.filter((one) => one !== known).slice(0, mostKinds - 1);
  const struck: RefusedKind = {
    agentId,
    indicator,
    strikes: Math.min(few, strikes + (known?.strikes ?? 0)),
    otherwise: Math.min(few, otherwise + (known?.otherwise ?? 0)),
    nextTry: now + retryMs,
  };
  suspect.kinds = [struck, ...others];
}

function isRefused({ strikes, otherwise }: RefusedKind): boolean {
  return Math.max(strikes, otherwise) >= few;
}

function isSame({ agentId, indicator }: WorkKind): (other: WorkKind) => boolean {
  return (other) => other.agentId === agentId && other.indicator === indicator;
}

/** The longest known goes. */
function makeRoom(map: Map<string, unknown>): void {
  if (map.size < mostCustomers) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}

function keyOf({ agentId, indicator }: WorkKind): string {
  return JSON.stringify([agentId, indicator]);
}
