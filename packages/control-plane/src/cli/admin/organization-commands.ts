import type {
  ApiKeyCreateRequest,
  ApiKeyRotateRequest,
  OrganizationSettingsRequest,
  PeriodCloseRequest,
  WebhookCreateRequest,
  WebhookEditRequest,
  WebhookReplayRequest,
  WebhookRotateRequest,
} from "@creditgate/client/admin";
import {
  acting,
  type Commands,
  choice,
  credits,
  customer,
  listing,
  type Option,
  type Options,
  span,
} from "./command.ts";

function keptMonths(field: string, what: string): Option {
  return { field, as: "number", value: "N", nullable: true, meaning: `for how many months ${what}` };
}

export const organizations: Commands = {
  list: {
    summary: "all organisations",
    async *run({ client }) {
      yield* await client.organizations.list();
    },
  },
  create: {
    summary: "a new organisation",
    arguments: ["name"],
    run: ({ client, argument }) => client.organizations.create({ name: argument("name") }),
  },
  configure: acting(
    "changes its settings; null takes one back",
    {
      options: {
        "billing-period": {
          ...choice("billingPeriod", "how long a period is", ["daily", "weekly", "monthly"]),
          nullable: true,
        },
        "billing-anchor": {
          field: "billingAnchor",
          as: "number",
          value: "DAY",
          nullable: true,
          meaning: "first day of a period",
        },
        "time-zone": {
          field: "timeZone",
          value: "ZONE",
          nullable: true,
          meaning: "in which the days of periods are",
        },
        "low-threshold": credits("lowThreshold", "below which wallets are low", { nullable: true }),
        "usage-kept-months": keptMonths("usageKeptMonths", "reports of usage are kept"),
        "answers-kept-months": keptMonths("answersKeptMonths", "answers to an Idempotency-Key are kept"),
        "audit-kept-months": keptMonths("auditKeptMonths", "the audit log is listed"),
        "ledger-kept-months": keptMonths("ledgerKeptMonths", "the ledger is listed"),
      },
    },
    (organization, { request }) => organization.configure(request<OrganizationSettingsRequest>()),
  ),
  "close-periods": acting(
    "invoices the periods that have ended",
    { options: { early: { field: "early", as: "yes", meaning: "end the running period now" } } },
    (organization, { request }) => organization.closePeriods(request<PeriodCloseRequest>()),
  ),
  attention: acting("counts of what should be looked at", {}, (organization) =>
    organization.overview.attention(),
  ),
  failures: listing("periods that could not be invoiced, and why", {}, (organization) =>
    organization.unbilled.periodFailures.all(),
  ),
};

const overlap: Options = {
  "overlap-seconds": {
    field: "overlapSeconds",
    as: "number",
    value: "N",
    meaning: "how long the old one holds (86400)",
  },
};

export const apiKeys: Commands = {
  list: listing("API keys, without the keys themselves", {}, (organization) => organization.apiKeys.list()),
  create: acting(
    "a new API key, which is shown once",
    {
      arguments: ["name"],
      options: {
        scopes: {
          field: "scopes",
          as: "list",
          value: "SCOPE,...",
          meaning: "what it may do; all without it",
        },
        "expires-at": { field: "expiresAt", value: "TIME", meaning: "when it ends" },
      },
    },
    (organization, { argument, request }) =>
      organization.apiKeys.create({ ...request<ApiKeyCreateRequest>(), name: argument("name") }),
  ),
  rotate: acting(
    "a new API key in the place of one, which is shown once",
    {
      arguments: ["key"],
      options: {
        ...overlap,
        "expires-at": { field: "expiresAt", value: "TIME", nullable: true, meaning: "when the new one ends" },
      },
    },
    (organization, { argument, request }) =>
      organization.apiKeys.rotate(argument("key"), request<ApiKeyRotateRequest>()),
  ),
  revoke: acting("ends an API key", { arguments: ["key"] }, (organization, { argument }) =>
    organization.apiKeys.revoke(argument("key")),
  ),
};

const webhookFields: Options = {
  description: { field: "description", value: "TEXT", meaning: "what it is for" },
  events: {
    field: "events",
    as: "list",
    value: "EVENT,...",
    nullable: true,
    meaning: "of what it is told; all without it",
  },
};

export const webhooks: Commands = {
  list: listing("where events are told", {}, (organization) => organization.webhooks.list()),
  create: acting(
    "a new endpoint, whose secret is shown once",
    { arguments: ["url"], options: webhookFields },
    (organization, { argument, request }) =>
      organization.webhooks.create({ ...request<WebhookCreateRequest>(), url: argument("url") }),
  ),
  edit: acting(
    "changes an endpoint",
    {
      arguments: ["endpoint"],
      options: {
        url: { field: "url", value: "URL", meaning: "where it is" },
        status: choice("status", "whether it is told", ["enabled", "disabled"]),
        ...webhookFields,
      },
    },
    (organization, { argument, request }) =>
      organization.webhooks.edit(argument("endpoint"), request<WebhookEditRequest>()),
  ),
  delete: acting("removes an endpoint", { arguments: ["endpoint"] }, (organization, { argument }) =>
    organization.webhooks.delete(argument("endpoint")),
  ),
  "rotate-secret": acting(
    "a new secret beside the old one, shown once",
    { arguments: ["endpoint"], options: overlap },
    (organization, { argument, request }) =>
      organization.webhooks.rotateSecret(argument("endpoint"), request<WebhookRotateRequest>()),
  ),
  test: acting("sends the event webhook.test", { arguments: ["endpoint"] }, (organization, { argument }) =>
    organization.webhooks.sendTest(argument("endpoint")),
  ),
  replay: acting(
    "sends events again",
    {
      arguments: ["endpoint"],
      options: {
        event: { field: "eventId", value: "ID", meaning: "only this one" },
        since: { field: "since", value: "TIME", meaning: "all from this instant on" },
        until: { field: "until", value: "TIME", meaning: "and before this one" },
      },
    },
    async (organization, { argument, request }) => {
      let asked = request<WebhookReplayRequest>();
      for (let replayed = 0; ; ) {
        const answer = await organization.webhooks.replay(argument("endpoint"), asked);
        replayed += answer.replayed;
        if (answer.next === null || !("since" in asked)) return { replayed };
        asked = { ...asked, cursor: answer.next };
      }
    },
  ),
  deliveries: listing(
    "what was sent and what waits, the newest events first",
    {
      options: {
        customer,
        endpoint: { field: "endpoint_id", value: "ID", meaning: "only to this endpoint" },
        status: choice("status", "only in this state", ["pending", "delivered", "given_up"]),
        type: { field: "type", value: "EVENT", meaning: "only of this type" },
        ...span,
      },
    },
    (organization, { request }) => organization.webhooks.deliveries.all(request()),
  ),
};

export const auditLog: Commands = {
  list: {
    summary: "who changed money, prices or keys, the newest first; of one organisation where it is named",
    options: { action: { field: "action", value: "ACTION", meaning: "such as invoice.void" }, ...span },
    csv: "auditCsv",
    async *run({ client, organization, request }) {
      const { organizationId } = await organization();
      yield* client.audit.all({ ...request<object>(), organization_id: organizationId });
    },
  },
};
