import { acts, type Endpoint, ensures, reads } from "../endpoint.ts";

/** An operation of the admin API, by the name that messages and telemetry use. */
export type AdminOperation =
  | "organizationList"
  | "organizationCreate"
  | "organizationSettings"
  | "periodClose"
  | "apiKeyList"
  | "apiKeyCreate"
  | "apiKeyRotate"
  | "apiKeyRevoke"
  | "currencyList"
  | "currencySet"
  | "customerList"
  | "customerRead"
  | "customerEdit"
  | "customerErase"
  | "walletCreate"
  | "walletEnsure"
  | "walletLimits"
  | "walletRefund"
  | "walletCorrection"
  | "ledgerList"
  | "adminInvoiceList"
  | "adminInvoiceMarkPaid"
  | "auditList";

const organization = "/admin/api/organizations/{organization_id}";
const customer = `${organization}/customers/{external_id}`;
const wallets = `${customer}/wallets`;

/** The operations of the admin API. Those that set something, or end it, are safe to repeat. */
export const adminEndpoints: Readonly<Record<AdminOperation, Endpoint>> = {
  organizationList: reads("organizationList", "/admin/api/organizations"),
  organizationCreate: changes("organizationCreate", "/admin/api/organizations"),
  organizationSettings: ensures("organizationSettings", `${organization}/settings`),
  periodClose: changes("periodClose", `${organization}/close-period`),
  apiKeyList: reads("apiKeyList", `${organization}/api-keys`),
  apiKeyCreate: changes("apiKeyCreate", `${organization}/api-keys`),
  apiKeyRotate: changes("apiKeyRotate", `${organization}/api-keys/{key_id}/rotate`),
  apiKeyRevoke: ensures("apiKeyRevoke", `${organization}/api-keys/{key_id}/revoke`),
  currencyList: reads("currencyList", `${organization}/currencies`),
  currencySet: ensures("currencySet", `${organization}/currencies`),
  customerList: reads("customerList", `${organization}/customers`),
  customerRead: reads("customerRead", customer),
  customerEdit: ensures("customerEdit", customer),
  customerErase: ensures("customerErase", `${customer}/erase`),
  walletCreate: changes("walletCreate", wallets),
  // The same request, by one who takes "there is one" for an answer: that makes it safe to repeat.
  walletEnsure: ensures("walletEnsure", wallets),
  walletLimits: ensures("walletLimits", `${wallets}/{credit_currency_key}/limits`),
  walletRefund: acts("walletRefund", `${organization}/refunds`),
  walletCorrection: acts("walletCorrection", `${organization}/corrections`),
  ledgerList: reads("ledgerList", `${organization}/ledger`),
  adminInvoiceList: reads("adminInvoiceList", `${organization}/invoices`),
  adminInvoiceMarkPaid: changes("adminInvoiceMarkPaid", `${organization}/invoices/{invoice_id}/mark-paid`),
  auditList: reads("auditList", "/admin/api/audit"),
};

/** A change that is not safe to repeat, and for which the service takes no key: repeated only if it was never sent. */
function changes(name: string, path: string): Endpoint {
  return { name, method: "POST", path, idempotent: false, keyed: false };
}
