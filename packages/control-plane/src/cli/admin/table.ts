import {
  type AdjustmentRequest,
  type AuditQuery,
  adminEndpoints as api,
  correctionRequest,
  instant,
  type UsageCostRequest,
  type UsageResettleRequest,
  type WebhookReplayRequest,
} from "@creditgate/admin";
import type { KeyedCallOptions } from "@creditgate/client";
import { z } from "zod";
import { type Commands, file, of, ofService } from "./command.ts";
import type { ResourceName } from "./resource-names.ts";

const adjustment = ["customerId", "creditCurrencyKey", "credits"];
const agentFlags = {
  agentId: "id",
  agentExternalId: "external-id",
  agentName: "name",
  agentDescription: "description",
  agentType: "type",
};
const address = { addressLines: "address" };

/** One currency at a time. */
const topUp = { ...api.adminTopUp, body: correctionRequest.partial({ reason: true }) };

/** As values: the client writes them into the address. */
const cost = {
  ...api.usageCost,
  query: z.object({
    rawUsage: z.looseObject({}).optional().describe('What would be reported, as {"inputTokens":12}'),
    callMinutes: z.string().optional().describe("How long a voice call would be"),
    at: instant.optional().describe("By the price of this instant; now without it"),
  }),
};

/** What administrators do, by what they do it to. */
export const table: Readonly<Record<ResourceName, Commands>> = {
  organizations: {
    list: ofService(api.organizationList, (client) => client.organizations.list),
    create: ofService(api.organizationCreate, (client) => client.organizations.create, {
      arguments: ["name"],
    }),
    configure: of(api.organizationSettings, (organization) => organization.configure),
    "close-periods": of(api.periodClose, (organization) => organization.closePeriods),
    attention: of(api.attentionRead, ({ overview }) => overview.attention),
    failures: of(api.periodFailureList, ({ unbilled }) => unbilled.periodFailures.all),
  },
  operators: {
    invite: ofService(api.operatorInvite, ({ users }) => users.inviteOperator, { arguments: ["email"] }),
    invitations: ofService(api.operatorInvitationList, ({ users }) => users.operatorInvitations),
    revoke: ofService(api.operatorInvitationRevoke, ({ users }) => users.revokeOperatorInvitation),
  },
  limits: {
    list: of(api.limitList, (organization) => async () => (await organization.limits.list()).limits),
    set: of(api.limitSet, ({ limits }) => limits.set),
  },
  "api-keys": {
    list: of(api.apiKeyList, ({ apiKeys }) => apiKeys.list),
    create: of(api.apiKeyCreate, ({ apiKeys }) => apiKeys.create, { arguments: ["name"] }),
    rotate: of(api.apiKeyRotate, ({ apiKeys }) => apiKeys.rotate),
    revoke: of(api.apiKeyRevoke, ({ apiKeys }) => apiKeys.revoke),
  },
  agents: {
    list: of(api.adminAgentList, ({ agents }) => agents.all, { flags: agentFlags }),
    show: of(api.agentRead, ({ agents }) => agents.get),
    create: of(api.agentCreate, ({ agents }) => agents.create, { flags: agentFlags }),
    edit: of(api.agentEdit, ({ agents }) => agents.edit, { flags: agentFlags }),
  },
  indicators: {
    list: of(
      api.indicatorList,
      ({ indicators }) =>
        (agentId: string) =>
          indicators.of(agentId).all(),
    ),
    create: of(api.indicatorCreate, ({ indicators }) => indicators.create),
  },
  prices: {
    list: of(
      api.priceList,
      ({ indicators }) =>
        (agentId: string, indicator: string) =>
          indicators.prices(agentId, indicator).all(),
    ),
    cost: of(
      cost,
      ({ indicators }) =>
        (agentId: string, indicator: string, request: UsageCostRequest) =>
          indicators.cost(agentId, indicator, request),
      { flags: { rawUsage: "usage" } },
    ),
    set: of(api.priceSet, ({ indicators }) => indicators.setPrice),
  },
  currencies: {
    list: of(api.currencyList, ({ currencies }) => currencies.list),
    set: of(api.currencySet, ({ currencies }) => currencies.set, { arguments: ["creditCurrencyKey"] }),
  },
  customers: {
    list: of(api.customerList, ({ customers }) => customers.all),
    show: of(api.customerRead, ({ customers }) => customers.get),
    create: of(api.customerCreate, ({ customers }) => customers.create, {
      arguments: ["externalId"],
      flags: address,
    }),
    edit: of(api.customerEdit, ({ customers }) => customers.edit, { flags: address }),
    erase: of(api.customerErase, ({ customers }) => customers.erase),
  },
  wallets: {
    urgent: of(api.urgentWalletList, ({ overview }) => overview.urgentWallets.all),
    list: of(api.walletList, ({ wallets }) => wallets.all),
    show: of(api.walletRead, ({ wallets }) => wallets.get),
    create: of(api.walletCreate, ({ wallets }) => wallets.create, { arguments: ["creditCurrencyKey"] }),
    limits: of(api.walletLimits, ({ wallets }) => wallets.setLimits),
    "top-up": of(
      topUp,
      ({ wallets }) =>
        (request: Partial<AdjustmentRequest>, options: KeyedCallOptions) => {
          const { customerId = "", creditCurrencyKey = "", credits = 0, reason } = request;
          return wallets.topUp(
            {
              customer_id: customerId,
              reason,
              top_ups: [{ credit_currency_key: creditCurrencyKey, credits }],
            },
            options,
          );
        },
      { arguments: adjustment },
    ),
    refund: of(api.walletRefund, ({ wallets }) => wallets.refund, { arguments: adjustment }),
    correct: of(api.walletCorrection, ({ wallets }) => wallets.correct, { arguments: adjustment }),
  },
  grants: {
    list: of(api.grantList, ({ grants }) => grants.all),
    create: of(api.grantCreate, ({ grants }) => grants.create, { arguments: adjustment }),
    extend: of(api.grantExtend, ({ grants }) => grants.extend),
    void: of(api.grantVoid, ({ grants }) => grants.void),
  },
  allowances: {
    list: of(api.allowanceList, ({ allowances }) => allowances.all),
    create: of(api.allowanceCreate, ({ allowances }) => allowances.create, { arguments: adjustment }),
    change: of(api.allowanceChange, ({ allowances }) => allowances.change),
    end: of(api.allowanceEnd, ({ allowances }) => allowances.end),
  },
  budgets: {
    list: of(api.budgetList, ({ budgets }) => budgets.all),
    show: of(api.budgetRead, ({ budgets }) => budgets.get),
    set: of(api.budgetSet, ({ budgets }) => budgets.set),
    reset: of(api.budgetReset, ({ budgets }) => budgets.reset),
    delete: of(api.budgetDelete, ({ budgets }) => budgets.delete),
  },
  "budget-defaults": {
    list: of(api.budgetDefaultList, ({ budgets }) => budgets.defaults.all),
    set: of(api.budgetDefaultSet, ({ budgets }) => budgets.defaults.set),
    delete: of(api.budgetDefaultDelete, ({ budgets }) => budgets.defaults.delete),
  },
  orders: {
    list: of(api.adminOrderList, ({ orders }) => orders.all),
    show: of(api.adminOrderRead, ({ orders }) => orders.get),
    create: of(api.adminOrderCreate, ({ orders }) => orders.create, {
      arguments: ["customerExternalId"],
      flags: { orderName: "name", startDate: "start", lineItems: "items" },
    }),
    cancel: of(api.adminOrderCancel, ({ orders }) => orders.cancel),
  },
  invoices: {
    list: of(api.adminInvoiceList, ({ invoices }) => invoices.all),
    show: of(api.adminInvoiceRead, ({ invoices }) => invoices.get),
    print: file(api.invoicePrint),
    pay: of(api.adminInvoiceMarkPaid, ({ invoices }) => invoices.markPaid),
    void: of(api.adminInvoiceVoid, ({ invoices }) => invoices.void),
    credit: of(api.creditNoteCreate, ({ invoices }) => invoices.credit),
  },
  "credit-notes": {
    list: of(api.creditNoteList, ({ invoices }) => invoices.creditNotes.all),
    print: file(api.creditNotePrint),
  },
  issuers: {
    list: of(api.issuerList, ({ issuers }) => issuers.all),
    set: of(api.issuerSet, ({ issuers }) => issuers.set, { flags: { ...address, legalName: "name" } }),
  },
  ledger: { list: of(api.ledgerList, ({ ledger }) => ledger.all) },
  books: {
    money: file(api.moneyJournalCsv),
    credits: file(api.creditsJournalCsv),
    balance: of(api.trialBalance, ({ books }) => books.balance, { arguments: ["journal"] }),
  },
  usage: {
    list: of(api.usageList, ({ usage }) => usage.all),
    show: of(api.usageRead, ({ usage }) => usage.get),
    sums: of(api.usageSums, ({ usage }) => usage.sums.all),
    series: of(api.usageSeries, ({ overview }) => overview.usage),
    refusals: of(api.usageRefusals, ({ overview }) => overview.refusals),
    waiting: of(api.settlementState, ({ overview }) => overview.settlement),
    unbilled: of(api.unbilledUsageList, ({ unbilled }) => unbilled.all, { flags: { reason: "cause" } }),
    failures: of(api.settlementFailureList, ({ unbilled }) => unbilled.settlementFailures.all),
    resettle: of(
      api.usageResettle,
      ({ unbilled }) =>
        async (request: UsageResettleRequest) => {
          let resettled = 0;
          for (;;) {
            const answer = await unbilled.resettle(request);
            resettled += answer.resettled;
            if (!answer.more) return { resettled };
          }
        },
      { flags: { usageIds: "ids" } },
    ),
  },
  "voice-sessions": {
    list: of(api.voiceSessionList, ({ voiceSessions }) => voiceSessions.all),
    close: of(api.voiceSessionClose, ({ voiceSessions }) => voiceSessions.close, {
      flags: { totalDuration: "minutes" },
    }),
    expire: of(
      api.voiceSessionExpire,
      ({ voiceSessions }) =>
        async (request: { reason: string }) => {
          const all = {
            billed: 0,
            unbilled: [] as { readonly sessionId: string; readonly reason: string }[],
          };
          for (;;) {
            const { billed, unbilled, more } = await voiceSessions.expire(request);
            all.billed += billed;
            all.unbilled.push(...unbilled);
            if (!more) return all;
          }
        },
      { flags: { silentSeconds: "seconds" } },
    ),
  },
  webhooks: {
    list: of(api.webhookList, ({ webhooks }) => webhooks.list),
    create: of(api.webhookCreate, ({ webhooks }) => webhooks.create, { arguments: ["url"] }),
    edit: of(api.webhookEdit, ({ webhooks }) => webhooks.edit),
    delete: of(api.webhookDelete, ({ webhooks }) => webhooks.delete),
    "rotate-secret": of(api.webhookRotate, ({ webhooks }) => webhooks.rotateSecret),
    test: of(api.webhookTest, ({ webhooks }) => webhooks.sendTest),
    replay: of(
      api.webhookReplay,
      ({ webhooks }) =>
        async (endpointId: string, request: WebhookReplayRequest) => {
          let asked = request;
          for (let replayed = 0; ; ) {
            const answer = await webhooks.replay(endpointId, asked);
            replayed += answer.replayed;
            if (answer.next === null || !("since" in asked)) return { replayed };
            asked = { ...asked, cursor: answer.next };
          }
        },
    ),
    deliveries: of(api.webhookDeliveryList, ({ webhooks }) => webhooks.deliveries.all),
  },
  audit: {
    list: of(
      api.auditList,
      ({ organizationId }, client) =>
        (query: AuditQuery) =>
          client.audit.all({ ...query, organizationId }),
    ),
  },
};
