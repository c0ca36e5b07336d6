import { type Data, identifier } from "@creditgate/client";
import { line, record } from "@creditgate/client/parts";
import { z } from "zod";
import { organization, service, tagged } from "./define-endpoint.ts";
import { editFields, taggedFields } from "./etag.ts";
import { partOf, partQuery } from "./part.ts";
import { creditLimit } from "./wallet.ts";

const defineEndpoint = tagged("Organisations");

const billingPeriod = z.enum(["daily", "weekly", "monthly"]);

export const adminOrganization = record({
  organizationId: z.string(),
  name: z.string(),
  /** `null` where the server's setting holds, as for the two below. */
  billingPeriod: billingPeriod.nullable(),
  /** The day on which periods begin: of the month, 1 to 28, or of the week, 1 (Monday) to 7. */
  billingAnchor: z.number().nullable(),
  /** An IANA name, such as `Europe/Amsterdam`. */
  timeZone: z.string().nullable(),
  /** Below how many credits wallets are low that have no threshold of their own; `null`: none is. */
  lowThreshold: z.number().nullable(),
  /**
   * For how many whole months after theirs reports of usage are kept, at least; `null`: for ever. Their sums and their
   * entries in the ledger are not taken away.
   */
  usageKeptMonths: z.number().nullable(),
  /** For how many whole months after theirs answers are kept that a repeated `Idempotency-Key` gets again; `null`: for ever. */
  answersKeptMonths: z.number().nullable(),
  /** For how many whole months after theirs the audit log lists its records, at least; `null`: for ever. */
  auditKeptMonths: z.number().nullable(),
  /** For how many whole months after theirs the ledger lists its entries, at least; `null`: for ever. */
  ledgerKeptMonths: z.number().nullable(),
  createdAt: z.string(),
  ...taggedFields,
});

/** An organisation: its API keys see its customers, agents and wallets, and no others. */
export type AdminOrganization = Data<typeof adminOrganization>;

const keptMonths = z.int().min(2).max(1_200).nullish();

export const organizationSettingsRequest = z.strictObject({
  ...editFields,
  billingPeriod: billingPeriod.nullish().describe("How long a period is"),
  billingAnchor: z
    .int()
    .min(1)
    .max(28)
    .nullish()
    .describe("First day of a period: 1 to 28, or 1 to 7 if periods are weekly"),
  timeZone: line(1, 256).nullish().describe("In which the days of periods are"),
  /** Sends no event for a wallet that is already below it. */
  lowThreshold: creditLimit.nullish().describe("Below how many credits wallets are low"),
  /** 2 to 1,200. A month goes when every organisation that has usage in it lets it go. */
  usageKeptMonths: keptMonths.describe("For how many months reports of usage are kept"),
  /** 2 to 1,200. Afterwards a key may be new again; those of usage go with the usage. */
  answersKeptMonths: keptMonths.describe("For how many months answers to an Idempotency-Key are kept"),
  /** 2 to 1,200. Afterwards a month is detached from the audit log, when every organisation lets it go, and not dropped. */
  auditKeptMonths: keptMonths.describe("For how many months the audit log is listed"),
  /**
   * 2 to 1,200. Afterwards a month is detached from the ledger, when every organisation lets it go and its periods are
   * invoiced, and not dropped; what wallets had at its end is kept.
   */
  ledgerKeptMonths: keptMonths.describe("For how many months the ledger is listed"),
});

const periodCloseRequest = z.strictObject({
  early: z.boolean().optional().describe("End the running period now, too"),
});

const periodCloseAnswer = record({
  /** How many invoices were made. */
  invoices: z.int(),
  /** Organisations whose period has ended, while usage from before its end is not settled yet: try again. */
  waiting: z.int(),
  /** Periods that could not be invoiced: `GET …/period-failures` says why. */
  failures: z.int(),
});

/** What closing periods has come to. */
export type PeriodCloseAnswer = Data<typeof periodCloseAnswer>;

export const organizations = {
  /** All of them, the oldest first. Retried. */
  list: defineEndpoint({
    name: "organizationList",
    path: `${service}/organizations`,
    kind: "all",
    scope: "user",
    query: partQuery,
    answer: partOf({ organizations: z.array(adminOrganization) }),
    summary: "Lists organisations",
  }),
  /** A new one, without API keys; 409 `organization_exists` where the name is taken. Never retried once sent. */
  create: defineEndpoint({
    name: "organizationCreate",
    method: "POST",
    path: `${service}/organizations`,
    scope: "operator",
    body: z.strictObject({ name: identifier }),
    answer: adminOrganization,
    summary: "Creates an organisation",
    statuses: [201],
  }),
};

export const organizationItself = {
  /** Changes when its billing periods end. Retried. */
  configure: defineEndpoint({
    name: "organizationSettings",
    method: "POST",
    path: `${organization}/settings`,
    idempotent: true,
    scope: "owner",
    body: organizationSettingsRequest,
    answer: adminOrganization,
    summary: "Changes its settings",
  }),
  /** Invoices the periods that have ended, with `early` the running one too. Never retried once sent. */
  closePeriods: defineEndpoint({
    name: "periodClose",
    method: "POST",
    path: `${organization}/close-period`,
    scope: "money",
    body: periodCloseRequest.prefault({}),
    answer: periodCloseAnswer,
    summary: "Invoices the periods that have ended",
  }),
};
