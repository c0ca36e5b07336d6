import {
  type ApiKeyCreateRequest,
  adminEndpoints,
  type WebhookCreateRequest,
  type WebhookReplayRequest,
} from "@creditgate/admin";
import { acting, type Commands, choice, customer, fields, listing, type Options, span } from "./command.ts";

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
      options: fields(adminEndpoints.organizationSettings),
    },
    (organization, { request }) => organization.configure(request()),
  ),
  "close-periods": acting(
    "invoices the periods that have ended",
    { options: { early: { field: "early", as: "yes", meaning: "end the running period now" } } },
    (organization, { request }) => organization.closePeriods(request()),
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
    (organization, { argument, request }) => organization.apiKeys.rotate(argument("key"), request()),
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
    meaning: "the events that it receives; all without it",
  },
};

export const webhooks: Commands = {
  list: listing("webhook endpoints", {}, (organization) => organization.webhooks.list()),
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
        status: choice("status", "whether it receives events", ["enabled", "disabled"]),
        ...webhookFields,
      },
    },
    (organization, { argument, request }) => organization.webhooks.edit(argument("endpoint"), request()),
  ),
  delete: acting("removes an endpoint", { arguments: ["endpoint"] }, (organization, { argument }) =>
    organization.webhooks.delete(argument("endpoint")),
  ),
  "rotate-secret": acting(
    "a new secret beside the old one, shown once",
    { arguments: ["endpoint"], options: overlap },
    (organization, { argument, request }) =>
      organization.webhooks.rotateSecret(argument("endpoint"), request()),
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

export const operators: Commands = {
  invite: {
    summary: "a link for another operator, which is shown once",
    arguments: ["email"],
    run: ({ client, argument }) => client.users.inviteOperator({ email: argument("email") }),
  },
  invitations: {
    summary: "pending invitations of operators",
    async *run({ client }) {
      yield* await client.users.operatorInvitations();
    },
  },
  revoke: {
    summary: "revokes the invitation of an operator",
    arguments: ["invitation"],
    run: ({ client, argument }) => client.users.revokeOperatorInvitation(argument("invitation")),
  },
};

export const limits: Commands = {
  list: listing("what an organisation may have, and what it has", {}, async (organization) => {
    const { limits } = await organization.limits.list();
    return limits;
  }),
  set: acting(
    "sets limits for an organisation",
    { options: fields(adminEndpoints.limitSet) },
    (organization, { request }) => organization.limits.set(request()),
  ),
};
