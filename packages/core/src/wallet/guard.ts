import { verbose } from "#verbosity";
import { toMicro } from "../values/micro.ts";
import { checkNumber, invalidOption } from "../values/option.ts";
import type { CapacityChange } from "./memory-ledger.ts";

/** For isolates that share nothing: what each of them may have outstanding, and the least that there must be. Credits. */
export interface Guard {
  /** Holds and unconfirmed usage of one wallet in one isolate are at most this. */
  readonly maxOutstanding: number;
  /** A wallet that can pay less than this admits nothing. */
  readonly minCapacity: number;
}

/** The guard, checked; throws an `invalid_option` error that names what is wrong. */
export function checkGuard(guard: unknown): Guard {
  if (typeof guard !== "object" || guard === null)
    return invalidOption("guard", verbose && "an object", guard);
  const { maxOutstanding, minCapacity } = guard as Partial<Guard>;
  return {
    maxOutstanding: checkNumber("guard.maxOutstanding", maxOutstanding ?? Number.NaN, 1e-6, 1e9),
    minCapacity: checkNumber("guard.minCapacity", minCapacity ?? Number.NaN, 0, 1e9),
  };
}

/** What a guarded isolate may spend of what a wallet can pay: its part, or nothing. */
export function guardedPart({ maxOutstanding, minCapacity }: Guard): CapacityChange {
  const most = toMicro(maxOutstanding, "floor");
  const least = toMicro(minCapacity, "ceil");
  return (capacity) => {
    if (typeof capacity !== "number") return capacity;
    return capacity < least ? Math.min(capacity, 0) : Math.min(capacity, most);
  };
}
