import { z } from "zod";
import { identifier, line } from "../../contract/text.ts";
import { type Edit, editFields, type Tagged, taggedFields } from "./etag.ts";
import { type Part, partEnd } from "./part.ts";
import { creditLimit } from "./wallet.ts";

/** How often periods end. */
export type BillingPeriod = "daily" | "weekly" | "monthly";

/** An organisation: its API keys see its customers, agents and wallets, and no others. */
export interface AdminOrganization extends Tagged {
  readonly organizationId: string;
  readonly name: string;
  /** `null` where the server's setting holds, as for the two below. */
  readonly billingPeriod: BillingPeriod | null;
  /** The day on which periods begin: of the month, 1 to 28, or of the week, 1 (Monday) to 7. */
  readonly billingAnchor: number | null;
  /** An IANA name, such as `Europe/Amsterdam`. */
  readonly timeZone: string | null;
  /** Below how many credits wallets are low that have no threshold of their own; `null`: none is. */
  readonly lowThreshold: number | null;
  /**
   * For how many whole months after theirs reports of usage are kept, at least; `null`: for ever. Their sums and their
   * entries in the ledger are not taken away.
   */
  readonly usageKeptMonths: number | null;
  /** For how many whole months after theirs answers are kept that a repeated `Idempotency-Key` gets again; `null`: for ever. */
  readonly answersKeptMonths: number | null;
  /** For how many whole months after theirs the audit log lists its records, at least; `null`: for ever. */
  readonly auditKeptMonths: number | null;
  /** For how many whole months after theirs the ledger lists its entries, at least; `null`: for ever. */
  readonly ledgerKeptMonths: number | null;
  readonly createdAt: string;
}

/** An organisation to create. */
export interface OrganizationCreateRequest {
  readonly name: string;
}

/** Settings of billing periods. What is left out stays; `null` takes a setting back. */
export interface OrganizationSettingsRequest extends Edit {
  readonly billingPeriod?: BillingPeriod | null | undefined;
  /** 1 to 28; 1 to 7 where periods are weekly. */
  readonly billingAnchor?: number | null | undefined;
  readonly timeZone?: string | null | undefined;
  /** Tells of no wallet that is below it already. */
  readonly lowThreshold?: number | null | undefined;
  /** 2 to 1,200. A month goes when every organisation that has usage in it lets it go. */
  readonly usageKeptMonths?: number | null | undefined;
  /** 2 to 1,200. Afterwards a key may be new again; those of usage go with the usage. */
  readonly answersKeptMonths?: number | null | undefined;
  /** 2 to 1,200. Afterwards a month is detached from the audit log, when every organisation lets it go, and not dropped. */
  readonly auditKeptMonths?: number | null | undefined;
  /**
   * 2 to 1,200. Afterwards a month is detached from the ledger, when every organisation lets it go and its periods are
   * invoiced, and not dropped; what wallets had at its end is kept.
   */
  readonly ledgerKeptMonths?: number | null | undefined;
}

/** Which periods to close. */
export interface PeriodCloseRequest {
  /** Also the running one, with what has accrued until now. @default false */
  readonly early?: boolean | undefined;
}

/** What closing periods has come to. */
export interface PeriodCloseAnswer {
  /** How many invoices were made. */
  readonly invoices: number;
  /** Organisations whose period has ended, while usage from before its end is not settled yet: try again. */
  readonly waiting: number;
  /** Periods that could not be invoiced: `GET …/period-failures` says why. */
  readonly failures: number;
}

const billingPeriod = z.enum(["daily", "weekly", "monthly"]);

/** Parses an organisation. Fields that are not listed are passed on. */
export const adminOrganization: z.ZodType<AdminOrganization> = z.looseObject({
  organizationId: z.string(),
  name: z.string(),
  billingPeriod: billingPeriod.nullable(),
  billingAnchor: z.number().nullable(),
  timeZone: z.string().nullable(),
  lowThreshold: z.number().nullable(),
  usageKeptMonths: z.number().nullable(),
  answersKeptMonths: z.number().nullable(),
  auditKeptMonths: z.number().nullable(),
  ledgerKeptMonths: z.number().nullable(),
  createdAt: z.string(),
  ...taggedFields,
});

/** A part of the organisations, the oldest first. */
export interface OrganizationListAnswer extends Part {
  readonly organizations: readonly AdminOrganization[];
}

/** Parses a part of the organisations. */
export const organizationListAnswer: z.ZodType<OrganizationListAnswer> = z.looseObject({
  organizations: z.array(adminOrganization),
  ...partEnd,
});

/** Parses the body that creates an organisation. */
export const organizationCreateRequest: z.ZodType<OrganizationCreateRequest> = z.strictObject({
  name: identifier,
});

const keptMonths = z.int().min(2).max(1_200).nullish();

/** Parses the body of settings. Whether there is such a time zone is the service's to say. */
export const organizationSettingsRequest: z.ZodType<OrganizationSettingsRequest> = z.strictObject({
  ...editFields,
  billingPeriod: billingPeriod.nullish(),
  billingAnchor: z.int().min(1).max(28).nullish(),
  timeZone: line(1, 256).nullish(),
  lowThreshold: creditLimit.nullish(),
  usageKeptMonths: keptMonths,
  answersKeptMonths: keptMonths,
  auditKeptMonths: keptMonths,
  ledgerKeptMonths: keptMonths,
});

/** Parses the body that closes periods. */
export const periodCloseRequest: z.ZodType<PeriodCloseRequest> = z.strictObject({
  early: z.boolean().optional(),
});

/** Parses what closing periods has come to. */
export const periodCloseAnswer: z.ZodType<PeriodCloseAnswer> = z.looseObject({
  invoices: z.int(),
  waiting: z.int(),
  failures: z.int(),
});
