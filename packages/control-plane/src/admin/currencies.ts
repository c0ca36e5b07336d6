import type { Database } from "../database/connection.ts";
import { answer } from "../endpoint/call.ts";
import type { JsonObject } from "../http/json.ts";
import { requireRoomForCurrencies } from "../limits/limits.ts";
import { createKeyset, listPart, readPart } from "../lists/keyset.ts";
import { formatDecimal, parseDecimal } from "../money/decimal.ts";
import { setUnitPrice } from "../pricing/unit-price.ts";
import { auditEdit, type TaggedRecord, tagged } from "./edits.ts";
import type { AdminHandlers } from "./table.ts";

const byKey = createKeyset("asc", [["currency", "text"]]);

/** Credit currencies. They come into being where they are first named: here, in a price, an order or a fixture. */
export function currencyHandlers(database: Database) {
  return {
    async currencyList({ orgId, query }) {
      const currencies = database.selectFrom("currencies").selectAll().where("org_id", "=", orgId);
      const { rows, next } = await readPart(currencies, byKey, listPart(query));
      return answer(200, { currencies: rows.map(described), next });
    },

    async currencySet(call) {
      const {
        orgId,
        at,
        body: { creditCurrencyKey: key, name, unitPrice },
      } = call;
      const { before, after } = await database.transaction().execute(async (transaction) => {
        const old = await transaction
          .selectFrom("currencies")
          .selectAll()
          .where("org_id", "=", orgId)
          .where("currency", "=", key)
          .forNoKeyUpdate()
          .executeTakeFirst();
        if (old === undefined) await requireRoomForCurrencies(transaction, orgId, [key], at);
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
        const current = old && described(old);
        await auditEdit(transaction, call, {
          action: "currency.set",
          orgId,
          subject: key,
          current,
          ...change,
        });
        return { before: old, after: row };
      });
      return answer(before === undefined ? 201 : 200, described(after));
    },
  } satisfies Partial<AdminHandlers>;
}

interface CurrencyRow {
  readonly currency: string;
  readonly name: string | null;
  readonly unit_amount: string | null;
  readonly unit_currency: string | null;
}

function described(row: CurrencyRow): TaggedRecord {
  return tagged("currency.set", record(row));
}

function record(row: CurrencyRow): JsonObject {
  return {
    creditCurrencyKey: row.currency,
    name: row.name,
    unitPrice: row.unit_amount === null ? null : { amount: row.unit_amount, currency: row.unit_currency },
  };
}

function decimal(source: string | number | undefined): string | null {
  const exact = source === undefined ? undefined : parseDecimal(source);
  return exact === undefined ? null : formatDecimal(exact);
}
