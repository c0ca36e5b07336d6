import type { CallOptions } from "../call.ts";
import { posting } from "../checked-call.ts";
import type { Settings } from "../options.ts";
import type { Transport } from "../transport.ts";
import {
  type AdminOrganization,
  adminOrganization,
  type OrganizationSettingsRequest,
  organizationSettingsRequest,
  type PeriodCloseAnswer,
  type PeriodCloseRequest,
  periodCloseAnswer,
  periodCloseRequest,
} from "./contract/organization.ts";
import { adminEndpoints } from "./endpoints.ts";
import { type AdminAgents, createAdminAgents } from "./resources/agents.ts";
import { type ApiKeys, createApiKeys } from "./resources/api-keys.ts";
import { type AdminBooks, createAdminBooks } from "./resources/books.ts";
import { type Currencies, createCurrencies } from "./resources/currencies.ts";
import { type AdminCustomers, createAdminCustomers } from "./resources/customers.ts";
import { createGates, type Gates } from "./resources/gates.ts";
import { type AdminIndicators, createAdminIndicators } from "./resources/indicators.ts";
import { type AdminInvoices, createAdminInvoices } from "./resources/invoices.ts";
import { type AdminIssuers, createAdminIssuers } from "./resources/issuers.ts";
import { type AdminLedger, createAdminLedger } from "./resources/ledger.ts";
import { type AdminLimits, createAdminLimits } from "./resources/limits.ts";
import { createMembers, type Members } from "./resources/members.ts";
import { type AdminOrders, createAdminOrders } from "./resources/orders.ts";
import { type AdminOverview, createAdminOverview } from "./resources/overview.ts";
import { type AdminUnbilled, createAdminUnbilled } from "./resources/unbilled.ts";
import { type AdminUsages, createAdminUsages } from "./resources/usage.ts";
import { type AdminVoiceSessions, createAdminVoiceSessions } from "./resources/voice-sessions.ts";
import { type AdminWallets, createAdminWallets } from "./resources/wallets.ts";
import { type AdminWebhooks, createAdminWebhooks } from "./resources/webhooks.ts";

/** What an administrator may do with one organisation. */
export interface OrganizationAdmin {
  readonly organizationId: string;
  readonly agents: AdminAgents;
  readonly indicators: AdminIndicators;
  readonly apiKeys: ApiKeys;
  readonly currencies: Currencies;
  readonly customers: AdminCustomers;
  readonly wallets: AdminWallets;
  readonly usage: AdminUsages;
  readonly unbilled: AdminUnbilled;
  readonly overview: AdminOverview;
  readonly voiceSessions: AdminVoiceSessions;
  readonly ledger: AdminLedger;
  readonly books: AdminBooks;
  readonly limits: AdminLimits;
  readonly orders: AdminOrders;
  readonly invoices: AdminInvoices;
  readonly issuers: AdminIssuers;
  readonly webhooks: AdminWebhooks;
  readonly gates: Gates;
  readonly members: Members;
  /** Changes when its billing periods end. Retried. */
  configure(settings: OrganizationSettingsRequest, options?: CallOptions): Promise<AdminOrganization>;
  /** Invoices the periods that have ended, with `early` the running one too. Never retried once sent. */
  closePeriods(request?: PeriodCloseRequest, options?: CallOptions): Promise<PeriodCloseAnswer>;
}

export function createOrganizationAdmin(
  transport: Transport,
  settings: () => Settings,
  organizationId: string,
): OrganizationAdmin {
  const post = posting(transport, { organization_id: organizationId });
  const close = post(adminEndpoints.periodClose, periodCloseRequest, periodCloseAnswer);
  return {
    organizationId,
    agents: createAdminAgents(transport, organizationId),
    indicators: createAdminIndicators(transport, organizationId),
    apiKeys: createApiKeys(transport, organizationId),
    currencies: createCurrencies(transport, organizationId),
    customers: createAdminCustomers(transport, organizationId),
    wallets: createAdminWallets(transport, organizationId),
    usage: createAdminUsages(transport, settings, organizationId),
    unbilled: createAdminUnbilled(transport, organizationId),
    overview: createAdminOverview(transport, organizationId),
    voiceSessions: createAdminVoiceSessions(transport, organizationId),
    ledger: createAdminLedger(transport, organizationId),
    books: createAdminBooks(transport, organizationId),
    limits: createAdminLimits(transport, organizationId),
    orders: createAdminOrders(transport, organizationId),
    invoices: createAdminInvoices(transport, organizationId),
    issuers: createAdminIssuers(transport, organizationId),
    webhooks: createAdminWebhooks(transport, organizationId),
    gates: createGates(transport, organizationId),
    members: createMembers(transport, organizationId),
    configure: post(adminEndpoints.organizationSettings, organizationSettingsRequest, adminOrganization),
    closePeriods: async (request = {}, options) => close(request, options),
  };
}
