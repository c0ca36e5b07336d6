import type { Data } from "@creditgate/client";
import { line, prose, record } from "@creditgate/client/parts";
import { z } from "zod";
import { organization, tagged } from "./define-endpoint.ts";
import { editFields, taggedFields } from "./etag.ts";
import { partOf, partQuery, validFrom } from "./part.ts";

const defineEndpoint = tagged("Orders and invoices");

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
  legalName: line(1, 256).describe("The legal name"),
  addressLines: addressLines
    .refine(({ length }) => length > 0, "Invalid input: expected one line or more, received none")
    .describe('Up to 8 lines, as ["Main Street 1","Berlin"]'),
  taxId: line(1, 64).nullish().describe("As a VAT number"),
  /** Up to 8, in the order in which they are printed. @default none */
  taxes: z
    .array(taxRate)
    .max(8)
    .refine(
      (taxes) => new Set(taxes.map(({ name }) => name)).size === taxes.length,
      "Invalid input: expected each name once",
    )
    .optional()
    .describe('What amounts contain, as [{"name":"VAT","basisPoints":1900}]'),
  /** Bank, register, whatever the law asks for. Line breaks are kept. */
  footer: prose(2048).nullish().describe("At the end of each document"),
  paymentTerms: prose(512).nullish().describe("As Due within 14 days"),
  /** An IANA name. @default that of the organisation's billing periods */
  timeZone: line(1, 64).optional().describe("In which the days of documents are"),
  validFrom,
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
    path: `${organization}/issuers`,
    kind: "list",
    scope: "read",
    query: partQuery,
    answer: partOf({ issuers: z.array(adminIssuer) }),
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
    summary: "Sets who issues them, from now on or later",
    statuses: [200, 201],
  }),
};
