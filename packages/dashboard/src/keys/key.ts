import type { AdminApiKey, ApiKeyScope } from "@creditgate/admin";
import { organizationQuery } from "../api/query.ts";

type KeyState = "valid" | "ending" | "ended" | "revoked";

/** What a key is good for now. One with an end is `ending`. */
export function stateOf({ revokedAt, expiresAt }: AdminApiKey, now: Date = new Date()): KeyState {
  if (revokedAt !== null) return "revoked";
  if (expiresAt === null) return "valid";
  return new Date(expiresAt) > now ? "ending" : "ended";
}

export function isGood(key: AdminApiKey): boolean {
  return ["valid", "ending"].includes(stateOf(key));
}

/** What a gate needs, and no more. */
export const gateScopes: readonly ApiKeyScope[] = ["read", "usage"];

export const scopeWords: Readonly<Record<ApiKeyScope, string>> = {
  read: "Read balances, orders, invoices and agents",
  usage: "Report usage and voice calls",
  wallets: "Top up wallets",
  customers: "Create customers",
  orders: "Create orders and mark invoices as paid",
  agents: "Create agents if missing",
};

const scopes: readonly string[] = Object.keys(scopeWords);

/** The scopes in a few words. */
export function scopesInWords(of: readonly string[]): string {
  if (scopes.every((scope) => of.includes(scope))) return "Full access";
  return scopes.filter((scope) => of.includes(scope)).join(", ");
}

/** All keys, ended ones too, the oldest first. */
export const keysQuery = organizationQuery("keys", ({ apiKeys }, options) => apiKeys.list(options), {
  refetchInterval: 30_000,
});
