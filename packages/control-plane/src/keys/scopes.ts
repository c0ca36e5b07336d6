import type { ApiKeyScope } from "@creditgate/client/admin";
import type { Request } from "express";

const writing: readonly (readonly [prefix: string, scope: ApiKeyScope])[] = [
  ["/api/v2/usage", "usage"],
  ["/api/v1/voice/", "usage"],
  ["/api/v1/wallet/", "wallets"],
  ["/api/v1/customers/", "customers"],
  ["/api/v1/orders", "orders"],
  ["/api/v1/invoices/", "orders"],
  ["/api/v1/agents/", "agents"],
];

/** The scope that a request needs; `undefined` where there is no such route, which is told later. */
export function scopeFor({ method, baseUrl, path }: Request): ApiKeyScope | undefined {
  if (method === "GET" || method === "HEAD") return "read";
  // As Express matches routes: whatever the case.
  const target = `${baseUrl}${path}`.toLowerCase();
  return writing.find(([prefix]) => target.startsWith(prefix))?.[1];
}
