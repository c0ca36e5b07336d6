import { type AdjustmentRequest, correctionRequest, refundRequest } from "@creditgate/client/admin";
import { type RequestHandler, Router } from "express";
import type { z } from "zod";
import type { Database } from "../database/connection.ts";
import { echoKey, hashOf, idempotencyKey, once } from "../http/idempotency.ts";
import { sendText, stringify } from "../http/json.ts";
import { Problem } from "../http/problem.ts";
import { requireCustomer, unknown } from "../http/references.ts";
import { parse } from "../http/validation.ts";
import { checkedMicroCredits } from "../money/credits.ts";
import type { Clock } from "../time/clock.ts";
import { type Adjustment, adjust } from "../wallets/adjustment.ts";
import { audit } from "./audit-log.ts";
import { administrator } from "./authentication.ts";
import { organizationOf, organizationPath } from "./scope.ts";
import { readWallets } from "./wallet-record.ts";

/** Refunds, and corrections in either direction: entries of the ledger, each with its reason. */
export function adjustmentRoutes(database: Database, clock: Clock): Router {
  const router = Router();

  const adjusting =
    (cause: Adjustment["cause"], schema: z.ZodType<AdjustmentRequest>): RequestHandler =>
    async (request, response) => {
      const body = parse(schema, request.body, "body");
      const orgId = await organizationOf(database, request);
      const key = idempotencyKey(request);
      const at = new Date(clock.now());
      const { customer_id: customerId, credit_currency_key: currency, reason } = body;
      const amount = checkedMicroCredits(body.credits);
      const identity = { orgId, key, hash: hashOf(body) };
      const answer = await once(database, `admin/${cause}`, identity, at, async (transaction) => {
        await requireCustomer(transaction, orgId, customerId);
        const result = await adjust(transaction, { orgId, customerId, currency, cause, amount, reason }, at);
        if (!result.adjusted) throw refusal(result.reason, currency);
        const { before, after } = result;
        const subject = { customer: customerId, currency, reason };
        const who = { orgId, actor: administrator(response) };
        await audit(transaction, { ...who, action: `wallet.${cause}`, subject, before, after }, at);
        const [wallet = {}] = await readWallets(transaction, orgId, [customerId], currency);
        return { status: 200, body: stringify(wallet) };
      });
      echoKey(response, key);
      sendText(response, answer.status, answer.body);
    };

  router.post(`${organizationPath}/refunds`, adjusting("refund", refundRequest));
  router.post(`${organizationPath}/corrections`, adjusting("correction", correctionRequest));

  return router;
}

function refusal(reason: "wallet_missing" | "more_than_used" | "out_of_range", currency: string): Problem {
  if (reason === "wallet_missing") return unknown("wallet", currency);
  return reason === "more_than_used"
    ? new Problem(422, "more_than_used", "credits: expected at most postpaid_used, received more")
    : new Problem(422, "amount_out_of_range", "credits: expected what the wallet can hold, received more");
}
