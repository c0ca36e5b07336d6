import { invalidOption } from "../../values/option.ts";
import type { GivenOutboxOptions, OutboxSettings } from "./outbox-settings.ts";

const lasting = ["outbox", "durableHolds", "onOrphan", "defaultUsage", "lagWatch"] as const;

/** In a bundle for the edge, where no process lasts: the options of an outbox are refused, not ignored. */
export function outboxSettings(options: GivenOutboxOptions, isolated: boolean): OutboxSettings {
  for (const name of lasting) {
    if (options[name]) {
      invalidOption(name, "none at the edge, where nothing outlasts a request", options[name]);
    }
  }
  if (!isolated) {
    const expected = "a function that keeps usage which could not be delivered, or a `queue`, at the edge";
    invalidOption("onUndelivered", expected, undefined);
  }
  return {
    outbox: undefined,
    durableHolds: false,
    onOrphan: "review",
    defaultUsage: undefined,
    lagWatch: false,
  };
}

/** Not called: {@link outboxSettings} asks for none of it. */
export function createOutboxDelivery(): undefined {}
export function createLagWatch(): undefined {}
export function createRecovery(): undefined {}
export function claimOutbox(): undefined {}

export const lastingTroubles = {};
export const lastingAdvice = "";
