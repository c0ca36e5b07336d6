import type { TaxRate } from "@creditgate/admin";
import type { Selectable } from "kysely";
import type { Database, DatabaseTransaction } from "../database/connection.ts";
import type { IssuersTable } from "../database/order-tables.ts";

type Reader = Pick<Database, "selectFrom">;
type Row = Selectable<IssuersTable>;

/** What is on documents of whom issues them. */
export interface IssuerTerms {
  readonly legalName: string;
  readonly addressLines: readonly string[];
  readonly taxId: string | null;
  /** In the order in which they are printed. */
  readonly taxes: readonly TaxRate[];
  readonly footer: string | null;
  readonly paymentTerms: string | null;
  /** In which the days of documents are. */
  readonly timeZone: string;
}

/** A version of it: it holds from an instant on, and is never changed. */
export interface Issuer extends IssuerTerms {
  readonly version: number;
  readonly validFrom: Date;
  /** As an actor of the audit log. */
  readonly setBy: string;
}

/** The one that holds at an instant. */
export async function issuerAt(database: Reader, orgId: bigint, at: Date): Promise<Issuer | undefined> {
  const row = await database
    .selectFrom("issuers")
    .selectAll()
    .where("org_id", "=", orgId)
    .where("valid_from", "<=", at)
    .orderBy("valid_from", "desc")
    .orderBy("version", "desc")
    .limit(1)
    .executeTakeFirst();
  return row && issuerOf(row);
}

/** The version that was set last. */
export async function newestIssuer(database: Reader, orgId: bigint): Promise<Issuer | undefined> {
  const row = await database
    .selectFrom("issuers")
    .selectAll()
    .where("org_id", "=", orgId)
    .orderBy("version", "desc")
    .limit(1)
    .executeTakeFirst();
  return row && issuerOf(row);
}

/** The version that a document names; the first of all for one that names none, since it was there before. */
export async function issuerOfDocument(
  database: Reader,
  orgId: bigint,
  version: number | null,
): Promise<Issuer | undefined> {
  const row = await database
    .selectFrom("issuers")
    .selectAll()
    .where("org_id", "=", orgId)
    .where("version", "=", version ?? 1)
    .executeTakeFirst();
  return row && issuerOf(row);
}

export function issuerOf(row: Row): Issuer {
  return {
    version: row.version,
    validFrom: row.valid_from,
    setBy: row.set_by,
    legalName: row.legal_name,
    addressLines: row.address,
    taxId: row.tax_id,
    taxes: row.taxes.map(({ name, basisPoints }) => ({ name, basisPoints })),
    footer: row.footer,
    paymentTerms: row.payment_terms,
    timeZone: row.time_zone,
  };
}

export interface IssuerSetting {
  readonly validFrom: Date;
  readonly setBy: string;
}

/**
 * Gives an organisation another issuer from an instant on; resolves its version. One that says what holds there already is
 * no new version. The organisation is locked.
 */
export async function setIssuer(
  transaction: DatabaseTransaction,
  orgId: bigint,
  terms: IssuerTerms,
  { validFrom, setBy }: IssuerSetting,
): Promise<{ readonly changed: boolean; readonly issuer: Issuer }> {
  const held = await issuerAt(transaction, orgId, validFrom);
  if (held !== undefined && isSame(held, terms)) return { changed: false, issuer: held };
  const newest = await newestIssuer(transaction, orgId);
  const row = await transaction
    .insertInto("issuers")
    .values({
      org_id: orgId,
      version: (newest?.version ?? 0) + 1,
      valid_from: validFrom,
      legal_name: terms.legalName,
      address: [...terms.addressLines],
      tax_id: terms.taxId,
      taxes: JSON.stringify(terms.taxes),
      footer: terms.footer,
      payment_terms: terms.paymentTerms,
      time_zone: terms.timeZone,
      set_by: setBy,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { changed: true, issuer: issuerOf(row) };
}

function isSame(held: Issuer, terms: IssuerTerms): boolean {
  return written(held) === written(terms);
}

function written({ legalName, addressLines, taxId, taxes, footer, paymentTerms, timeZone }: IssuerTerms) {
  const rates = taxes.map(({ name, basisPoints }) => [name, basisPoints]);
  return JSON.stringify([legalName, addressLines, taxId, rates, footer, paymentTerms, timeZone]);
}
