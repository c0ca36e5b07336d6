import { createMemoryOutbox } from "../../outbox/memory-outbox.ts";
import type { Outbox } from "../../outbox/outbox.ts";
import { checkOneOf, checkShape, invalidOption } from "../../values/option.ts";
import { processWide } from "../../values/process-wide.ts";
import { checkedUsage } from "../../values/usage.ts";
import type { DeliveryOptions } from "../delivery-options.ts";
import { GateRecovery, type GateRecoveryOptions } from "../gate-recovery.ts";
import { LagWatch, type LagWatchOptions } from "../lag-watch.ts";
import { OutboxDelivery } from "../outbox-delivery.ts";
import type { GivenOutboxOptions, OutboxSettings } from "./outbox-settings.ts";

export { writeHold } from "./write-hold.ts";

const outboxMethods = [
  "append",
  "release",
  "next",
  "delivered",
  "requeue",
  "park",
  "bury",
  "unpark",
  "retry",
  "status",
] as const;

/** The options of a gate that concern its outbox. `isolated`: it has a queue or `onUndelivered` instead. */
export function outboxSettings(options: GivenOutboxOptions, isolated: boolean): OutboxSettings {
  const { durableHolds = false, onOrphan = "review", defaultUsage } = options;
  const outbox = checkShape("outbox", options.outbox ?? createMemoryOutbox(), "an Outbox", outboxMethods);
  if (isolated && options.outbox !== undefined) {
    invalidOption("outbox", "none beside `queue` or `onUndelivered`", outbox);
  }
  // The reports of a process without a name are found later. Until then a shared ledger holds credits for it.
  if (outbox.fleet?.isNamed === false && options.ledger?.flush === undefined) {
    invalidOption(
      "outbox",
      "one with the option `process`, or a shared `ledger` beside it",
      "one without a name, and no shared ledger",
    );
  }
  if (checkOneOf("durableHolds", durableHolds, [true, false]) && outbox.works === undefined) {
    invalidOption("outbox", "one with `works`, since durableHolds is true", options.outbox);
  }
  checkOneOf("onOrphan", onOrphan, ["default", "none", "review"]);
  if (onOrphan === "default" && defaultUsage === undefined) {
    invalidOption("defaultUsage", 'a usage, since onOrphan is "default"', defaultUsage);
  }
  return {
    outbox: isolated ? undefined : outbox,
    durableHolds,
    onOrphan,
    defaultUsage: defaultUsage === undefined ? undefined : checkedUsage("defaultUsage", defaultUsage),
    lagWatch: checkOneOf("lagWatch", options.lagWatch ?? !isolated, [true, false]),
    check: checkOneOf("check", options.check ?? !isolated, [true, false]),
  };
}

export function createOutboxDelivery(options: DeliveryOptions & { readonly outbox: Outbox }): OutboxDelivery {
  return new OutboxDelivery(options);
}

export function createLagWatch(options: LagWatchOptions): LagWatch {
  return new LagWatch(options);
}

export function createRecovery(options: GateRecoveryOptions): GateRecovery {
  return new GateRecovery(options);
}

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
