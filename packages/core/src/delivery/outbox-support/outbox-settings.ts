import type { Outbox } from "../../outbox/outbox.ts";
import type { Usage } from "../../values/usage.ts";
import type { Ledger } from "../../wallet/ledger.ts";

/** The options of a gate that concern its outbox, present and checked. */
export interface OutboxSettings {
  /** `undefined` for a gate with a queue or `onUndelivered`. */
  readonly outbox: Outbox | undefined;
  readonly durableHolds: boolean;
  readonly onOrphan: "default" | "none" | "review";
  readonly defaultUsage: Usage | undefined;
  readonly lagWatch: boolean;
  readonly check: boolean;
}

/** The same, as the options of a gate give them. */
export interface GivenOutboxOptions {
  readonly outbox?: Outbox | undefined;
  readonly durableHolds?: boolean | undefined;
  readonly onOrphan?: OutboxSettings["onOrphan"] | undefined;
  readonly defaultUsage?: Usage | undefined;
  readonly lagWatch?: boolean | undefined;
  readonly check?: boolean | undefined;
  readonly ledger?: Ledger | undefined;
}
