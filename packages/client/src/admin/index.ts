export { type AdminClient, createAdminClient } from "./admin-client.ts";
export { adminAnswers } from "./answers.ts";
export type { BooksEndpoints } from "./books-endpoints.ts";
export {
  type AccountOrganization,
  type AccountSession,
  type AccountUser,
  type AdminAccount,
  type CreatedUserToken,
  email,
  type OidcCallbackQuery,
  oidcCallbackQuery,
  type PasswordChangeRequest,
  passwordChangeRequest,
  type SignInRequest,
  type SignInWays,
  signInRequest,
  type UserToken,
  type UserTokenCreateRequest,
  type UserTokenListAnswer,
  userTokenCreateRequest,
} from "./contract/account.ts";
export {
  type AdminAgent,
  type AdminAgentListAnswer,
  type AdminAgentListQuery,
  type AgentCreateRequest,
  type AgentEditRequest,
  adminAgent,
  adminAgentListQuery,
  agentCreateRequest,
  agentEditRequest,
} from "./contract/agent.ts";
export {
  type AdminApiKey,
  type ApiKeyCreateRequest,
  type ApiKeyRotateRequest,
  type ApiKeyScope,
  apiKeyCreateRequest,
  apiKeyRotateRequest,
  apiKeyScopes,
  type CreatedApiKey,
  type RotatedApiKey,
} from "./contract/api-key.ts";
export {
  type Attention,
  type Counted,
  type RefusalReason,
  type UrgentWallet,
  type UrgentWalletListAnswer,
  type UrgentWalletListQuery,
  type UsageRefusalsAnswer,
  urgentWalletListQuery,
  usageRefusalsQuery,
  type WalletUrgency,
} from "./contract/attention.ts";
export {
  type AdminAuditRecord,
  type AuditAnswer,
  type AuditFilter,
  type AuditQuery,
  auditFilter,
  auditQuery,
} from "./contract/audit.ts";
export {
  type BooksJournal,
  booksJournals,
  type JournalFilter,
  journalFilter,
  type TrialBalance,
  type TrialBalanceAccount,
  type TrialBalanceQuery,
  trialBalanceQuery,
} from "./contract/books.ts";
export {
  type AdminCreditNote,
  type CreditNoteCreateRequest,
  type CreditNoteFilter,
  type CreditNoteListAnswer,
  type CreditNoteListQuery,
  creditNoteCreateRequest,
  creditNoteFilter,
  creditNoteListQuery,
} from "./contract/credit-note.ts";
export {
  type AdminCurrency,
  adminCurrency,
  type CurrencySetRequest,
  currencySetRequest,
  type UnitPrice,
} from "./contract/currency.ts";
export {
  type AdminCustomer,
  adminCustomer,
  type CustomerCreateRequest,
  type CustomerEditRequest,
  type CustomerFilter,
  type CustomerListAnswer,
  type CustomerListQuery,
  customerCreateRequest,
  customerEditRequest,
  customerFilter,
  customerListQuery,
} from "./contract/customer.ts";
export {
  type Edit,
  type EditConflict,
  editConflict,
  editConflictOf,
  type FieldEdit,
  type Tagged,
} from "./contract/etag.ts";
export {
  type AdminGate,
  type AdminSeparateLedger,
  type AdminSeparateLedgers,
  type AdminWaitingReport,
  type GateDecisions,
  type GateRetryAnswer,
  type GateRetryRequest,
  type GatesAnswer,
  type GatesQuery,
  gateRetryRequest,
  gatesQuery,
} from "./contract/gate.ts";
export {
  type AdminInvoice,
  type InvoiceFilter,
  type InvoiceListAnswer,
  type InvoiceListQuery,
  type InvoiceVoidRequest,
  invoiceFilter,
  invoiceListQuery,
  invoiceVoidRequest,
} from "./contract/invoice.ts";
export {
  type AdminIssuer,
  type IssuerListAnswer,
  type IssuerSetRequest,
  issuerSetRequest,
  type TaxLine,
  type TaxRate,
} from "./contract/issuer.ts";
export {
  type AdminLedgerEntry,
  type LedgerAnswer,
  type LedgerBalances,
  type LedgerCause,
  type LedgerFilter,
  type LedgerQuery,
  ledgerCauses,
  ledgerFilter,
  ledgerQuery,
} from "./contract/ledger.ts";
export {
  type AdminLimit,
  type LimitListAnswer,
  type LimitName,
  type LimitSetRequest,
  limitNames,
  limitSetRequest,
} from "./contract/limit.ts";
export {
  type CreatedInvitation,
  type CreatedLink,
  type Invitation,
  type InvitationCreateRequest,
  type InvitationListAnswer,
  invitationCreateRequest,
  type LinkKind,
  type LinkReadRequest,
  type LinkUseRequest,
  linkReadRequest,
  linkUseRequest,
  type OneTimeLink,
} from "./contract/link.ts";
export {
  type AdminOrder,
  type AdminOrderCreateRequest,
  type AdminOrderDetails,
  type AdminOrderFilter,
  type AdminOrderLineItem,
  type AdminOrderListAnswer,
  type AdminOrderListQuery,
  type AdminOrderStatus,
  adminOrderCreateRequest,
  adminOrderFilter,
  adminOrderListQuery,
  type OrderCancelRequest,
  orderCancelRequest,
} from "./contract/order.ts";
export {
  type AdminOrganization,
  adminOrganization,
  type BillingPeriod,
  type OrganizationCreateRequest,
  type OrganizationSettingsRequest,
  organizationCreateRequest,
  organizationSettingsRequest,
  type PeriodCloseAnswer,
  type PeriodCloseRequest,
  periodCloseRequest,
} from "./contract/organization.ts";
export {
  instant,
  type Part,
  type PartQuery,
  partQuery,
  type SpanQuery,
} from "./contract/part.ts";
export {
  type AdminIndicator,
  type AdminPrice,
  adminPrice,
  type IndicatorCreateRequest,
  type IndicatorListAnswer,
  indicatorCreateRequest,
  type PriceListAnswer,
  type PriceSetRequest,
  priceSetRequest,
} from "./contract/price.ts";
export { type MemberRole, memberRoles } from "./contract/role.ts";
export type {
  SettlementAge,
  SettlementAgesAnswer,
  SettlementState,
} from "./contract/settlement.ts";
export {
  completeTerms,
  type IndicatorTerms,
  type ModelPrice,
  type Rate,
  type Rates,
  termsFields,
} from "./contract/terms.ts";
export {
  type PeriodFailure,
  type PeriodFailuresAnswer,
  type SettlementFailure,
  type SettlementFailuresAnswer,
  type UnbilledReason,
  type UnbilledUsage,
  type UnbilledUsageAnswer,
  type UnbilledUsageQuery,
  type UsageResettleAnswer,
  type UsageResettleRequest,
  unbilledUsageQuery,
  usageResettleRequest,
} from "./contract/unbilled.ts";
export {
  type AdminUsage,
  type UsageFilter,
  type UsageListAnswer,
  type UsageListQuery,
  type UsageOutcomeFilter,
  type UsageSum,
  type UsageSumsAnswer,
  type UsageSumsBy,
  type UsageSumsQuery,
  usageFilter,
  usageListQuery,
  usageSumsQuery,
} from "./contract/usage.ts";
export {
  type UsageCost,
  type UsageCostPart,
  type UsageCostQuery,
  type UsageCostRequest,
  usageCostQuery,
} from "./contract/usage-cost.ts";
export {
  type UsageFeedEvent,
  type UsageFeedOutcome,
  type UsageFeedQuery,
  usageFeedQuery,
} from "./contract/usage-feed.ts";
export {
  type UsageSeries,
  type UsageSeriesAnswer,
  type UsageSeriesQuery,
  type UsageTotal,
  usageSeriesQuery,
} from "./contract/usage-series.ts";
export {
  type AdminUser,
  adminUser,
  type Member,
  type MemberEditRequest,
  type MemberListAnswer,
  member,
  memberEditRequest,
  type OperatorInviteRequest,
  operatorInviteRequest,
  type UserEditRequest,
  type UserListAnswer,
  userEditRequest,
} from "./contract/user.ts";
export {
  type AdminVoiceSession,
  type ClosedVoiceSession,
  type VoiceSessionCloseRequest,
  type VoiceSessionExpireAnswer,
  type VoiceSessionExpireRequest,
  type VoiceSessionListAnswer,
  type VoiceSessionListQuery,
  voiceSessionCloseRequest,
  voiceSessionExpireRequest,
  voiceSessionListQuery,
} from "./contract/voice-session.ts";
export {
  type AdjustmentRequest,
  type AdminTopUpRequest,
  type AdminWallet,
  type AdminWalletKind,
  type AutoTopUp,
  adminTopUpRequest,
  adminWallet,
  correctionRequest,
  type PostpaidWalletRequest,
  type PrepaidWalletRequest,
  refundRequest,
  type WalletCreateRequest,
  type WalletFilter,
  type WalletLimitsRequest,
  type WalletListAnswer,
  type WalletListQuery,
  type WalletState,
  walletCreateRequest,
  walletFilter,
  walletLimitsRequest,
  walletListQuery,
} from "./contract/wallet.ts";
export {
  type AdminWebhook,
  adminWebhook,
  type CreatedWebhook,
  type RotatedWebhook,
  type WebhookCreateRequest,
  type WebhookEditRequest,
  type WebhookListAnswer,
  type WebhookRotateRequest,
  webhookCreateRequest,
  webhookEditRequest,
  webhookRotateRequest,
} from "./contract/webhook.ts";
export {
  type AdminWebhookDelivery,
  type WebhookDeliveryListAnswer,
  type WebhookDeliveryQuery,
  type WebhookDeliveryStatus,
  type WebhookReplayAnswer,
  type WebhookReplayRequest,
  type WebhookTestAnswer,
  webhookDeliveryQuery,
  webhookReplayRequest,
} from "./contract/webhook-delivery.ts";
export {
  type RejectedUsage,
  type ToppedUpWallet,
  type WebhookEvent,
  type WebhookEventType,
  webhookEvent,
  webhookEventTypes,
} from "./contract/webhook-event.ts";
export { type CsvEndpoints, csvEndpoints } from "./csv-endpoints.ts";
export { type DocumentEndpoints, type PrintEndpoints, printEndpoints } from "./document-endpoints.ts";
export { type AdminEndpoints, adminEndpoints } from "./endpoints.ts";
export { type FeedEndpoints, feedEndpoints } from "./feed-endpoints.ts";
export type { GatesEndpoints } from "./gates-endpoints.ts";
export type { Listing } from "./listing.ts";
export { minorDigits } from "./minor-digits.ts";
export type { AdminClientOptions } from "./options.ts";
export type { OrderEndpoints } from "./order-endpoints.ts";
export type { OrganizationAdmin } from "./organization.ts";
export type { OverviewEndpoints } from "./overview-endpoints.ts";
export type { PeopleEndpoints } from "./people-endpoints.ts";
export type { Account } from "./resources/account.ts";
export type { AdminAgents } from "./resources/agents.ts";
export type { ApiKeys } from "./resources/api-keys.ts";
export type { AdminAudit } from "./resources/audit.ts";
export type { AdminBooks } from "./resources/books.ts";
export type { Currencies } from "./resources/currencies.ts";
export type { AdminCustomers } from "./resources/customers.ts";
export type { Gates } from "./resources/gates.ts";
export type { AdminIndicators } from "./resources/indicators.ts";
export type { AdminInvoices } from "./resources/invoices.ts";
export type { AdminIssuers } from "./resources/issuers.ts";
export type { AdminLedger } from "./resources/ledger.ts";
export type { AdminLimits } from "./resources/limits.ts";
export type { Members } from "./resources/members.ts";
export type { AdminOrders } from "./resources/orders.ts";
export type { Organizations } from "./resources/organizations.ts";
export type { AdminOverview, UrgentWallets } from "./resources/overview.ts";
export type { AdminUnbilled } from "./resources/unbilled.ts";
export type { AdminUsages, UsageSums } from "./resources/usage.ts";
export type { UsageFeed, UsageFeedOptions } from "./resources/usage-feed.ts";
export type { Users } from "./resources/users.ts";
export type { AdminVoiceSessions } from "./resources/voice-sessions.ts";
export type { AdminWallets } from "./resources/wallets.ts";
export type { AdminWebhooks } from "./resources/webhooks.ts";
export type { UnbilledEndpoints } from "./unbilled-endpoints.ts";
export type { WebhookEndpoints } from "./webhook-endpoints.ts";
