import type { Selectable } from "kysely";
import type { Database } from "../database/connection.ts";
import { groupRows } from "../database/group-rows.ts";
import type { InvoicesTable } from "../database/order-tables.ts";
import { sumByCurrency } from "../orders/invoice.ts";
import type { OrderedItem } from "./lines.ts";

export interface Ordered {
  /** What the order is called; `undefined` for an invoice of a period. */
  readonly name: string | undefined;
  readonly items: readonly OrderedItem[];
}

/** What an invoice is for, where that is an order. */
export async function readOrdered(
  database: Pick<Database, "selectFrom">,
  { org_id, order_id, kind }: Selectable<InvoicesTable>,
): Promise<Ordered> {
  if (kind === "period" || order_id === null) return { name: undefined, items: [] };
  const { name } = await database
    .selectFrom("orders")
    .select("name")
    .where("org_id", "=", org_id)
    .where("order_id", "=", order_id)
    .executeTakeFirstOrThrow();
  const items = await database
    .selectFrom("order_line_items")
    .select(["position", "agent_id", "fee_amount"])
    .where("org_id", "=", org_id)
    .where("order_id", "=", order_id)
    .orderBy("position")
    .execute();
  const benefits = await database
    .selectFrom("credit_benefits")
    .select(["position", "currency", "amount"])
    .where("org_id", "=", org_id)
    .where("order_id", "=", order_id)
    .orderBy("position")
    .orderBy("currency")
    .execute();
  const credits = groupRows(benefits, ({ position }) => String(position));
  return {
    name,
    items: items.map(({ position, agent_id, fee_amount }) => ({
      agentId: agent_id,
      fee: fee_amount,
      credits: sumByCurrency(credits.get(String(position)) ?? []),
    })),
  };
}
