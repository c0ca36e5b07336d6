import { invalidOption } from "../values/option.ts";
import { processWide } from "../values/process-wide.ts";
import type { Outbox } from "./outbox.ts";

/**
 * Makes the outbox one gate's own until the returned function is called. Two gates on one would each send every report,
 * and one would take the other's work in flight for an orphan. Throws an `invalid_option` error if it is taken.
 */
export function claimOutbox(outbox: Outbox): () => void {
  const claimed = processWide("outboxes@1", () => new WeakSet<Outbox>());
  if (claimed.has(outbox)) {
    invalidOption(
      "outbox",
      "one of this gate's own: give each gate its own, or keep the gate with sharedGate() where this code runs more than once",
      "one whose gate has not closed, or still awaits an answer",
    );
  }
  claimed.add(outbox);
  return () => void claimed.delete(outbox);
}
