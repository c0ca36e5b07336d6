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
  /** Streams that have been told that their client has left. */
  left: number;
  /** Charges whose signal has fired. */
  told: number;
  /** 1 if the signal has fired while the work ran. */
  fired: number;
  /** Handlers at work, and the most that ever were at a time. */
  running: number;
  peak: number;
}

/** Kept on `globalThis`, since a bundler may evaluate this module many times. */
export function adapterHistory(customerId: string): CustomerHistory {
  const shared = globalThis as { [key: symbol]: Map<string, CustomerHistory> | undefined };
  const key = Symbol.for("@creditgate/core/testing/adapter-history");
  const customers = shared[key] ?? new Map<string, CustomerHistory>();
  shared[key] = customers;
  const history = customers.get(customerId) ?? {
    reached: 0,
    settlements: 0,
    reports: 0,
    late: 0,
    chunks: 0,
    left: 0,
    told: 0,
    fired: 0,
    running: 0,
    peak: 0,
  };
  customers.set(customerId, history);
  return history;
}

/** The answer as it is, whose stream is put on record. */
export function recorded(answer: AdapterAnswer, history: CustomerHistory): AdapterAnswer {
  const { body, leave } = answer;
  return {
    ...answer,
    body: body === null || typeof body === "string" ? body : counted(body, history),
    leave() {
      history.left++;
      leave();
    },
  };
}

async function* counted(body: AsyncIterable<string>, history: CustomerHistory): AsyncGenerator<string> {
  for await (const chunk of body) {
    history.chunks++;
    yield chunk;
  }
}
