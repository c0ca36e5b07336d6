import type { z } from "zod";
import { walletTopUpAnswer } from "../contract/index.ts";
import {
  adminAccount,
  createdUserToken,
  done,
  signInWays,
  userToken,
  userTokenListAnswer,
} from "./contract/account.ts";
import { adminAgent, adminAgentListAnswer } from "./contract/agent.ts";
import { adminApiKey, apiKeyListAnswer, createdApiKey, rotatedApiKey } from "./contract/api-key.ts";
import { attention, urgentWalletListAnswer, usageRefusalsAnswer } from "./contract/attention.ts";
import { auditAnswer } from "./contract/audit.ts";
import { trialBalance } from "./contract/books.ts";
import { adminCreditNote, creditNoteListAnswer } from "./contract/credit-note.ts";
import { adminCurrency, currencyListAnswer } from "./contract/currency.ts";
import { adminCustomer, customerListAnswer } from "./contract/customer.ts";
import { gateRetryAnswer, gatesAnswer } from "./contract/gate.ts";
import { adminInvoice, invoiceListAnswer } from "./contract/invoice.ts";
import { adminIssuer, issuerListAnswer } from "./contract/issuer.ts";
import { ledgerAnswer } from "./contract/ledger.ts";
import { limitListAnswer } from "./contract/limit.ts";
import {
  createdInvitation,
  createdLink,
  invitation,
  invitationListAnswer,
  oneTimeLink,
} from "./contract/link.ts";
import { adminOrderDetails, adminOrderListAnswer } from "./contract/order.ts";
import { adminOrganization, organizationListAnswer, periodCloseAnswer } from "./contract/organization.ts";
import { adminIndicator, adminPrice, indicatorListAnswer, priceListAnswer } from "./contract/price.ts";
import { settlementAgesAnswer, settlementState } from "./contract/settlement.ts";
import {
  periodFailuresAnswer,
  settlementFailuresAnswer,
  unbilledUsageAnswer,
  usageResettleAnswer,
} from "./contract/unbilled.ts";
import { adminUsage, usageListAnswer, usageSumsAnswer } from "./contract/usage.ts";
import { usageCost } from "./contract/usage-cost.ts";
import { usageSeriesAnswer } from "./contract/usage-series.ts";
import { adminUser, member, memberListAnswer, userListAnswer } from "./contract/user.ts";
import {
  closedVoiceSession,
  voiceSessionExpireAnswer,
  voiceSessionListAnswer,
} from "./contract/voice-session.ts";
import { adminWallet, walletListAnswer } from "./contract/wallet.ts";
import { adminWebhook, createdWebhook, rotatedWebhook, webhookListAnswer } from "./contract/webhook.ts";
import {
  webhookDeliveryListAnswer,
  webhookReplayAnswer,
  webhookTestAnswer,
} from "./contract/webhook-delivery.ts";
import type { CsvEndpoints } from "./csv-endpoints.ts";
import type { PrintEndpoints } from "./document-endpoints.ts";
import type { AdminEndpoints } from "./endpoints.ts";
import type { FeedEndpoints } from "./feed-endpoints.ts";

/** The endpoints that answer JSON: not those of files, pages and feeds, nor of a browser on its way to sign in. */
type Answering = Exclude<
  keyof AdminEndpoints,
  | keyof CsvEndpoints
  | keyof PrintEndpoints
  | keyof FeedEndpoints
  | "walletEnsure"
  | "oidcStart"
  | "oidcCallback"
>;

/** What the endpoints of the admin API answer, by their names: for its documentation. */
export const adminAnswers: { readonly [Name in Answering]: z.ZodType } = {
  organizationList: organizationListAnswer,
  organizationCreate: adminOrganization,
  organizationSettings: adminOrganization,
  periodClose: periodCloseAnswer,
  limitList: limitListAnswer,
  limitSet: limitListAnswer,
  apiKeyList: apiKeyListAnswer,
  apiKeyCreate: createdApiKey,
  apiKeyRotate: rotatedApiKey,
  apiKeyRevoke: adminApiKey,
  currencyList: currencyListAnswer,
  currencySet: adminCurrency,
  adminAgentList: adminAgentListAnswer,
  agentCreate: adminAgent,
  agentRead: adminAgent,
  agentEdit: adminAgent,
  indicatorList: indicatorListAnswer,
  indicatorCreate: adminIndicator,
  priceList: priceListAnswer,
  priceSet: adminPrice,
  usageCost,
  customerList: customerListAnswer,
  customerCreate: adminCustomer,
  customerRead: adminCustomer,
  customerEdit: adminCustomer,
  customerErase: adminCustomer,
  walletList: walletListAnswer,
  walletRead: adminWallet,
  walletCreate: adminWallet,
  walletLimits: adminWallet,
  adminTopUp: walletTopUpAnswer,
  walletRefund: adminWallet,
  walletCorrection: adminWallet,
  usageList: usageListAnswer,
  usageSums: usageSumsAnswer,
  usageRead: adminUsage,
  usageSeries: usageSeriesAnswer,
  usageRefusals: usageRefusalsAnswer,
  attentionRead: attention,
  urgentWalletList: urgentWalletListAnswer,
  settlementState,
  settlementAges: settlementAgesAnswer,
  ledgerList: ledgerAnswer,
  trialBalance,
  auditList: auditAnswer,
  adminOrderList: adminOrderListAnswer,
  adminOrderCreate: adminOrderDetails,
  adminOrderRead: adminOrderDetails,
  adminOrderCancel: adminOrderDetails,
  adminInvoiceList: invoiceListAnswer,
  adminInvoiceRead: adminInvoice,
  adminInvoiceMarkPaid: adminInvoice,
  adminInvoiceVoid: adminInvoice,
  creditNoteCreate: adminCreditNote,
  creditNoteList: creditNoteListAnswer,
  issuerList: issuerListAnswer,
  issuerSet: adminIssuer,
  periodFailureList: periodFailuresAnswer,
  settlementFailureList: settlementFailuresAnswer,
  gateList: gatesAnswer,
  gateRetry: gateRetryAnswer,
  unbilledUsageList: unbilledUsageAnswer,
  usageResettle: usageResettleAnswer,
  voiceSessionList: voiceSessionListAnswer,
  voiceSessionClose: closedVoiceSession,
  voiceSessionExpire: voiceSessionExpireAnswer,
  webhookList: webhookListAnswer,
  webhookCreate: createdWebhook,
  webhookEdit: adminWebhook,
  webhookDelete: adminWebhook,
  webhookRotate: rotatedWebhook,
  webhookTest: webhookTestAnswer,
  webhookReplay: webhookReplayAnswer,
  webhookDeliveryList: webhookDeliveryListAnswer,
  signInWays,
  signIn: adminAccount,
  linkRead: oneTimeLink,
  linkUse: adminAccount,
  accountRead: adminAccount,
  signOut: done,
  signOutEverywhere: done,
  passwordChange: done,
  userTokenList: userTokenListAnswer,
  userTokenCreate: createdUserToken,
  userTokenRevoke: userToken,
  memberList: memberListAnswer,
  memberEdit: member,
  memberRemove: member,
  invitationList: invitationListAnswer,
  invitationCreate: createdInvitation,
  invitationRevoke: invitation,
  userList: userListAnswer,
  userEdit: adminUser,
  userLink: createdLink,
  operatorInvitationList: invitationListAnswer,
  operatorInvite: createdInvitation,
  operatorInvitationRevoke: invitation,
};
