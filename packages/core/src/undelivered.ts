import type { GateEvents } from "./events.ts";
import type { OutboxReport } from "./outbox.ts";

/** Tells of usage that this gate will not deliver, with the reports themselves: nothing else has them any more. */
export function tellUndelivered(events: GateEvents, reports: readonly OutboxReport[], error: unknown): void {
  if (reports.length === 0) return;
  events.emit("undelivered", { reports, error });
  if (events.has("undelivered")) return;
  console.error(
    `creditgate: ${reports.length} usage report${reports.length === 1 ? "" : "s"} will not be delivered, and are lost ` +
      'with this process. Listen to gate.on("undelivered", ({ reports }) => …), keep them, and send each with its id as ' +
      `Idempotency-Key; an outbox that lasts, such as that of @creditgate/sqlite, does so by itself. Why: ${String(error)}`,
  );
}
