/** What has happened to a customer in the app on trial. */
export interface CustomerHistory {
  /** Requests that reached the handler. */
  reached: number;
  settlements: number;
  /** Reports after the end of their work. */
  late: number;
}

/** Kept on `globalThis`, since a bundler may evaluate this module many times. */
export function adapterHistory(customerId: string): CustomerHistory {
  const shared = globalThis as { [key: symbol]: Map<string, CustomerHistory> | undefined };
  const key = Symbol.for("@creditgate/core/testing/adapter-history");
  const customers = shared[key] ?? new Map<string, CustomerHistory>();
  shared[key] = customers;
  const history = customers.get(customerId) ?? { reached: 0, settlements: 0, late: 0 };
  customers.set(customerId, history);
  return history;
}
