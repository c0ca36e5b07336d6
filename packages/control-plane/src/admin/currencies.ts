import { type CurrencySetRequest, currencySetRequest } from "@creditgate/client/admin";
import { Router } from "express";
import { z } from "zod";
import type { Database } from "../database/connection.ts";
import { type JsonObject, sendJson } from "../http/json.ts";
import { parse } from "../http/validation.ts";
import { formatDecimal, parseDecimal } from "../money/decimal.ts";
import { maxUnitAmount, setUnitPrice } from "../pricing/unit-price.ts";
import type { Clock } from "../time/clock.ts";
import { audit } from "./audit-log.ts";
import { administrator } from "./authentication.ts";
import { longPage, organizationOf, organizationPath, parseQuery } from "./scope.ts";

const query = z.object(longPage);

/** The price is in minor units of money, in decimal: a credit may cost less than a cent. */
const currency: z.ZodType<CurrencySetRequest> = currencySetRequest.refine(
  ({ unitPrice }) => unitPrice === null || unitPrice === undefined || isAmount(unitPrice.amount),
  {
    path: ["unitPrice", "amount"],
    message: `expected a decimal from 0 to ${maxUnitAmount}, with at most 15 decimals`,
  },
);

/** Credit currencies. They come into being where they are first named: here, in a price, an order or a fixture. */
export function currencyRoutes(database: Database, clock: Clock): Router {
  const router = Router();
  const path = `${organizationPath}/currencies`;

  router.get(path, async (request, response) => {
    const { page, limit } = parseQuery(query, request);
    const orgId = await organizationOf(database, request);
    const rows = await database
      .selectFrom("currencies")
      .selectAll()
      .where("org_id", "=", orgId)
      .orderBy("currency")
      .limit(limit)
      .offset(BigInt(page - 1) * BigInt(limit))
      .execute();
    sendJson(response, 200, { currencies: rows.map(record), page, limit });
  });

  router.post(path, async (request, response) => {
    const { credit_currency_key: key, name, unitPrice } = parse(currency, request.body, "body");
    const orgId = await organizationOf(database, request);
    const at = new Date(clock.now());
    const { before, after } = await database.transaction().execute(async (transaction) => {
      const old = await transaction
        .selectFrom("currencies")
        .selectAll()
        .where("org_id", "=", orgId)
        .where("currency", "=", key)
        .forNoKeyUpdate()
        .executeTakeFirst();
      // What is not given stays.
      const terms = {
        ...(name === undefined ? {} : { name }),
        ...(unitPrice === undefined
          ? {}
          : { unit_amount: decimal(unitPrice?.amount), unit_currency: unitPrice?.currency ?? null }),
      };
      const row = await transaction
        .insertInto("currencies")
        .values({
          org_id: orgId,
          currency: key,
          name: null,
          unit_amount: null,
          unit_currency: null,
          ...terms,
        })
        .onConflict((conflict) =>
          conflict.columns(["org_id", "currency"]).doUpdateSet({ currency: key, ...terms }),
        )
        .returningAll()
        .executeTakeFirstOrThrow();
      if (unitPrice !== undefined) await setUnitPrice(transaction, orgId, row, at);
      const change = { before: old === undefined ? null : record(old), after: record(row) };
      const who = { orgId, actor: administrator(response) };
      await audit(transaction, { ...who, action: "currency.set", subject: key, ...change }, at);
      return change;
    });
    sendJson(response, before === null ? 201 : 200, after);
  });

  return router;
}

interface CurrencyRow {
  readonly currency: string;
  readonly name: string | null;
  readonly unit_amount: string | null;
  readonly unit_currency: string | null;
}

function record(row: CurrencyRow): JsonObject {
  return {
    credit_currency_key: row.currency,
    name: row.name,
    unitPrice: row.unit_amount === null ? null : { amount: row.unit_amount, currency: row.unit_currency },
  };
}

function decimal(source: string | number | undefined): string | null {
  const exact = source === undefined ? undefined : parseDecimal(source);
  return exact === undefined ? null : formatDecimal(exact);
}

function isAmount(source: string | number): boolean {
  const exact = parseDecimal(source);
  if (exact === undefined || exact.digits < 0n || exact.scale > 15) return false;
  return exact.digits <= BigInt(maxUnitAmount) * 10n ** BigInt(exact.scale);
}
