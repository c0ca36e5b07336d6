import {
  type AdminEndpoints,
  adminAgentListQuery,
  adminTopUpRequest,
  agentCreateRequest,
  agentEditRequest,
  apiKeyCreateRequest,
  apiKeyRotateRequest,
  auditQuery,
  type CsvEndpoints,
  correctionRequest,
  currencySetRequest,
  customerCreateRequest,
  customerEditRequest,
  customerListQuery,
  type FeedEndpoints,
  gateRetryRequest,
  gatesQuery,
  indicatorCreateRequest,
  ledgerQuery,
  limitSetRequest,
  organizationCreateRequest,
  organizationSettingsRequest,
  type PrintEndpoints,
  partQuery,
  periodCloseRequest,
  priceSetRequest,
  refundRequest,
  usageCostQuery,
  usageListQuery,
  usageSumsQuery,
  walletCreateRequest,
  walletLimitsRequest,
  walletListQuery,
} from "@creditgate/client/admin";
import type { CsvHandler, Handlers, PageHandler, Readers, StreamHandler } from "../http/call.ts";
import { isTimeZone } from "../periods/settings.ts";
import { isUnitAmount, maxUnitAmount } from "../pricing/unit-price.ts";
import { booksTable } from "./books-table.ts";
import { csvTable } from "./csv-table.ts";
import { documentTable } from "./document-table.ts";
import { feedTable } from "./feed-table.ts";
import { orderTable } from "./order-table.ts";
import { overviewTable } from "./overview-table.ts";
import { peopleTable } from "./people-table.ts";
import type { AdminServed } from "./roles.ts";
import { unbilledTable } from "./unbilled-table.ts";
import { webhookTable } from "./webhook-table.ts";

/** `walletEnsure` is `walletCreate` for a client that takes "there is one" for an answer. */
type Name = Exclude<keyof AdminEndpoints, "walletEnsure">;

type AdminTable = { readonly [Of in Name]: AdminServed & Readers<AdminEndpoints[Of]> };

export type AdminHandlers = Omit<
  Handlers<Pick<AdminEndpoints, Name>>,
  keyof CsvEndpoints | keyof PrintEndpoints | keyof FeedEndpoints
> & {
  readonly [File in keyof CsvEndpoints]: CsvHandler<CsvEndpoints[File]>;
} & {
  readonly [Print in keyof PrintEndpoints]: PageHandler<PrintEndpoints[Print]>;
} & {
  readonly [Feed in keyof FeedEndpoints]: StreamHandler<FeedEndpoints[Feed]>;
};

const part = { scope: "read", query: { schema: partQuery } } as const;

/** What may be done, and what it takes. */
export const adminTable: AdminTable = {
  organizationList: { scope: "user", query: { schema: partQuery } },
  organizationCreate: { scope: "operator", body: { schema: organizationCreateRequest } },
  organizationSettings: {
    scope: "owner",
    body: {
      schema: organizationSettingsRequest.refine(
        ({ timeZone }) => timeZone === null || timeZone === undefined || isTimeZone(timeZone),
        { path: ["timeZone"], message: "expected a time zone such as Europe/Amsterdam" },
      ),
    },
  },
  periodClose: { scope: "money", body: { schema: periodCloseRequest.prefault({}) } },
  limitList: { scope: "read" },
  limitSet: { scope: "operator", body: { schema: limitSetRequest } },
  apiKeyList: part,
  apiKeyCreate: { scope: "keys", body: { schema: apiKeyCreateRequest } },
  apiKeyRotate: { scope: "keys", body: { schema: apiKeyRotateRequest.prefault({}) } },
  apiKeyRevoke: { scope: "keys" },
  currencyList: part,
  currencySet: {
    scope: "money",
    body: {
      // The price is in minor units of money, in decimal: a credit may cost less than a cent.
      schema: currencySetRequest.refine(
        ({ unitPrice }) => unitPrice === null || unitPrice === undefined || isUnitAmount(unitPrice.amount),
        {
          path: ["unitPrice", "amount"],
          message: `expected a decimal from 0 to ${maxUnitAmount}, with at most 15 decimals`,
        },
      ),
    },
  },
  adminAgentList: { scope: "read", query: { schema: adminAgentListQuery } },
  agentCreate: { scope: "money", body: { schema: agentCreateRequest } },
  agentRead: { scope: "read" },
  agentEdit: { scope: "money", body: { schema: agentEditRequest } },
  indicatorList: part,
  indicatorCreate: { scope: "money", body: { schema: indicatorCreateRequest } },
  priceList: part,
  priceSet: { scope: "money", body: { schema: priceSetRequest } },
  usageCost: { scope: "read", query: { schema: usageCostQuery } },
  customerList: { scope: "read", query: { schema: customerListQuery } },
  customerCreate: { scope: "money", body: { schema: customerCreateRequest } },
  customerRead: { scope: "read" },
  customerEdit: { scope: "money", body: { schema: customerEditRequest } },
  customerErase: { scope: "owner" },
  walletList: { scope: "read", query: { schema: walletListQuery } },
  walletRead: { scope: "read" },
  walletCreate: { scope: "money", body: { schema: walletCreateRequest } },
  walletLimits: { scope: "money", body: { schema: walletLimitsRequest } },
  adminTopUp: { scope: "money", body: { schema: adminTopUpRequest }, onceAs: "admin/top-up" },
  walletRefund: { scope: "money", body: { schema: refundRequest }, onceAs: "admin/refund" },
  walletCorrection: { scope: "money", body: { schema: correctionRequest }, onceAs: "admin/correction" },
  usageList: { scope: "read", query: { schema: usageListQuery } },
  usageSums: { scope: "read", query: { schema: usageSumsQuery } },
  usageRead: { scope: "read" },
  ledgerList: { scope: "read", query: { schema: ledgerQuery } },
  auditList: { scope: "read", query: { schema: auditQuery } },
  gateList: { scope: "read", query: { schema: gatesQuery } },
  gateRetry: { scope: "money", body: { schema: gateRetryRequest } },
  ...booksTable,
  ...csvTable,
  ...documentTable,
  ...feedTable,
  ...orderTable,
  ...overviewTable,
  ...unbilledTable,
  ...webhookTable,
  ...peopleTable,
};
