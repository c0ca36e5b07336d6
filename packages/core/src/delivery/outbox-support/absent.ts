import { refuseName } from "../../values/option.ts";
import type { GivenOutboxOptions, OutboxSettings } from "./outbox-settings.ts";

const durable = ["outbox", "durableHolds", "onOrphan", "defaultUsage", "lagWatch", "check"] as const;

/** In a bundle for the edge, where no process lasts: the options of an outbox are refused, not ignored. */
export function outboxSettings(options: GivenOutboxOptions): OutboxSettings {
  for (const name of durable) {
    if (options[name]) {
      refuseName(`${name}: none at the edge`);
    }
  }
  return {
    outbox: undefined,
    durableHolds: false,
    onOrphan: "review",
    defaultUsage: undefined,
    lagWatch: false,
    check: false,
  };
}

/** Not called: {@link outboxSettings} asks for none of it. */
export function createOutboxDelivery(): undefined {}
export function createLagWatch(): undefined {}
export function createRecovery(): undefined {}
export function claimOutbox(): undefined {}
export async function writeHold(): Promise<undefined> {}
