import type { GateIdentity, SeparateLedgers } from "@creditgate/client";
import type { GateEvents } from "../events/events.ts";
import type { Clock } from "../values/clock.ts";

const hourMs = 3_600_000;

/** Takes what the service reports with a balance. */
export type WarnOfReplicas = (ledgers: SeparateLedgers, gate: GateIdentity | undefined) => void;

/** Emits, at once and then at most hourly, that other processes spend the same wallets by ledgers of their own. */
export function replicaWarning(clock: Clock, events: Pick<GateEvents, "emit">): WarnOfReplicas {
  let warnedAt = Number.NEGATIVE_INFINITY;
  return (ledgers, gate) => {
    const now = clock.now();
    // Isolates within a guard overspend by no more than it allows, as their operator has decided.
    if (ledgers === "guarded" || now - warnedAt < hourMs) return;
    warnedAt = now;
    const error = new Error(
      `${ledgers} separate ledgers spend the same wallets; this process is ${gate?.id}`,
    );
    events.emit("degraded", { what: "replicas", error });
  };
}
