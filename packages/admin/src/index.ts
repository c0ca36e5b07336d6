export type { Data } from "@creditgate/client";
export { type AdminClient, createAdminClient, type OrganizationAdmin } from "./admin-client.ts";
export type { Listing } from "./calls.ts";
export {
  type AccountSession,
  type AdminAccount,
  type CreatedUserToken,
  email,
  type OidcCallbackQuery,
  type SignInWays,
  type UserToken,
} from "./contract/account.ts";
export { type AdminAgent, type AgentEditRequest, adminAgent } from "./contract/agent.ts";
export {
  type AdminAllowance,
  type AllowanceChangeRequest,
  type AllowanceCreateRequest,
  allowanceCreateRequest,
} from "./contract/allowance.ts";
export {
  type AdminApiKey,
  type ApiKeyCreateRequest,
  type ApiKeyScope,
  apiKeyScopes,
  type CreatedApiKey,
  type RotatedApiKey,
} from "./contract/api-key.ts";
export type {
  Attention,
  Counted,
  RefusalReason,
  UrgentWallet,
  UsageRefusalsAnswer,
} from "./contract/attention.ts";
export type { AdminAuditRecord, AuditFilter, AuditQuery } from "./contract/audit.ts";
export type { BooksJournal, JournalFilter, TrialBalance, TrialBalanceQuery } from "./contract/books.ts";
export {
  type AdminBudget,
  type AdminBudgetDefault,
  adminBudget,
  adminBudgetDefault,
  type BudgetSetRequest,
  budgetKind,
  budgetName,
  budgetSetRequest,
} from "./contract/budget.ts";
export type { AdminCreditNote, CreditNoteCreateRequest, CreditNoteFilter } from "./contract/credit-note.ts";
export {
  type AdminCurrency,
  adminCurrency,
  type CurrencySetRequest,
  currencySetRequest,
} from "./contract/currency.ts";
export {
  type AdminCustomer,
  adminCustomer,
  type CustomerCreateRequest,
  type CustomerFilter,
  type CustomerListAnswer,
  customerLocale,
} from "./contract/customer.ts";
export type { AdminEndpoint, AdminScope, AnswerKind } from "./contract/define-endpoint.ts";
export { type EditConflict, editConflictOf, type FieldEdit, type Tagged } from "./contract/etag.ts";
export type {
  AdminGate,
  AdminSeparateLedger,
  AdminSeparateLedgers,
  AdminWaitingReport,
  GateDecisions,
  GatesAnswer,
} from "./contract/gate.ts";
export type { AdminGrant, GrantCreateRequest } from "./contract/grant.ts";
export type { AdminInvoice, InvoiceFilter } from "./contract/invoice.ts";
export {
  type AdminIssuer,
  type IssuerSetRequest,
  issuerSetRequest,
  type TaxRate,
} from "./contract/issuer.ts";
export type { AdminLedgerEntry, LedgerCause, LedgerFilter } from "./contract/ledger.ts";
export { type LimitName, limitNames } from "./contract/limit.ts";
export type { Invitation, InvitationCreateRequest, LinkUseRequest, OneTimeLink } from "./contract/link.ts";
export type {
  AdminOrder,
  AdminOrderCreateRequest,
  AdminOrderDetails,
  AdminOrderFilter,
  AdminOrderLineItem,
} from "./contract/order.ts";
export {
  type AdminOrganization,
  adminOrganization,
  organizationSettingsRequest,
  type PeriodCloseAnswer,
} from "./contract/organization.ts";
export { instant, type PartQuery, type SpanQuery } from "./contract/part.ts";
export { type AdminIndicator, type AdminPrice, adminPrice } from "./contract/price.ts";
export { type MemberRole, memberRoles } from "./contract/role.ts";
export type { SettlementAgesAnswer, SettlementState } from "./contract/settlement.ts";
export {
  completeTerms,
  type IndicatorTerms,
  type ModelPrice,
  type Rate,
  type Rates,
  termsFields,
} from "./contract/terms.ts";
export type { UsageResettleRequest } from "./contract/unbilled.ts";
export type {
  AdminUsage,
  UsageFilter,
  UsageListAnswer,
  UsageListQuery,
  UsageSum,
  UsageSumsBy,
  UsageSumsQuery,
} from "./contract/usage.ts";
export type { UsageCost, UsageCostPart, UsageCostQuery, UsageCostRequest } from "./contract/usage-cost.ts";
export type { UsageFeedEvent, UsageFeedQuery } from "./contract/usage-feed.ts";
export type { UsageSeriesAnswer } from "./contract/usage-series.ts";
export { type AdminUser, adminUser, type Member, member } from "./contract/user.ts";
export type { AdminVoiceSession } from "./contract/voice-session.ts";
export {
  type AdjustmentRequest,
  type AdminWallet,
  type AdminWalletKind,
  type AutoTopUp,
  adminWallet,
  correctionRequest,
  refundRequest,
  type WalletCreateRequest,
  type WalletFilter,
  type WalletLimitsRequest,
  type WalletState,
  walletCreateRequest,
} from "./contract/wallet.ts";
export {
  type AdminWebhook,
  adminWebhook,
  type CreatedWebhook,
  type RotatedWebhook,
  type WebhookCreateRequest,
} from "./contract/webhook.ts";
export type {
  AdminWebhookDelivery,
  WebhookDeliveryQuery,
  WebhookReplayRequest,
} from "./contract/webhook-delivery.ts";
export {
  type WebhookEvent,
  type WebhookEventType,
  webhookEvent,
  webhookEventTypes,
} from "./contract/webhook-event.ts";
export {
  type AdminEndpoints,
  adminEndpoints,
  csvEndpoints,
  type EndpointsOf,
  printEndpoints,
} from "./endpoints.ts";
export { minorDigits } from "./minor-digits.ts";
export type { AdminClientOptions } from "./options.ts";
export type { UsageFeed, UsageFeedOptions } from "./usage-feed.ts";
