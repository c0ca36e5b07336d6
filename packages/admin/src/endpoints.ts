import { isEndpoint } from "./calls.ts";
import { account } from "./contract/account.ts";
import { agents } from "./contract/agent.ts";
import { allowances } from "./contract/allowance.ts";
import { apiKeys } from "./contract/api-key.ts";
import { attentionEndpoints } from "./contract/attention.ts";
import { audit } from "./contract/audit.ts";
import { books } from "./contract/books.ts";
import { budgets } from "./contract/budget.ts";
import { creditNoteEndpoints } from "./contract/credit-note.ts";
import { currencies } from "./contract/currency.ts";
import { customers } from "./contract/customer.ts";
import type { AdminEndpoint } from "./contract/define-endpoint.ts";
import { gates } from "./contract/gate.ts";
import { grants } from "./contract/grant.ts";
import { invoices } from "./contract/invoice.ts";
import { issuers } from "./contract/issuer.ts";
import { ledger } from "./contract/ledger.ts";
import { limits } from "./contract/limit.ts";
import { linkEndpoints, memberInvitations, operatorInvitations } from "./contract/link.ts";
import { orders } from "./contract/order.ts";
import { organizationItself, organizations } from "./contract/organization.ts";
import { indicators } from "./contract/price.ts";
import { settlementEndpoints } from "./contract/settlement.ts";
import { unbilled } from "./contract/unbilled.ts";
import { usage } from "./contract/usage.ts";
import { usageFeed } from "./contract/usage-feed.ts";
import { usageSeriesEndpoints } from "./contract/usage-series.ts";
import { members, users } from "./contract/user.ts";
import { voiceSessions } from "./contract/voice-session.ts";
import { wallets } from "./contract/wallet.ts";
import { webhooks } from "./contract/webhook.ts";
import { webhookDeliveries } from "./contract/webhook-delivery.ts";

/** What the client offers of the service. */
export const serviceEndpoints = {
  organizations,
  /** Who changed money or keys, of one organisation or of all, the newest first. */
  audit,
  /** Who asks, and how one signs in and out. */
  account: { ...account, ...linkEndpoints },
  /** All people with an account; for operators. */
  users: { ...users, ...operatorInvitations },
};

/** What the client offers of an organisation. */
export const organizationEndpoints = {
  ...organizationItself,
  agents,
  indicators,
  apiKeys,
  currencies,
  customers,
  wallets,
  grants,
  allowances,
  budgets,
  usage: { ...usage, feed: usageFeed },
  unbilled,
  overview: { ...usageSeriesEndpoints, ...attentionEndpoints, ...settlementEndpoints },
  voiceSessions,
  ledger,
  books,
  limits,
  orders,
  invoices: { ...invoices, ...creditNoteEndpoints },
  issuers,
  webhooks: { ...webhooks, ...webhookDeliveries },
  gates,
  members: { ...members, ...memberInvitations },
};

type EndpointsIn<Group> = {
  [Key in keyof Group]: Group[Key] extends AdminEndpoint ? Group[Key] : EndpointsIn<Group[Key]>;
}[keyof Group];

type Endpoints = EndpointsIn<typeof serviceEndpoints> | EndpointsIn<typeof organizationEndpoints>;

/** The operations of the admin API, by the names that messages and telemetry use. */
export type AdminEndpoints = { readonly [Of in Endpoints as Of["name"]]: Of };

/** Those of them whose answer is of this kind. */
export type EndpointsOf<Kind extends AdminEndpoint["kind"]> = {
  readonly [Of in Extract<Endpoints, { readonly kind: Kind }> as Of["name"]]: Of;
};

function* endpointsIn(group: object): Generator<AdminEndpoint> {
  for (const of of Object.values(group)) {
    if (isEndpoint(of)) yield of;
    else yield* endpointsIn(of);
  }
}

const all = [...endpointsIn(serviceEndpoints), ...endpointsIn(organizationEndpoints)];

function byName(endpoints: readonly AdminEndpoint[]): unknown {
  return Object.fromEntries(endpoints.map((one) => [one.name, one]));
}

/** The operations of the admin API, by the names that messages and telemetry use. */
export const adminEndpoints = byName(all) as AdminEndpoints;

/** Lists and journals as files: all that passes the filter. */
export const csvEndpoints = byName(all.filter(({ kind }) => kind === "csv")) as EndpointsOf<"csv">;

/** Documents as pages of HTML, to be printed. */
export const printEndpoints = byName(all.filter(({ kind }) => kind === "page")) as EndpointsOf<"page">;
