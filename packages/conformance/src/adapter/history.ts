import type { AdapterAnswer } from "./answer.ts";

/** What has happened to a customer in the app on trial. */
export interface CustomerHistory {
  /** Requests that reached the handler. */
  reached: number;
  settlements: number;
  /** Reports that have been filed, and will reach the control plane. */
  reports: number;
  /** Reports after the end of their work. */
  late: number;
  /** Chunks that its streams were asked for. */
  chunks: number;
  /** Streams that were cancelled by a disconnect. */
  disconnects: number;
  /** Charges whose signal has fired. */
  signalled: number;
  /** 1 if the signal has fired while the work ran. */
  fired: number;
  /** Handlers at work, and the most that ever were at a time. */
  running: number;
  peak: number;
}

/** What has happened, and a number that another history does not have. */
export interface KnownHistory extends CustomerHistory {
  readonly version: number;
}

/** How often a history is read, and how long until it is returned though nothing has changed. */
const [lookMs, looks] = [4, 64];

/** The history of the customer, as soon as it is another one than that of the version `seen`, or after a while. */
export async function changedHistory(customerId: string, seen: number): Promise<KnownHistory> {
  const history = adapterHistory(customerId);
  const version = () => versionOf(history);
  // Some runtimes let no request wake another.
  for (let look = 0; look < looks && version() === seen; look++) {
    await new Promise((resolve) => setTimeout(resolve, lookMs));
  }
  return { ...history, version: version() };
}

/** All but the most at a time only grow, or do so with another. */
function versionOf({
  reached,
  settlements,
  reports,
  late,
  chunks,
  disconnects,
  signalled,
  fired,
  running,
}: CustomerHistory) {
  return 2 * (reached + settlements + reports + late + chunks + disconnects + signalled + fired) - running;
}

/** Kept on `globalThis`, since a bundler may evaluate this module many times. */
export function adapterHistory(customerId: string): CustomerHistory {
  const shared = globalThis as { [key: symbol]: Map<string, CustomerHistory> | undefined };
  const key = Symbol.for("@creditgate/conformance/adapter-history");
  const customers = shared[key] ?? new Map<string, CustomerHistory>();
  shared[key] = customers;
  const history = customers.get(customerId) ?? {
    reached: 0,
    settlements: 0,
    reports: 0,
    late: 0,
    chunks: 0,
    disconnects: 0,
    signalled: 0,
    fired: 0,
    running: 0,
    peak: 0,
  };
  customers.set(customerId, history);
  return history;
}

/** The answer as it is, whose stream is put on record. */
export function recorded(answer: AdapterAnswer, history: CustomerHistory): AdapterAnswer {
  const { body, disconnect } = answer;
  return {
    ...answer,
    body: body === null || typeof body === "string" ? body : counted(body, history),
    disconnect() {
      history.disconnects++;
      disconnect();
    },
  };
}

async function* counted(body: AsyncIterable<string>, history: CustomerHistory): AsyncGenerator<string> {
  for await (const chunk of body) {
    history.chunks++;
    yield chunk;
  }
}
