import type { Service, Usage } from "@creditgate/core";
import type { Pool } from "pg";

/** Whole credits: one for the message, and two for each thousand tokens of its answer, or a part of them. */
export function price({ outputTokens = 0 }: Usage): number {
  return 1 + Math.ceil((2 * outputTokens) / 1_000);
}

/**
 * Stores reports and debits wallets in one statement: both or neither. Wallets are locked in the order of their customers,
 * so that two calls never deadlock. A key that is stored already returns what it cost then, and debits nothing.
 */
const bill = `
with given as (
  select * from jsonb_to_recordset($1::jsonb) as given(key text, customer_id text, credits bigint, usage jsonb)
), wallet as (
  select customer_id from wallets where customer_id in (select customer_id from given)
  order by customer_id for update
), billed as (
  insert into billed_usage as stored (key, customer_id, credits, usage)
  select key, customer_id, credits, usage from given join wallet using (customer_id)
  on conflict (key) do update set key = stored.key
  returning key, customer_id, credits, xmax = 0 as is_new
), debited as (
  update wallets set available = available - owed.credits
  from (select customer_id, sum(credits) as credits from billed where is_new group by customer_id) as owed
  where wallets.customer_id = owed.customer_id
)
select key, credits from billed`;

/** The credits in the table of schema.sql, as the gate reads and debits them. */
export function tableService(sql: Pool): Service {
  return {
    name: "wallets",
    settles: "at once",

    async balance(customerId) {
      const { rows } = await sql.query("select available from wallets where customer_id = $1", [customerId]);
      return rows[0] && { available: Number(rows[0].available) };
    },

    async report(reports) {
      const given = reports.map(({ key, customerId, usage }) => {
        return { key, customer_id: customerId, credits: price(usage), usage };
      });
      const { rows } = await sql.query(bill, [JSON.stringify(given)]);
      const costs = new Map(rows.map(({ key, credits }) => [key, Number(credits)]));
      return reports.map(({ key, customerId }) => {
        const credits = costs.get(key);
        return credits === undefined ? { refused: `${customerId} has no wallet` } : { credits };
      });
    },
  };
}
