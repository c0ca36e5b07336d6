import type { MeteringOptions } from "./metering-options.ts";

const said = new Set<string>();
/** More than any application has: what grows without a bound ends a process. */
const mostSaid = 100;

/** Says it once in a process. Never throws. */
export function noteOnce({ logger = console }: Pick<MeteringOptions, "logger">, line: string): void {
  if (logger === false || said.has(line) || said.size === mostSaid) return;
  said.add(line);
  try {
    logger.warn(`creditgate: ${line}. This is logged once.`);
  } catch {
    // The model call must go on.
  }
}
