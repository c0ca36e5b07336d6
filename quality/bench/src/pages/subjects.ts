import type pg from "pg";

/** What the pages are of: one of each, of the large organisation; the customer is one of those who use most. */
export interface Subjects {
  readonly customer: string;
  readonly order: string;
  readonly invoice: string;
  readonly endpoint: string;
}

export async function readSubjects(client: pg.Client): Promise<Subjects> {
  const { rows } = await client.query<Subjects>(`
    select customer_id as customer, order_id as order, invoice_id as invoice,
           (select endpoint_id from webhook_endpoints where org_id = 1 limit 1) as endpoint
      from invoices where org_id = 1 and kind = 'order' order by customer_id limit 1`);
  const [subjects] = rows;
  if (subjects === undefined)
    throw new Error("the database has no invoice: it was not filled by npm run bench");
  return subjects;
}
