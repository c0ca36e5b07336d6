import { type WalletTopUp, walletBalanceQuery, walletTopUpRequest } from "@creditgate/client";
import { Router } from "express";
import { audit } from "../admin/audit-log.ts";
import type { Database } from "../database/connection.ts";
import { actor, organization } from "../http/authentication.ts";
import { allow } from "../http/errors.ts";
import { echoKey, hashOf, idempotencyKey, once } from "../http/idempotency.ts";
import { type Json, sendJson, sendText, stringify } from "../http/json.ts";
import { requireCustomer, unknown } from "../http/references.ts";
import { invalid, parse } from "../http/validation.ts";
import { maxCredits, microCredits } from "../money/credits.ts";
import type { Clock } from "../time/clock.ts";
import { readBalances, type WalletBalances } from "../wallets/balances.ts";
import { type Credit, type TopUpResult, topUpWallets } from "../wallets/top-up.ts";

/** Balances and top-ups (API, section 4.1). */
export function walletRoutes(database: Database, clock: Clock): Router {
  const router = Router();

  router.get("/api/v1/wallet/balance", async (request, response) => {
    const { customer_id } = parse(walletBalanceQuery, request.query, "query");
    const orgId = organization(response);
    const wallets = await readBalances(database, orgId, customer_id);
    if (wallets === undefined) throw unknown("customer", customer_id);
    const balances = new Map<string, Json>(wallets.map((wallet) => [wallet.currency, entryOf(wallet)]));
    sendJson(response, 200, { balances });
  });

  router.post("/api/v1/wallet/top-up", async (request, response) => {
    const body = parse(walletTopUpRequest, request.body, "body");
    const credits = body.top_ups.map(creditOf);
    const orgId = organization(response);
    const key = idempotencyKey(request);
    const at = new Date(clock.now());
    const identity = { orgId, key, hash: hashOf(body) };
    const answer = await once(database, "wallet/top-up", identity, at, async (transaction) => {
      await requireCustomer(transaction, orgId, body.customer_id);
      const { results, before, after } = await topUpWallets(
        transaction,
        orgId,
        body.customer_id,
        credits,
        at,
      );
      const answer = { status: 200, body: stringify(report(results)) };
      // A payment is delivered again, with its key, until there is a wallet for it: that must not get this answer then.
      if (!results.some(({ success }) => success)) return { ...answer, idle: true };
      const change = { subject: body.customer_id, before, after };
      await audit(transaction, { orgId, actor: actor(response), action: "wallet.top_up", ...change }, at);
      return answer;
    });
    echoKey(response, key);
    sendText(response, answer.status, answer.body);
  });

  router.all("/api/v1/wallet/balance", allow("GET"));
  router.all("/api/v1/wallet/top-up", allow("POST"));

  return router;
}

function entryOf(wallet: WalletBalances): Json {
  return {
    available: wallet.available,
    pending: wallet.pending,
    overage_used: wallet.overage_used,
    overage_limit: wallet.overage_limit,
    postpaid_used: wallet.postpaid_used,
    postpaid_limit: wallet.postpaid_limit,
    unsettled: wallet.unsettled,
    kind: wallet.kind,
  };
}

function creditOf({ credit_currency_key, credits }: WalletTopUp, index: number): Credit {
  const amount = credits > maxCredits ? undefined : microCredits(credits);
  if (amount !== undefined) return { currency: credit_currency_key, amount };
  throw invalid([
    {
      pointer: `/top_ups/${index}/credits`,
      detail: `expected at most ${maxCredits} credits with at most 6 decimals, received ${credits}`,
    },
  ]);
}

function report(results: readonly TopUpResult[]): Json {
  const done = results.filter(({ success }) => success).length;
  return {
    message: `${done} of ${results.length} wallets topped up`,
    results: results.map(({ currency, ...rest }) => ({ credit_currency_key: currency, ...rest })),
  };
}
