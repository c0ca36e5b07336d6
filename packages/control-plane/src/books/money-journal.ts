import { type RawBuilder, sql } from "kysely";
import { createKeyset, during, readCursor } from "../lists/keyset.ts";
import { type EntryPart, type Journal, limited } from "./journal.ts";

/** What happens to an invoice, in this order where it happens at one instant. Each step is read by an index of its own. */
interface Step {
  readonly step: 1 | 2 | 3 | 4;
  readonly table: "invoices" | "credit_notes";
  readonly time: string;
  readonly id: string;
  readonly text: RawBuilder<unknown>;
}

const steps: readonly Step[] = [
  {
    ...{ step: 1, table: "invoices", time: "created_at", id: "invoice_id" },
    text: sql`case kind when 'order' then 'invoice of an order' else 'invoice of a period' end`,
  },
  { step: 2, table: "invoices", time: "paid_at", id: "invoice_id", text: sql`'payment'` },
  { step: 3, table: "invoices", time: "voided_at", id: "invoice_id", text: sql`'void'` },
  {
    ...{ step: 4, table: "credit_notes", time: "created_at", id: "credit_note_id" },
    text: sql`'credit note: ' || reason`,
  },
];

const keyTypes = ["timestamptz", "bigint", "uuid"] as const;
const byTime = createKeyset("asc", [
  ["at", keyTypes[0]],
  ["step", keyTypes[1]],
  ["id", keyTypes[2]],
]);

/** What is invoiced is owed; it is paid or void. What is credited is owed to the customer. Amounts contain their tax. */
export const moneyJournal: Journal = {
  name: "money",
  entries: (part) => sql`
    select *
      from (${sql.join(
        steps.map((step) => entriesOf(step, part)),
        sql` union all `,
      )}) as document
     ${part === undefined ? sql`` : limited(part, byTime.order)}`,
  place: byTime.place,
  words: sql`
    case step when 4 then concat('CN-', number) else concat('INV-', number, case step when 2 then ' paid' when 3 then ' void' end) end,
    concat('INV-', case step when 4 then (select invoices.number from invoices
                                           where (invoices.org_id, invoices.invoice_id) = (entry.org_id, entry.invoice_id))
                             else number end),
    text`,
  postings: sql`
    select 1, case step when 2 then 'cash' when 4 then 'payables' else 'receivables' end,
           case when step in (1, 2) then amount else -amount end
     union all
    select 2, 'receivables', -amount where step = 2
     union all
    select 3, 'revenue', case step when 1 then -1 else 1 end * (amount - coalesce(tax_amount, 0)) where step <> 2
     union all
    select 3 + position, 'tax:' || (tax ->> 'name'), case step when 1 then -1 else 1 end * (tax ->> 'amount')::bigint
      from jsonb_array_elements(taxes) with ordinality as line (tax, position)
     where step <> 2`,
  // There are few beside those of credits.
  condensed: sql`select * from entry`,
};

function entriesOf({ step, table, time, id, text }: Step, part: EntryPart | undefined): RawBuilder<unknown> {
  const [at, key] = [sql.ref(time), sql.ref(id)];
  return sql`
    (select org_id, ${at} as at, ${sql.lit(step)}::int as step, ${key} as id, customer_id, currency, invoice_id, number,
            ${text} as text, amount, tax_amount, taxes
       from ${sql.table(table)}
      where ${at} is not null
      ${
        part === undefined
          ? sql``
          : sql`and org_id = ${part.orgId} and ${during(time, part.span)}
                and ${part.cursor === undefined ? sql`true` : after(part.cursor, step, at, key)}
                and ${part.until === undefined ? sql`true` : sql`not ${after(part.until, step, at, key)}`}
                ${limited(part, sql`${at}, ${key}`)}`
      })`;
}

/** The place of a cursor is in one step: those of its instant that are of an earlier step come before it, of a later one after. */
function after(cursor: string, step: number, at: RawBuilder<unknown>, key: RawBuilder<unknown>) {
  const [lastAt, lastStep, lastId] = readCursor(cursor, keyTypes);
  if (step === Number(lastStep)) return sql`((${at}, ${key}) > (${lastAt}::timestamptz, ${lastId}::uuid))`;
  return step > Number(lastStep)
    ? sql`(${at} >= ${lastAt}::timestamptz)`
    : sql`(${at} > ${lastAt}::timestamptz)`;
}
