import {
  type AdjustmentRequest,
  adminEndpoints,
  type CustomerCreateRequest,
  type WalletCreateRequest,
} from "@creditgate/admin";
import {
  acting,
  type Commands,
  choice,
  credits,
  currency,
  customer,
  fields,
  type Input,
  listing,
  reason,
  span,
} from "./command.ts";

const personal = fields(adminEndpoints.customerEdit, { addressLines: "address" });

export const customers: Commands = {
  list: listing(
    "customers with their wallets, by ID",
    {
      options: {
        search: { field: "search", value: "WORDS", meaning: "beginnings of words of ID, name and email" },
      },
      csv: "customerCsv",
    },
    (organization, { request }) => organization.customers.all(request()),
  ),
  show: acting("a customer with its wallets", { arguments: ["customer"] }, (organization, { argument }) =>
    organization.customers.get(argument("customer")),
  ),
  create: acting(
    "a new customer",
    { arguments: ["customer"], options: personal },
    (organization, { argument, request }) =>
      organization.customers.create({
        ...request<CustomerCreateRequest>(),
        externalId: argument("customer"),
      }),
  ),
  edit: acting(
    "changes what is known of a customer",
    { arguments: ["customer"], options: personal },
    (organization, { argument, request }) => organization.customers.edit(argument("customer"), request()),
  ),
  erase: acting(
    "removes what is personal; ID, wallets, usage, ledger and invoices stay",
    { arguments: ["customer"] },
    (organization, { argument }) => organization.customers.erase(argument("customer")),
  ),
};

const wallet = ["customer", "currency"] as const;

function adjustment({ argument, request }: Input): AdjustmentRequest {
  return {
    ...request<AdjustmentRequest>(),
    customer_id: argument("customer"),
    credit_currency_key: argument("currency"),
    credits: Number(argument("credits")),
  };
}

export const wallets: Commands = {
  urgent: listing(
    "wallets near their end, those that came there last first",
    {
      options: {
        urgency: {
          ...choice("urgency", "those that can pay nothing, or soon cannot", ["exhausted", "low"]),
          required: true,
        },
      },
    },
    (organization, { request }) => organization.overview.urgentWallets.all(request()),
  ),
  list: listing(
    "wallets, by customer and currency",
    {
      options: {
        customer,
        currency,
        kind: choice("kind", "only of this kind", ["prepaid", "postpaid"]),
        state: choice("state", "only in this state", ["funded", "overage", "exhausted"]),
      },
      csv: "walletCsv",
    },
    (organization, { request }) => organization.wallets.all(request()),
  ),
  show: acting("a wallet", { arguments: wallet }, (organization, { argument }) =>
    organization.wallets.get(argument("customer"), argument("currency")),
  ),
  create: acting(
    "opens an empty wallet",
    {
      arguments: wallet,
      options: {
        kind: { ...choice("kind", "of which kind", ["prepaid", "postpaid"]), required: true },
        "overage-limit": credits("overage_limit", "that a prepaid one may be overdrawn by"),
        "postpaid-limit": credits("postpaid_limit", "of a postpaid one in a period; 0 is no limit"),
      },
    },
    (organization, { argument, request }) =>
      organization.wallets.create(argument("customer"), {
        ...request<WalletCreateRequest>(),
        credit_currency_key: argument("currency"),
      }),
  ),
  limits: acting(
    "changes the limit and the threshold of a wallet",
    {
      arguments: wallet,
      options: {
        "overage-limit": credits("overage_limit", "of a prepaid wallet"),
        "postpaid-limit": credits("postpaid_limit", "of a postpaid wallet; 0 is no limit"),
        "low-threshold": credits("low_threshold", "below which the wallet is low", {
          nullable: true,
        }),
      },
    },
    (organization, { argument, request }) =>
      organization.wallets.setLimits(argument("customer"), argument("currency"), request()),
  ),
  "top-up": acting(
    "adds credits to a prepaid wallet",
    { arguments: [...wallet, "credits"], options: { reason: { ...reason, required: false } }, isKeyed: true },
    (organization, { argument, request, keyed }) => {
      const topUp = { credit_currency_key: argument("currency"), credits: Number(argument("credits")) };
      const body = { ...request<{ reason?: string }>(), customer_id: argument("customer"), top_ups: [topUp] };
      return organization.wallets.topUp(body, keyed);
    },
  ),
  refund: acting(
    "gives credits back",
    { arguments: [...wallet, "credits"], options: { reason }, isKeyed: true },
    (organization, input) => organization.wallets.refund(adjustment(input), input.keyed),
  ),
  correct: acting(
    "gives credits, or takes them where there are less than 0",
    { arguments: [...wallet, "credits"], options: { reason }, isKeyed: true },
    (organization, input) => organization.wallets.correct(adjustment(input), input.keyed),
  ),
};

export const ledger: Commands = {
  list: listing(
    "the entries of the ledger, the newest first",
    {
      options: {
        customer,
        currency,
        cause: { field: "cause", value: "CAUSE", meaning: "such as usage, top_up or void" },
        ...span,
      },
      csv: "ledgerCsv",
    },
    (organization, { request }) => organization.ledger.all(request()),
  ),
};
