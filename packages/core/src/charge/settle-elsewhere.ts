import { toMicro } from "../values/micro.ts";
import { checkNumber } from "../values/option.ts";
import type { Charge } from "./charge.ts";
import { insideOf } from "./inside.ts";

/**
 * Ends work that the service has been billed for by other requests than usage reports, and has acknowledged, such as a voice call by its
 * indicator (API 4.6): what was held becomes usage of that number of credits, which count until a balance shows their debit. What was reported
 * as well is billed as ever. Resolves and rejects as `settle()` does; without effect on work that has ended. Throws an `invalid_option`
 * error for credits that are no amount.
 */
export function settleElsewhere(charge: Charge, credits: number): Promise<void> {
  const amount = toMicro(checkNumber("credits", credits, 0, Number.MAX_VALUE), "ceil");
  charge.endCalls();
  const inside = charge.open ? insideOf(charge) : undefined;
  if (inside !== undefined) {
    const { admitted, billing } = inside;
    const { hold, more } = admitted;
    admitted.elsewhere = amount;
    const account = admitted.account && billing.accountOf(admitted);
    // In one step, and before the rest goes back: else another could take what the work has cost.
    for (const usage of account?.settle(hold, [amount]) ?? []) account?.acknowledge(usage, billing.lagMs);
    for (const further of more) account?.settle(further, []);
  }
  return charge.settle();
}
