import type { CurrencySetRequest } from "@creditgate/admin";
import { acting, type Commands, listing, type Options } from "./command.ts";

const agentFields: Options = {
  name: { field: "agent_name", value: "TEXT", meaning: "what it is called" },
  description: { field: "agent_description", value: "TEXT", nullable: true, meaning: "what it does" },
  type: { field: "agent_type", value: "TEXT", nullable: true, meaning: "such as chat or voice" },
};

export const agents: Commands = {
  list: listing(
    "agents, by ID",
    {
      options: {
        "external-id": {
          field: "agent_external_id",
          value: "ID",
          meaning: "only the one with this external ID",
        },
      },
    },
    (organization, { request }) => organization.agents.all(request()),
  ),
  show: acting("an agent", { arguments: ["agent"] }, (organization, { argument }) =>
    organization.agents.get(argument("agent")),
  ),
  create: acting(
    "a new agent; its ID is made up where none is given",
    {
      options: {
        id: { field: "agentId", value: "ID", meaning: "its ID" },
        "external-id": {
          field: "agent_external_id",
          value: "ID",
          required: true,
          meaning: "its ID elsewhere",
        },
        ...agentFields,
      },
    },
    (organization, { request }) => organization.agents.create(request()),
  ),
  edit: acting(
    "changes what an agent is called",
    { arguments: ["agent"], options: agentFields },
    (organization, { argument, request }) => organization.agents.edit(argument("agent"), request()),
  ),
};

const terms: Options = {
  billing: {
    field: "billing",
    value: "MODE",
    required: true,
    meaning: "CREDITS debits wallets; any other is recorded",
  },
  currency: { field: "currency", value: "KEY", meaning: "the credit currency, with CREDITS" },
  price: { field: "price", as: "json", value: "JSON", meaning: 'rates, as {"perEvent":1}, with CREDITS' },
  "model-prices": { field: "modelPrices", as: "json", value: "JSON", meaning: "rates of models" },
};

export const indicators: Commands = {
  list: listing(
    "the indicators of an agent, as they bill now",
    { arguments: ["agent"] },
    (organization, { argument }) => organization.indicators.of(argument("agent")).all(),
  ),
  create: acting(
    "a new indicator",
    {
      arguments: ["agent"],
      options: { name: { field: "name", value: "NAME", required: true, meaning: "its name" }, ...terms },
    },
    (organization, { argument, request }) => organization.indicators.create(argument("agent"), request()),
  ),
};

export const prices: Commands = {
  list: listing(
    "all versions of a price, the last to hold first",
    { arguments: ["agent", "indicator"] },
    (organization, { argument }) =>
      organization.indicators.prices(argument("agent"), argument("indicator")).all(),
  ),
  cost: acting(
    "what a use would cost, line by line; nothing is billed",
    {
      arguments: ["agent", "indicator"],
      options: {
        usage: {
          field: "rawUsage",
          as: "json",
          value: "JSON",
          meaning: 'what would be reported, as {"inputTokens":12}',
        },
        "call-minutes": { field: "callMinutes", value: "MINUTES", meaning: "how long a voice call would be" },
        at: { field: "at", value: "TIME", meaning: "by the price of this instant; now without it" },
      },
    },
    (organization, { argument, request }) =>
      organization.indicators.cost(argument("agent"), argument("indicator"), request()),
  ),
  set: acting(
    "a price from now on, or from later",
    {
      arguments: ["agent", "indicator"],
      options: {
        ...terms,
        "valid-from": {
          field: "validFrom",
          value: "TIME",
          meaning: "as 2026-01-01T00:00:00Z; now without it",
        },
      },
    },
    (organization, { argument, request }) =>
      organization.indicators.setPrice(argument("agent"), argument("indicator"), request()),
  ),
};

export const currencies: Commands = {
  list: listing("credit currencies, each with what a credit costs", {}, (organization) =>
    organization.currencies.list(),
  ),
  set: acting(
    "a currency, its name, and what a credit costs in money from now on",
    {
      arguments: ["currency"],
      options: {
        name: { field: "name", value: "TEXT", nullable: true, meaning: "what it is called" },
        "unit-price": {
          field: "unitPrice",
          as: "json",
          value: "JSON",
          nullable: true,
          meaning: 'as {"amount":"0.25","currency":"EUR"}, in minor units',
        },
      },
    },
    (organization, { argument, request }) =>
      organization.currencies.set({
        ...request<CurrencySetRequest>(),
        credit_currency_key: argument("currency"),
      }),
  ),
};
