import { z } from "zod";
import { line, prose } from "../../contract/text.ts";
import { type Edit, editFields, type Tagged, taggedFields } from "./etag.ts";
import { instant, type Part, partEnd } from "./part.ts";

/** A tax that amounts contain. */
export interface TaxRate {
  /** As `VAT`: the rate is printed beside it. */
  readonly name: string;
  /** Hundredths of a percent: 1900 is 19 %. */
  readonly basisPoints: number;
}

/** What a tax comes to. */
export interface TaxLine extends TaxRate {
  /** Minor units, a part of the amount. */
  readonly amount: number;
}

/** Who issues invoices and credit notes, from some instant on, until another version holds. */
export interface AdminIssuer extends Tagged {
  /** 1, 2, 3 … in the order in which they were set. */
  readonly version: number;
  readonly validFrom: string;
  /** As in the audit log. */
  readonly setBy: string;
  /** Whether it holds now. */
  readonly inForce: boolean;
  readonly legalName: string;
  readonly addressLines: readonly string[];
  readonly taxId: string | null;
  readonly taxes: readonly TaxRate[];
  readonly footer: string | null;
  readonly paymentTerms: string | null;
  /** In which the days of its documents are. */
  readonly timeZone: string;
}

/**
 * Who is to issue invoices and credit notes. What is left out is not on them. Its `etag` is that of the newest version: the one
 * with the highest number.
 */
export interface IssuerSetRequest extends Edit {
  readonly legalName: string;
  /** Up to 8. */
  readonly addressLines: readonly string[];
  readonly taxId?: string | null | undefined;
  /** Up to 8, in the order in which they are printed. Amounts contain them. @default none */
  readonly taxes?: readonly TaxRate[] | undefined;
  /** At the end of each document: bank, register, whatever the law asks for. Line breaks are kept. */
  readonly footer?: string | null | undefined;
  /** As `Due within 14 days`. */
  readonly paymentTerms?: string | null | undefined;
  /** An IANA name. @default that of the organisation's billing periods */
  readonly timeZone?: string | undefined;
  /** From this instant on, as `2026-01-01T00:00:00Z`; not one that has passed. @default now */
  readonly validFrom?: string | undefined;
}

/** The lines of a postal address. */
export const addressLines: z.ZodType<readonly string[]> = z.array(line(1, 256)).max(8);

const taxRate = z.strictObject({ name: line(1, 64), basisPoints: z.int().min(0).max(10_000) });

/** Parses the body that sets an issuer. */
export const issuerSetRequest: z.ZodType<IssuerSetRequest> = z.strictObject({
  ...editFields,
  legalName: line(1, 256),
  addressLines: addressLines.refine(
    ({ length }) => length > 0,
    "Invalid input: expected one line or more, received none",
  ),
  taxId: line(1, 64).nullish(),
  taxes: z
    .array(taxRate)
    .max(8)
    .refine(
      (taxes) => new Set(taxes.map(({ name }) => name)).size === taxes.length,
      "Invalid input: expected each name once",
    )
    .optional(),
  footer: prose(2048).nullish(),
  paymentTerms: prose(512).nullish(),
  timeZone: line(1, 64).optional(),
  validFrom: instant.optional(),
});

/** Parses an issuer. Fields that are not listed are passed on. */
export const adminIssuer: z.ZodType<AdminIssuer> = z.looseObject({
  version: z.int(),
  validFrom: z.string(),
  setBy: z.string(),
  inForce: z.boolean(),
  legalName: z.string(),
  addressLines: z.array(z.string()),
  taxId: z.string().nullable(),
  taxes: z.array(z.looseObject({ name: z.string(), basisPoints: z.number() })),
  footer: z.string().nullable(),
  paymentTerms: z.string().nullable(),
  timeZone: z.string(),
  ...taggedFields,
});

/** Parses what taxes come to. */
export const taxLines: z.ZodType<readonly TaxLine[]> = z.array(
  z.looseObject({ name: z.string(), basisPoints: z.number(), amount: z.number() }),
);

/** A part of the issuers, the last to hold first. */
export interface IssuerListAnswer extends Part {
  readonly issuers: readonly AdminIssuer[];
}

/** Parses a part of the issuers. */
export const issuerListAnswer: z.ZodType<IssuerListAnswer> = z.looseObject({
  issuers: z.array(adminIssuer),
  ...partEnd,
});
