import type { GateIdentity, SeparateLedgers } from "./gate-identity.ts";

/** What a call carries. */
export interface CallInput {
  /** Parameters of the path, by name; encoded by the transport. */
  readonly params?: Readonly<Record<string, string>> | undefined;
  /** The query; `undefined` is left out. */
  readonly query?: Readonly<Record<string, string | number | undefined>> | undefined;
  /** Sent as JSON; `undefined` is no body. */
  readonly body?: unknown;
}

/** How a call is made, where it differs from the client's options. */
export interface CallOptions {
  /** Ends the call, its retries and its pauses with the error `aborted`. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for one attempt. */
  readonly timeoutMs?: number | undefined;
  /** Attempts after the first. */
  readonly retries?: number | undefined;
  /**
   * Sent as `Idempotency-Key` by endpoints that are `keyed`; 1 to 256 visible ASCII characters.
   * Left out, it is another at each call; `undefined` is refused.
   * @default a random UUID, the same for all attempts of the call
   */
  readonly idempotencyKey?: string;
  /**
   * Sends a `Creditgate-Request-Id`, another in each attempt, by which `Answer.isFresh` is known.
   * @default false
   */
  readonly fresh?: boolean | undefined;
  /** The process that spends by a gate: sent as `Creditgate-Gate`. @default not sent */
  readonly gate?: GateIdentity | undefined;
}

/** How a call is made that moves money: with the key under which it happens once, however often it is repeated. */
export interface KeyedCallOptions extends CallOptions {
  readonly idempotencyKey: string;
}

/** A 2xx answer. */
export interface Answer {
  readonly status: number;
  /** The parsed JSON, or `undefined` when the body is not JSON. */
  readonly body: unknown;
  /** The body has no bytes. */
  readonly isEmpty?: boolean;
  /** The `Idempotency-Key` that the service echoed; one that echoes keys honours them. */
  readonly idempotencyKey: string | undefined;
  /** When the service answered by its own clock, in milliseconds since 1970, in whole seconds; if it says so. */
  readonly date?: number | undefined;
  /**
   * Made by the service for this very call: it echoed the id that `CallOptions.fresh` sends, and no cache added an
   * `Age`. Otherwise the content may be older than the call.
   */
  readonly isFresh?: boolean;
  /** The most reports of usage that the service takes in one request, if it says so. */
  readonly batchLimit?: number | undefined;
  /** How many budgets a report may name, if the service knows budgets. */
  readonly budgetLimit?: number | undefined;
  /** The parts of a usage that the service takes, by name, if it says so. */
  readonly usageParts?: ReadonlySet<string> | undefined;
  /** The organisation that the API key is of, if the service says so. */
  readonly organization?: string | undefined;
  /** Ledgers that spend the same wallets and share nothing, if the service has found any. */
  readonly separateLedgers?: SeparateLedgers | undefined;
}
