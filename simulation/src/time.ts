import type { Clock } from "@creditgate/core";

/** The tick that the gate assumes of a clock that does not tell its own. */
const assumedTickMs = 16;

/** How far behind the clock may be, in milliseconds. */
export function tickOf({ tickMs = assumedTickMs }: Clock): number {
  return tickMs;
}

/** Resolves `delayMs` from now. */
export function sleep(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => clock.schedule(delayMs, resolve));
}
