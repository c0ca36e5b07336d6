import { type Data, identifier } from "@creditgate/client";
import { line, prose, record } from "@creditgate/client/parts";
import { z } from "zod";
import { organization, tagged } from "./define-endpoint.ts";
import { editFields, taggedFields } from "./etag.ts";
import { partFields, partOf } from "./part.ts";

const defineEndpoint = tagged("Agents and prices");

const changing = {
  agentDescription: prose(4096).nullish().describe("What it does"),
  agentType: line(1, 256).nullish().describe("Such as chat or voice"),
};

const agentCreateRequest = z.strictObject({
  agentId: identifier.optional().describe("Its ID in usage reports; a new one without it"),
  agentExternalId: identifier.describe("Its ID elsewhere"),
  agentName: line(1, 256).describe("What it is called"),
  ...changing,
});

const agentEditRequest = z.strictObject({
  ...editFields,
  agentName: line(1, 256).optional().describe("What it is called"),
  ...changing,
});

/** What is to change of an agent. What is left out stays; `null` removes it. */
export type AgentEditRequest = Data<typeof agentEditRequest>;

export const adminAgent = record({
  /** The ID in usage reports. */
  agentId: z.string(),
  agentExternalId: z.string(),
  agentName: z.string(),
  agentDescription: z.string().nullable(),
  agentType: z.string().nullable(),
  /** How many indicators it has. */
  indicators: z.int(),
  createdAt: z.string(),
  ...taggedFields,
});

/** An agent, as operators see it; its indicators are a list of their own. */
export type AdminAgent = Data<typeof adminAgent>;

const adminAgentListQuery = z.strictObject({
  ...partFields,
  agentExternalId: identifier.optional().describe("Only the one with this external ID"),
});

const agentPath = `${organization}/agents/{agentId}` as const;

/** The agents of an organisation, by ID. */
export const agents = {
  list: defineEndpoint({
    name: "adminAgentList",
    path: `${organization}/agents`,
    kind: "list",
    scope: "read",
    query: adminAgentListQuery,
    answer: partOf({ agents: z.array(adminAgent) }),
    summary: "Lists agents",
  }),
  /** The agent with this ID; 404 `agent_unknown` where there is none. Retried. */
  get: defineEndpoint({
    name: "agentRead",
    path: agentPath,
    scope: "read",
    answer: adminAgent,
    summary: "Reads an agent",
  }),
  /** A new agent, without indicators; 409 `agent_exists` where one of its IDs is taken. Never retried once sent. */
  create: defineEndpoint({
    name: "agentCreate",
    method: "POST",
    path: `${organization}/agents`,
    scope: "money",
    body: agentCreateRequest,
    answer: adminAgent,
    summary: "Creates an agent",
    statuses: [201],
  }),
  /** Changes what an agent is called; a fixture leaves it so. Retried. */
  edit: defineEndpoint({
    name: "agentEdit",
    method: "POST",
    path: agentPath,
    idempotent: true,
    scope: "money",
    body: agentEditRequest,
    answer: adminAgent,
    summary: "Changes what an agent is called",
  }),
};
