import { identifier } from "@creditgate/client";
import { walletCreateRequest, walletLimitsRequest } from "@creditgate/client/admin";
import { Router } from "express";
import { z } from "zod";
import type { Database } from "../database/connection.ts";
import { sendJson } from "../http/json.ts";
import { Problem } from "../http/problem.ts";
import { customerPath, requireCustomer, unknown } from "../http/references.ts";
import { invalid, parse } from "../http/validation.ts";
import { checkedMicroCredits } from "../money/credits.ts";
import type { Clock } from "../time/clock.ts";
import { requireCurrency } from "../wallets/known-currency.ts";
import { lockWallets } from "../wallets/ledger.ts";
import { openWallets } from "../wallets/opening.ts";
import { audit } from "./audit-log.ts";
import { administrator } from "./authentication.ts";
import { organizationOf, organizationPath } from "./scope.ts";
import { readWallets } from "./wallet-record.ts";

const walletPath = z.object({ external_id: identifier, credit_currency_key: identifier });

/** Wallets, which the public API cannot create, and their limits. */
export function walletAdminRoutes(database: Database, clock: Clock): Router {
  const router = Router();
  const path = `${organizationPath}/customers/:external_id/wallets`;

  router.post(path, async (request, response) => {
    const body = parse(walletCreateRequest, request.body, "body");
    const { external_id: customerId } = parse(customerPath, request.params, "path");
    const orgId = await organizationOf(database, request);
    const at = new Date(clock.now());
    const limit = checkedMicroCredits(
      body.kind === "prepaid" ? (body.overage_limit ?? 0) : body.postpaid_limit,
    );
    const wallet = await database.transaction().execute(async (transaction) => {
      await requireCustomer(transaction, orgId, customerId);
      const currency = body.credit_currency_key;
      await requireCurrency(transaction, orgId, currency);
      const opened = await openWallets(transaction, [{ orgId, customerId, currency }], at, {
        kind: body.kind,
        overageLimit: body.kind === "prepaid" ? limit : 0n,
        postpaidLimit: body.kind === "postpaid" ? limit : 0n,
      });
      if (opened === 0) {
        const detail = `credit_currency_key: expected one without a wallet, received ${JSON.stringify(currency)}`;
        throw new Problem(409, "wallet_exists", detail);
      }
      const [after = {}] = await readWallets(transaction, orgId, [customerId], currency);
      const who = { orgId, actor: administrator(response), subject: { customer: customerId, currency } };
      await audit(transaction, { ...who, action: "wallet.create", after }, at);
      return after;
    });
    sendJson(response, 201, wallet);
  });

  router.post(`${path}/:credit_currency_key/limits`, async (request, response) => {
    const body = parse(walletLimitsRequest, request.body, "body");
    const { external_id: customerId, credit_currency_key: currency } = parse(
      walletPath,
      request.params,
      "path",
    );
    const orgId = await organizationOf(database, request);
    const at = new Date(clock.now());
    const wallet = await database.transaction().execute(async (transaction) => {
      await requireCustomer(transaction, orgId, customerId);
      const [locked] = await lockWallets(transaction, [{ orgId, customerId, currency }]);
      if (locked === undefined) throw unknown("wallet", currency);
      const foreign = locked.kind === "prepaid" ? "postpaid_limit" : "overage_limit";
      if (body[foreign] !== undefined) {
        const detail = `expected none, since the wallet is ${locked.kind}, received ${body[foreign]}`;
        throw invalid([{ pointer: `/${foreign}`, detail }]);
      }
      const [before = {}] = await readWallets(transaction, orgId, [customerId], currency);
      const { overage_limit, postpaid_limit } = body;
      const next = {
        ...(overage_limit === undefined ? {} : { overage_limit: checkedMicroCredits(overage_limit) }),
        ...(postpaid_limit === undefined ? {} : { postpaid_limit: checkedMicroCredits(postpaid_limit) }),
      };
      const after = { ...before, ...next };
      if (Object.keys(next).length === 0) return after;
      await transaction
        .updateTable("wallets")
        .set(next)
        .where("org_id", "=", orgId)
        .where("customer_id", "=", customerId)
        .where("currency", "=", currency)
        .execute();
      const who = { orgId, actor: administrator(response), subject: { customer: customerId, currency } };
      await audit(transaction, { ...who, action: "wallet.limits", before, after }, at);
      return after;
    });
    sendJson(response, 200, wallet);
  });

  return router;
}
