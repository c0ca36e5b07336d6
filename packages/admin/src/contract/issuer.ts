import type { Data } from "@creditgate/client";
import { line, prose, record } from "@creditgate/client/parts";
import { z } from "zod";
import { defineEndpoint, organization } from "./define-endpoint.ts";
import { editFields, taggedFields } from "./etag.ts";
import { instant, partOf, partQuery } from "./part.ts";

/** The lines of a postal address. */
export const addressLines = z.array(line(1, 256)).max(8);

/** A tax that amounts contain. */
const taxRate = z.strictObject({
  /** As `VAT`: the rate is printed beside it. */
  name: line(1, 64),
  /** Hundredths of a percent: 1900 is 19 %. */
  basisPoints: z.int().min(0).max(10_000),
});

export type TaxRate = Data<typeof taxRate>;

export const issuerSetRequest = z.strictObject({
  ...editFields,
  legalName: line(1, 256),
  /** Up to 8. */
  addressLines: addressLines.refine(
    ({ length }) => length > 0,
    "Invalid input: expected one line or more, received none",
  ),
  taxId: line(1, 64).nullish(),
  /** Up to 8, in the order in which they are printed. Amounts contain them. @default none */
  taxes: z
    .array(taxRate)
    .max(8)
    .refine(
      (taxes) => new Set(taxes.map(({ name }) => name)).size === taxes.length,
      "Invalid input: expected each name once",
    )
    .optional(),
  /** At the end of each document: bank, register, whatever the law asks for. Line breaks are kept. */
  footer: prose(2048).nullish(),
  /** As `Due within 14 days`. */
  paymentTerms: prose(512).nullish(),
  /** An IANA name. @default that of the organisation's billing periods */
  timeZone: line(1, 64).optional(),
  /** From this instant on, as `2026-01-01T00:00:00Z`; not one that has passed. @default now */
  validFrom: instant.optional(),
});

/**
 * Who is to issue invoices and credit notes. What is left out is not on them. Its `etag` is that of the newest version: the one
 * with the highest number.
 */
export type IssuerSetRequest = Data<typeof issuerSetRequest>;

const adminIssuer = record({
  /** 1, 2, 3 … in the order in which they were set. */
  version: z.int(),
  validFrom: z.string(),
  /** As in the audit log. */
  setBy: z.string(),
  /** Whether it holds now. */
  inForce: z.boolean(),
  legalName: z.string(),
  addressLines: z.array(z.string()),
  taxId: z.string().nullable(),
  taxes: z.array(record({ name: z.string(), basisPoints: z.number() })),
  footer: z.string().nullable(),
  paymentTerms: z.string().nullable(),
  /** In which the days of its documents are. */
  timeZone: z.string(),
  ...taggedFields,
});

/** Who issues invoices and credit notes, from some instant on, until another version holds. */
export type AdminIssuer = Data<typeof adminIssuer>;

/** What taxes come to: each amount in minor units, a part of the whole. */
export const taxLines = z.array(record({ name: z.string(), basisPoints: z.number(), amount: z.number() }));

/** Who has issued, and will issue, the documents of an organisation, the last to hold first. */
export const issuers = {
  list: defineEndpoint({
    name: "issuerList",
    method: "GET",
    path: `${organization}/issuers`,
    kind: "list",
    scope: "read",
    query: partQuery,
    answer: partOf({ issuers: z.array(adminIssuer) }),
    tag: "Orders and invoices",
    summary: "Lists who issues invoices and credit notes, the last to hold first",
  }),
  /**
   * Sets who issues invoices and credit notes from an instant on; what is numbered already keeps its own. What holds
   * already is no new version. 422 `valid_from_past`. Retried.
   */
  set: defineEndpoint({
    name: "issuerSet",
    method: "POST",
    path: `${organization}/issuers`,
    idempotent: true,
    scope: "owner",
    body: issuerSetRequest,
    answer: adminIssuer,
    tag: "Orders and invoices",
    summary: "Sets who issues them, from now on or later",
    statuses: [200, 201],
  }),
};
