import { acts, changes, type Endpoint, ensures, reads } from "../endpoint.ts";
import { type BooksEndpoints, booksEndpoints } from "./books-endpoints.ts";
import type { AdminAgentListQuery, AgentCreateRequest, AgentEditRequest } from "./contract/agent.ts";
import type { ApiKeyCreateRequest, ApiKeyRotateRequest } from "./contract/api-key.ts";
import type { AuditQuery } from "./contract/audit.ts";
import type { CurrencySetRequest } from "./contract/currency.ts";
import type { CustomerCreateRequest, CustomerEditRequest, CustomerListQuery } from "./contract/customer.ts";
import type { LedgerQuery } from "./contract/ledger.ts";
import type { LimitSetRequest } from "./contract/limit.ts";
import type {
  OrganizationCreateRequest,
  OrganizationSettingsRequest,
  PeriodCloseRequest,
} from "./contract/organization.ts";
import type { PartQuery } from "./contract/part.ts";
import type { IndicatorCreateRequest, PriceSetRequest } from "./contract/price.ts";
import type { UsageListQuery, UsageSumsQuery } from "./contract/usage.ts";
import type { UsageCostQuery } from "./contract/usage-cost.ts";
import type {
  AdjustmentRequest,
  AdminTopUpRequest,
  WalletCreateRequest,
  WalletLimitsRequest,
  WalletListQuery,
} from "./contract/wallet.ts";
import { type CsvEndpoints, csvEndpoints } from "./csv-endpoints.ts";
import {
  type DocumentEndpoints,
  documentEndpoints,
  type PrintEndpoints,
  printEndpoints,
} from "./document-endpoints.ts";
import { type FeedEndpoints, feedEndpoints } from "./feed-endpoints.ts";
import { type GatesEndpoints, gatesEndpoints } from "./gates-endpoints.ts";
import { type OrderEndpoints, orderEndpoints } from "./order-endpoints.ts";
import { type OverviewEndpoints, overviewEndpoints } from "./overview-endpoints.ts";
import { type PeopleEndpoints, peopleEndpoints } from "./people-endpoints.ts";
import { type UnbilledEndpoints, unbilledEndpoints } from "./unbilled-endpoints.ts";
import { type WebhookEndpoints, webhookEndpoints } from "./webhook-endpoints.ts";

/** The operations of the admin API, by the names that messages and telemetry use. */
export interface AdminEndpoints
  extends BooksEndpoints,
    CsvEndpoints,
    FeedEndpoints,
    GatesEndpoints,
    DocumentEndpoints,
    OrderEndpoints,
    OverviewEndpoints,
    PeopleEndpoints,
    PrintEndpoints,
    UnbilledEndpoints,
    WebhookEndpoints {
  readonly organizationList: Endpoint<undefined, PartQuery>;
  readonly organizationCreate: Endpoint<OrganizationCreateRequest, undefined>;
  readonly organizationSettings: Endpoint<OrganizationSettingsRequest, undefined>;
  readonly periodClose: Endpoint<PeriodCloseRequest, undefined>;
  readonly limitList: Endpoint<undefined, undefined>;
  readonly limitSet: Endpoint<LimitSetRequest, undefined>;
  readonly apiKeyList: Endpoint<undefined, PartQuery>;
  readonly apiKeyCreate: Endpoint<ApiKeyCreateRequest, undefined>;
  readonly apiKeyRotate: Endpoint<ApiKeyRotateRequest, undefined, "key_id">;
  readonly apiKeyRevoke: Endpoint<undefined, undefined, "key_id">;
  readonly currencyList: Endpoint<undefined, PartQuery>;
  readonly currencySet: Endpoint<CurrencySetRequest, undefined>;
  readonly adminAgentList: Endpoint<undefined, AdminAgentListQuery>;
  readonly agentCreate: Endpoint<AgentCreateRequest, undefined>;
  readonly agentRead: Endpoint<undefined, undefined, "agent_id">;
  readonly agentEdit: Endpoint<AgentEditRequest, undefined, "agent_id">;
  readonly indicatorList: Endpoint<undefined, PartQuery, "agent_id">;
  readonly indicatorCreate: Endpoint<IndicatorCreateRequest, undefined, "agent_id">;
  readonly priceList: Endpoint<undefined, PartQuery, "agent_id" | "indicator">;
  readonly priceSet: Endpoint<PriceSetRequest, undefined, "agent_id" | "indicator">;
  readonly usageCost: Endpoint<undefined, UsageCostQuery, "agent_id" | "indicator">;
  readonly customerList: Endpoint<undefined, CustomerListQuery>;
  readonly customerCreate: Endpoint<CustomerCreateRequest, undefined>;
  readonly customerRead: Endpoint<undefined, undefined, "external_id">;
  readonly customerEdit: Endpoint<CustomerEditRequest, undefined, "external_id">;
  readonly customerErase: Endpoint<undefined, undefined, "external_id">;
  readonly walletList: Endpoint<undefined, WalletListQuery>;
  readonly walletRead: Endpoint<undefined, undefined, "external_id" | "credit_currency_key">;
  readonly walletCreate: Endpoint<WalletCreateRequest, undefined, "external_id">;
  readonly walletEnsure: Endpoint<WalletCreateRequest, undefined, "external_id">;
  readonly walletLimits: Endpoint<WalletLimitsRequest, undefined, "external_id" | "credit_currency_key">;
  readonly adminTopUp: Endpoint<AdminTopUpRequest, undefined>;
  readonly walletRefund: Endpoint<AdjustmentRequest, undefined>;
  readonly walletCorrection: Endpoint<AdjustmentRequest, undefined>;
  readonly usageList: Endpoint<undefined, UsageListQuery>;
  readonly usageSums: Endpoint<undefined, UsageSumsQuery>;
  readonly usageRead: Endpoint<undefined, undefined, "usage_id">;
  readonly ledgerList: Endpoint<undefined, LedgerQuery>;
  readonly auditList: Endpoint<undefined, AuditQuery>;
}

const organization = "/admin/api/organizations/{organization_id}";
const agent = `${organization}/agents/{agent_id}`;
const indicator = `${agent}/indicators/{indicator}`;
const prices = `${indicator}/prices`;
const customer = `${organization}/customers/{external_id}`;
const wallets = `${customer}/wallets`;

/** The operations of the admin API. Those that set something, or end it, are safe to repeat. */
export const adminEndpoints: AdminEndpoints = {
  organizationList: reads("organizationList", "/admin/api/organizations"),
  organizationCreate: changes("organizationCreate", "/admin/api/organizations"),
  organizationSettings: ensures("organizationSettings", `${organization}/settings`),
  periodClose: changes("periodClose", `${organization}/close-period`),
  limitList: reads("limitList", `${organization}/limits`),
  limitSet: ensures("limitSet", `${organization}/limits`),
  apiKeyList: reads("apiKeyList", `${organization}/api-keys`),
  apiKeyCreate: changes("apiKeyCreate", `${organization}/api-keys`),
  apiKeyRotate: changes("apiKeyRotate", `${organization}/api-keys/{key_id}/rotate`),
  apiKeyRevoke: ensures("apiKeyRevoke", `${organization}/api-keys/{key_id}/revoke`),
  currencyList: reads("currencyList", `${organization}/currencies`),
  currencySet: ensures("currencySet", `${organization}/currencies`),
  adminAgentList: reads("adminAgentList", `${organization}/agents`),
  agentCreate: changes("agentCreate", `${organization}/agents`),
  agentRead: reads("agentRead", agent),
  agentEdit: ensures("agentEdit", agent),
  indicatorList: reads("indicatorList", `${agent}/indicators`),
  indicatorCreate: changes("indicatorCreate", `${agent}/indicators`),
  priceList: reads("priceList", prices),
  // Terms that hold already are no new version.
  priceSet: ensures("priceSet", prices),
  usageCost: reads("usageCost", `${indicator}/cost`),
  customerList: reads("customerList", `${organization}/customers`),
  customerCreate: changes("customerCreate", `${organization}/customers`),
  customerRead: reads("customerRead", customer),
  customerEdit: ensures("customerEdit", customer),
  customerErase: ensures("customerErase", `${customer}/erase`),
  walletList: reads("walletList", `${organization}/wallets`),
  walletRead: reads("walletRead", `${wallets}/{credit_currency_key}`),
  walletCreate: changes("walletCreate", wallets),
  // The same request, by one who takes "there is one" for an answer: that makes it safe to repeat.
  walletEnsure: ensures("walletEnsure", wallets),
  walletLimits: ensures("walletLimits", `${wallets}/{credit_currency_key}/limits`),
  adminTopUp: acts("adminTopUp", `${organization}/top-ups`),
  walletRefund: acts("walletRefund", `${organization}/refunds`),
  walletCorrection: acts("walletCorrection", `${organization}/corrections`),
  usageList: reads("usageList", `${organization}/usage`),
  usageSums: reads("usageSums", `${organization}/usage-sums`),
  usageRead: reads("usageRead", `${organization}/usage/{usage_id}`),
  ledgerList: reads("ledgerList", `${organization}/ledger`),
  auditList: reads("auditList", "/admin/api/audit"),
  ...booksEndpoints,
  ...csvEndpoints,
  ...feedEndpoints,
  ...gatesEndpoints,
  ...documentEndpoints,
  ...printEndpoints,
  ...orderEndpoints,
  ...overviewEndpoints,
  ...unbilledEndpoints,
  ...webhookEndpoints,
  ...peopleEndpoints,
};
