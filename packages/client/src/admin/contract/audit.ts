import { z } from "zod";
import { identifier } from "../../contract/text.ts";
import { type Part, type PartQuery, partEnd, partFields, type SpanQuery, spanFields } from "./part.ts";

/** A change of money or keys, and who made it. */
export interface AdminAuditRecord {
  readonly auditId: number;
  /** `null` for what concerns no organisation. */
  readonly organizationId: string | null;
  readonly at: string;
  /** `key:<id>` for an API key, `admin:<name>` for an administrator, else the part of the service that acted. */
  readonly actor: string;
  /** Such as `wallet.create`. */
  readonly action: string;
  readonly subject?: unknown;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Which records of the audit log. */
export interface AuditFilter extends SpanQuery {
  readonly organization_id?: string | undefined;
  /** Who made the change, such as `user:mira@example.com`. */
  readonly actor?: string | undefined;
  /** Such as `wallet.create`. */
  readonly action?: string | undefined;
}

/** Which part of them. */
export interface AuditQuery extends PartQuery, AuditFilter {}

/** Parses a record of the audit log. Fields that are not listed are passed on. */
export const adminAuditRecord: z.ZodType<AdminAuditRecord> = z.looseObject({
  auditId: z.number(),
  organizationId: z.string().nullable(),
  at: z.string(),
  actor: z.string(),
  action: z.string(),
  subject: z.unknown(),
  before: z.unknown(),
  after: z.unknown(),
});

const filterFields = {
  ...spanFields,
  organization_id: z
    .string()
    .regex(/^\d{1,18}$/, "Invalid input: expected the ID of an organisation")
    .optional(),
  actor: identifier.optional(),
  action: identifier.optional(),
};

/** Parses the query for all records of the audit log of a kind. */
export const auditFilter: z.ZodType<AuditFilter> = z.strictObject(filterFields);

/** Parses the query for records of the audit log. */
export const auditQuery: z.ZodType<AuditQuery> = z.strictObject({ ...partFields, ...filterFields });

/** A part of the audit log, the newest first. */
export interface AuditAnswer extends Part {
  readonly records: readonly AdminAuditRecord[];
}

/** Parses a part of the audit log. */
export const auditAnswer: z.ZodType<AuditAnswer> = z.looseObject({
  records: z.array(adminAuditRecord),
  ...partEnd,
});
