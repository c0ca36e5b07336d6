import type { GateEvents } from "./events.ts";
import type { OutboxReport } from "./outbox.ts";

/** Tells of usage that this gate will not deliver, with the reports themselves: nothing else has them any more. */
export function tellUndelivered(events: GateEvents, reports: readonly OutboxReport[], error: unknown): void {
  if (reports.length > 0) events.emit("undelivered", { reports, error });
}
