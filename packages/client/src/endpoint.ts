/**
 * One of the service's operations, as data: where it is, and what may be done with a call that failed. The types tell what
 * a call carries: its body, its query, and the parameters of its path; `undefined` is none.
 */
export interface Endpoint<Body = unknown, Query = unknown, Parameter extends string = string> {
  /** The name used in this package, in messages and in telemetry. */
  readonly name: string;
  readonly method: "GET" | "POST";
  /** The path below the base URL; a parameter stands in braces, as in `/api/v1/orders/{order_id}/invoices`. */
  readonly path: string;
  /** Safe to repeat by the service's own word: it reads, creates-or-gets, or ensures. */
  readonly idempotent: boolean;
  /** Carries an `Idempotency-Key`, so that a service that honours keys does its effect once. */
  readonly keyed: boolean;
  /** For the compiler: never there. */
  readonly carries?: { readonly body: Body; readonly query: Query; readonly parameter: Parameter };
}

/** Carries whatever its type says. */
type Untyped = Endpoint<never, never, never>;

export function reads(name: string, path: string): Untyped {
  return { name, method: "GET", path, idempotent: true, keyed: false };
}

export function ensures(name: string, path: string): Untyped {
  return { name, method: "POST", path, idempotent: true, keyed: false };
}

/** A change that is not safe to repeat, and for which the service takes no key: repeated only if it was never sent. */
export function changes(name: string, path: string): Untyped {
  return { name, method: "POST", path, idempotent: false, keyed: false };
}

export function acts(name: string, path: string): Untyped {
  return { name, method: "POST", path, idempotent: false, keyed: true };
}
