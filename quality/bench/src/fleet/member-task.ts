import type { LimiterName } from "./limiters.ts";
import type { StoreAddress } from "./store-connection.ts";

/** What a process of a fleet receives at its start. */
export interface MemberTask {
  readonly address: StoreAddress;
  /** What lets its work in. The ledger in memory asks no store. @default "leases" */
  readonly by?: "memory" | "leases" | "no leases" | LimiterName;
  /** Credits in every wallet, whatever is spent. @default more than is ever spent */
  readonly funds?: number;
  /** Whether its reports are to survive it, on the server of the store. @default false */
  readonly survives?: boolean;
  /** @default that of leased ledgers */
  readonly leaseMs?: number;
}
