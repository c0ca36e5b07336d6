import type { Clock } from "@creditgate/core";

/** The resolution that the gate assumes of a clock that states none. */
const assumedResolutionMs = 16;

/** How far behind the clock may be, in milliseconds. */
export function resolutionOf({ resolutionMs = assumedResolutionMs }: Clock): number {
  return resolutionMs;
}

/** Resolves `delayMs` from now. */
export function sleep(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => clock.schedule(delayMs, resolve));
}
