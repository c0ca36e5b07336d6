import { createGate, sharedGate } from "@creditgate/core";
import { client, currency } from "./billing.ts";
import { prices } from "./prices.ts";

// Next evaluates this module once for each bundle: they share one gate.
export const gate = sharedGate("chat", () =>
  createGate({
    client,
    currency,
    wallet: "prepaid",
    price: prices,
    // A chat can wait a moment for what to do when there is no balance.
    actionTimeoutMs: 2_000,
  }),
);
