import { checkOneOf, checkShape, invalidOption } from "../../values/option.ts";
import { checkedUsage } from "../../values/usage.ts";
import type { DeliveryOptions } from "../delivery-options.ts";
import { GateRecovery, type GateRecoveryOptions } from "../gate-recovery.ts";
import { LagWatch, type LagWatchOptions } from "../lag-watch.ts";
import { createMemoryOutbox } from "../memory-outbox.ts";
import type { Outbox } from "../outbox.ts";
import { OutboxDelivery } from "../outbox-delivery.ts";
import type { GivenOutboxOptions, OutboxSettings } from "./outbox-settings.ts";

export { claimOutbox } from "../outbox-claim.ts";
export { outboxTroubles } from "./troubles.ts";

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
