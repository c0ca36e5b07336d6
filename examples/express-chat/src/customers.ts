import type { WalletKind } from "@creditgate/core";
import type { Request } from "express";

export interface Customer {
  /** The customer's external id at the control plane. */
  readonly id: string;
  readonly wallet: WalletKind;
}

/**
 * Stands in for your authentication: a real app verifies a session or a JWT here, and takes the customer from that.
 * A caller who can choose the id spends other people's credits.
 */
const customers: ReadonlyMap<string, Customer> = new Map([
  ["demo-alice", { id: "alice", wallet: "prepaid" }],
  ["demo-bob", { id: "bob", wallet: "postpaid" }],
  ["demo-team", { id: "team", wallet: "prepaid" }],
  ["demo-dora", { id: "dora", wallet: "prepaid" }],
  ["demo-erin", { id: "erin", wallet: "prepaid" }],
  // Has signed up with us; the control plane does not know her until an account is opened.
  ["demo-carol", { id: "carol", wallet: "prepaid" }],
]);

/** The customer whose bearer token came with the request. */
export function customerOf(request: Request): Customer | undefined {
  const token = /^Bearer (\S+)$/i.exec(request.get("authorization") ?? "")?.[1];
  return token === undefined ? undefined : customers.get(token);
}

/** How the customer pays. An empty wallet does not tell, so the gate asks us. */
export function walletOf(customerId: string): WalletKind {
  for (const { id, wallet } of customers.values()) if (id === customerId) return wallet;
  return "prepaid";
}
