import type { AdminEndpoints } from "@creditgate/admin";
import { audit } from "../audit/audit-log.ts";
import { answer, type Handler } from "../endpoint/call.ts";
import { Problem, requireCustomer, unknown } from "../http/problem.ts";
import { checkedMicroCredits } from "../money/decimal.ts";
import { topUp } from "../routes/wallets.ts";
import { type Adjustment, adjust } from "../wallets/top-up.ts";
import type { AdminHandlers } from "./table.ts";
import { readWallets } from "./wallet-record.ts";

/** Top-ups, as organisations make them, and refunds and corrections in either direction, each with its reason. */
export const adjustmentHandlers: Pick<AdminHandlers, "adminTopUp" | "walletRefund" | "walletCorrection"> = {
  adminTopUp: (call) => topUp(call, call.body.reason),
  walletRefund: adjusting("refund"),
  walletCorrection: adjusting("correction"),
};

function adjusting(cause: Adjustment["cause"]): Handler<AdminEndpoints["walletRefund"]> {
  return async ({ orgId, actor, at, body, once }) => {
    const { customerId, creditCurrencyKey: currency, reason } = body;
    const amount = checkedMicroCredits(body.credits);
    return once(async (transaction) => {
      await requireCustomer(transaction, orgId, customerId);
      const result = await adjust(transaction, { orgId, customerId, currency, cause, amount, reason }, at);
      if (!result.adjusted) throw refusal(result.reason, currency);
      const { before, after } = result;
      const subject = { customer: customerId, currency, reason };
      const change = { subject, before, after };
      await audit(transaction, { orgId, actor, action: `wallet.${cause}`, ...change }, at);
      const [wallet = {}] = await readWallets(transaction, orgId, [customerId], currency);
      return answer(200, wallet);
    });
  };
}

function refusal(reason: "wallet_missing" | "more_than_used" | "out_of_range", currency: string): Problem {
  if (reason === "wallet_missing") return unknown("wallet", currency);
  return reason === "more_than_used"
    ? new Problem(422, "more_than_used", "credits: expected at most postpaidUsed, received more")
    : new Problem(422, "amount_out_of_range", "credits: expected what the wallet can hold, received more");
}
