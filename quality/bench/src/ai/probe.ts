import { setTimeout } from "node:timers/promises";
import { collectGarbage } from "../garbage.ts";
import { used } from "./used.ts";

/** Asks a process that has imported this module. */
export interface ProbeQuestion {
  readonly probe: "collect" | "read";
}

/** Longer than usage waits to be posted. */
const deliveredWithinMs = 100;

process.on("message", async ({ probe }: Partial<ProbeQuestion>) => {
  if (probe === undefined) return;
  if (probe === "collect") collectGarbage();
  else await setTimeout(deliveredWithinMs);
  process.send?.(used());
});
// It does not keep the process alive.
process.channel?.unref();
