import { errorCode } from "../errors/error-code.ts";
import type { Clock } from "../time/clock.ts";

/** Remembers that PostgreSQL could not write, which reading does not show. */
export interface WriteFailures {
  /** Takes any error, and notes those of a disk. */
  note(error: unknown): void;
  /** What PostgreSQL said last, if that is a few seconds ago at most. */
  recent(): string | undefined;
}

/** 53100 a disk that is full, 58030 one that fails. */
const ofDisk = new Set(["53100", "58030"]);
/** Longer than from one check of a load balancer to the next. */
const rememberedMs = 5_000;

export function createWriteFailures(clock: Clock): WriteFailures {
  let last: { readonly at: number; readonly message: string } | undefined;
  return {
    note(error) {
      if (!(error instanceof Error) || !ofDisk.has(errorCode(error) ?? "")) return;
      last = { at: clock.now(), message: error.message };
    },
    recent() {
      return last !== undefined && clock.now() - last.at < rememberedMs ? last.message : undefined;
    },
  };
}
