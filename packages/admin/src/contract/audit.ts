import { type Data, identifier } from "@creditgate/client";
import { record } from "@creditgate/client/parts";
import { z } from "zod";
import { service, tagged } from "./define-endpoint.ts";
import { partFields, partOf, spanFields } from "./part.ts";

const defineEndpoint = tagged("Organisations");

const adminAuditRecord = record({
  auditId: z.number(),
  /** `null` for what concerns no organisation. */
  organizationId: z.string().nullable(),
  at: z.string(),
  /** `key:<id>` for an API key, `admin:<name>` for an administrator, else the part of the service that acted. */
  actor: z.string(),
  /** Such as `wallet.create`. */
  action: z.string(),
  subject: z.unknown(),
  before: z.unknown(),
  after: z.unknown(),
});

/** A change of money or keys, and who made it. */
export type AdminAuditRecord = Data<typeof adminAuditRecord>;

const filterFields = {
  ...spanFields,
  organizationId: z
    .string()
    .regex(/^\d{1,18}$/, "Invalid input: expected the ID of an organisation")
    .optional(),
  actor: identifier.optional().describe("Who made the change, such as user:mira@example.com"),
  action: identifier.optional().describe("Such as invoice.void"),
};

const auditFilter = z.strictObject(filterFields);

/** Which records of the audit log. */
export type AuditFilter = Data<typeof auditFilter>;

const auditQuery = z.strictObject({ ...partFields, ...filterFields });

/** Which part of them. */
export type AuditQuery = Data<typeof auditQuery>;

const auditAnswer = partOf({ records: z.array(adminAuditRecord) });

/** Who changed money or keys, of one organisation or of all, the newest first. */
export const audit = {
  list: defineEndpoint({
    name: "auditList",
    path: `${service}/audit`,
    kind: "list",
    scope: "read",
    query: auditQuery,
    answer: auditAnswer,
    summary: "Lists who changed money, prices or keys, the newest first",
  }),
  csv: defineEndpoint({
    name: "auditCsv",
    path: `${service}/audit.csv`,
    kind: "csv",
    scope: "read",
    query: auditFilter,
    summary: "The audit log as a file",
  }),
};
