import { walletTopUpRequest } from "@creditgate/client";
import {
  type AdminEndpoints,
  adminAgentListQuery,
  agentCreateRequest,
  agentEditRequest,
  apiKeyCreateRequest,
  apiKeyRotateRequest,
  auditQuery,
  correctionRequest,
  currencySetRequest,
  customerCreateRequest,
  customerEditRequest,
  customerListQuery,
  indicatorCreateRequest,
  invoiceListQuery,
  ledgerQuery,
  organizationCreateRequest,
  organizationSettingsRequest,
  partQuery,
  periodCloseRequest,
  priceSetRequest,
  refundRequest,
  usageFilter,
  usageListQuery,
  usageSumsQuery,
  walletCreateRequest,
  walletLimitsRequest,
  walletListQuery,
} from "@creditgate/client/admin";
import type { CsvHandler, Handlers, Readers } from "../http/call.ts";
import type { Served } from "../http/endpoint-routes.ts";
import { isTimeZone } from "../periods/settings.ts";
import { isUnitAmount, maxUnitAmount } from "../pricing/unit-price.ts";
import { webhookTable } from "./webhook-table.ts";

/** `walletEnsure` is `walletCreate` for a client that takes "there is one" for an answer. */
type Name = Exclude<keyof AdminEndpoints, "walletEnsure">;

type AdminTable = { readonly [Of in Name]: Served & Readers<AdminEndpoints[Of]> };

export type AdminHandlers = Omit<Handlers<Pick<AdminEndpoints, Name>>, "usageCsv"> & {
  readonly usageCsv: CsvHandler<AdminEndpoints["usageCsv"]>;
};

const scope = "administrator";

const part = { scope, query: { schema: partQuery } };

/** What administrators may do. */
export const adminTable: AdminTable = {
  organizationList: part,
  organizationCreate: { scope, body: { schema: organizationCreateRequest } },
  organizationSettings: {
    scope,
    body: {
      schema: organizationSettingsRequest.refine(
        ({ timeZone }) => timeZone === null || timeZone === undefined || isTimeZone(timeZone),
        { path: ["timeZone"], message: "expected a time zone such as Europe/Amsterdam" },
      ),
    },
  },
  periodClose: { scope, body: { schema: periodCloseRequest.prefault({}) } },
  apiKeyList: part,
  apiKeyCreate: { scope, body: { schema: apiKeyCreateRequest } },
  apiKeyRotate: { scope, body: { schema: apiKeyRotateRequest.prefault({}) } },
  apiKeyRevoke: { scope },
  currencyList: part,
  currencySet: {
    scope,
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
  adminAgentList: { scope, query: { schema: adminAgentListQuery } },
  agentCreate: { scope, body: { schema: agentCreateRequest } },
  agentRead: { scope },
  agentEdit: { scope, body: { schema: agentEditRequest } },
  indicatorList: part,
  indicatorCreate: { scope, body: { schema: indicatorCreateRequest } },
  priceList: part,
  priceSet: { scope, body: { schema: priceSetRequest } },
  customerList: { scope, query: { schema: customerListQuery } },
  customerCreate: { scope, body: { schema: customerCreateRequest } },
  customerRead: { scope },
  customerEdit: { scope, body: { schema: customerEditRequest } },
  customerErase: { scope },
  walletList: { scope, query: { schema: walletListQuery } },
  walletRead: { scope },
  walletCreate: { scope, body: { schema: walletCreateRequest } },
  walletLimits: { scope, body: { schema: walletLimitsRequest } },
  adminTopUp: { scope, body: { schema: walletTopUpRequest }, onceAs: "admin/top-up" },
  walletRefund: { scope, body: { schema: refundRequest }, onceAs: "admin/refund" },
  walletCorrection: { scope, body: { schema: correctionRequest }, onceAs: "admin/correction" },
  usageList: { scope, query: { schema: usageListQuery } },
  usageCsv: { scope, query: { schema: usageFilter } },
  usageSums: { scope, query: { schema: usageSumsQuery } },
  usageRead: { scope },
  ledgerList: { scope, query: { schema: ledgerQuery } },
  adminInvoiceList: { scope, query: { schema: invoiceListQuery } },
  adminInvoiceMarkPaid: { scope },
  periodFailureList: part,
  settlementFailureList: part,
  unbilledUsageList: part,
  voiceSessionList: part,
  auditList: { scope, query: { schema: auditQuery } },
  ...webhookTable,
};
