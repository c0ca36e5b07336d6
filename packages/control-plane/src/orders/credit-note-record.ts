import { type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import type { Database } from "../database/connection.ts";
import type { WrittenTax } from "../database/order-tables.ts";
import type { Tables } from "../database/tables.ts";
import type { JsonObject } from "../http/json.ts";
import { creditNoteNumber, type TaxLine, taxRecord } from "./invoice-record.ts";

type Reader = Pick<Database, "selectFrom">;

/** A credit note as the admin API answers it. */
export interface CreditNoteRecord extends JsonObject {
  readonly creditNoteId: string;
  readonly number: string;
  readonly invoiceId: string;
  readonly customerExternalId: string;
  /** Minor units. */
  readonly amount: number | null;
  readonly currency: string | null;
  readonly credits: readonly { readonly creditCurrencyKey: string; readonly credits: bigint }[];
  readonly reason: string;
  readonly createdAt: string;
  readonly taxAmount: number | null;
  readonly taxes: readonly TaxLine[] | null;
}

/** A credit note as it is read. */
export interface CreditNoteRow {
  readonly credit_note_id: string;
  readonly number: bigint;
  readonly invoice_id: string;
  readonly customer_id: string;
  readonly amount: bigint | null;
  readonly currency: string | null;
  readonly reason: string;
  readonly created_at: Date;
  readonly tax_amount: bigint | null;
  readonly taxes: readonly WrittenTax[] | null;
  /** Currency, and micro-credits as text. */
  readonly credits: readonly (readonly [currency: string, amount: string])[];
}

const credits: RawBuilder<CreditNoteRow["credits"]> = sql`
  (select coalesce(json_agg(json_build_array(part.currency, part.amount::text) order by part.currency), '[]')
     from credit_note_credits as part
    where (part.org_id, part.credit_note_id) = (credit_notes.org_id, credit_notes.credit_note_id))`;

/** The credit notes of an organisation. */
export function selectCreditNotes(
  database: Reader,
  orgId: bigint,
): SelectQueryBuilder<Tables, "credit_notes", CreditNoteRow> {
  return database
    .selectFrom("credit_notes")
    .select([
      "credit_note_id",
      "number",
      "invoice_id",
      "customer_id",
      "amount",
      "currency",
      "reason",
      "created_at",
      "tax_amount",
      "taxes",
    ])
    .select(credits.as("credits"))
    .where("org_id", "=", orgId);
}

/** A credit note that is there. */
export async function readCreditNote(
  database: Reader,
  orgId: bigint,
  creditNoteId: string,
): Promise<CreditNoteRecord> {
  const note = selectCreditNotes(database, orgId).where("credit_note_id", "=", creditNoteId);
  return creditNoteRecord(await note.executeTakeFirstOrThrow());
}

export function creditNoteRecord(note: CreditNoteRow): CreditNoteRecord {
  return {
    creditNoteId: note.credit_note_id,
    number: creditNoteNumber(note.number),
    invoiceId: note.invoice_id,
    customerExternalId: note.customer_id,
    amount: note.amount === null ? null : Number(note.amount),
    currency: note.currency,
    credits: note.credits.map(([creditCurrencyKey, amount]) => ({
      creditCurrencyKey,
      credits: BigInt(amount),
    })),
    reason: note.reason,
    createdAt: note.created_at.toISOString(),
    ...taxRecord(note),
  };
}
