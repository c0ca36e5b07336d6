import type { ClientOptions } from "../transport/options.ts";
import { createTransport, type Transport } from "../transport/transport.ts";
import { type Agents, createAgents } from "./agents.ts";
import { type Customers, createCustomers } from "./customers.ts";
import { createInvoices, createOrders, type Invoices, type Orders } from "./orders.ts";
import { createUsage, type Usage } from "./usage.ts";
import { createVoice, type Voice } from "./voice.ts";
import { createWallets, type Wallets } from "./wallets.ts";

/** The service's operations, typed and checked against the contract, on top of the untyped transport. */
export interface Client extends Transport {
  readonly wallets: Wallets;
  readonly usage: Usage;
  readonly customers: Customers;
  readonly orders: Orders;
  readonly invoices: Invoices;
  readonly agents: Agents;
  readonly voice: Voice;
}

/**
 * Creates a client. Throws `invalid_option` at once for an option that is malformed or not known; an address or a key that
 * is missing fails at the first call. Its methods throw a `CreditgateError`: `invalid_option` for input that does not fit
 * the contract, before anything is sent.
 */
export function createClient(options: ClientOptions = {}): Client {
  const transport = createTransport(options);
  return {
    // Not spread: that would read the address, which a build does not have.
    get baseUrl() {
      return transport.baseUrl;
    },
    fingerprint: transport.fingerprint,
    send: transport.send,
    wallets: createWallets(transport),
    usage: createUsage(transport),
    customers: createCustomers(transport),
    orders: createOrders(transport),
    invoices: createInvoices(transport),
    agents: createAgents(transport),
    voice: createVoice(transport),
  };
}
