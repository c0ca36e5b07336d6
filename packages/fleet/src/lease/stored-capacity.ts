import type { Capacity } from "@creditgate/core";
import type { BalanceUpdate } from "@creditgate/core/adapter";
import type { Snapshot, StoredCapacity } from "./shared-store.ts";

const most = Number.MAX_SAFE_INTEGER;

/** A balance answer, as a sync sends it to a store: of a request that was sent at this instant, in this epoch. */
export function snapshotOf(
  { prepaid, postpaid, unsettled }: BalanceUpdate,
  { stamp, epoch }: Pick<Snapshot, "stamp" | "epoch">,
): Snapshot {
  return {
    stamp,
    epoch,
    prepaid: stored(prepaid, unsettled),
    postpaid: stored(postpaid, unsettled),
    extended: unsettled !== undefined,
  };
}

/** What a store says that a wallet can pay, as a gate reads it. */
export function capacityOf(capacity: StoredCapacity | null | undefined): Capacity | undefined {
  return capacity === most ? Number.POSITIVE_INFINITY : (capacity ?? undefined);
}

function stored(capacity: Capacity, unsettled = 0): StoredCapacity {
  if (typeof capacity !== "number") return capacity;
  return capacity === Number.POSITIVE_INFINITY ? most : Math.max(capacity - unsettled, -most);
}
