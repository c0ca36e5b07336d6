import { agents, currencies, indicators, prices } from "./catalogue-commands.ts";
import type { Commands } from "./command.ts";
import { customers, ledger, wallets } from "./customer-commands.ts";
import { books, creditNotes, invoices, issuers, orders } from "./order-commands.ts";
import { apiKeys, auditLog, limits, operators, organizations, webhooks } from "./organization-commands.ts";
import type { ResourceName } from "./resource-names.ts";
import { usage, voiceSessions } from "./usage-commands.ts";

/** What administrators do, by what they do it to. */
export const table: Readonly<Record<ResourceName, Commands>> = {
  organizations,
  operators,
  limits,
  "api-keys": apiKeys,
  agents,
  indicators,
  prices,
  currencies,
  customers,
  wallets,
  orders,
  invoices,
  "credit-notes": creditNotes,
  issuers,
  ledger,
  books,
  usage,
  "voice-sessions": voiceSessions,
  webhooks,
  audit: auditLog,
};
