import { type Data, identifier } from "@creditgate/client";
import { line, prose, record } from "@creditgate/client/parts";
import { z } from "zod";
import { defineEndpoint, organization } from "./define-endpoint.ts";
import { editFields, taggedFields } from "./etag.ts";
import { partFields, partOf } from "./part.ts";

const changing = {
  agent_description: prose(4096).nullish(),
  agent_type: line(1, 256).nullish(),
};

const agentCreateRequest = z.strictObject({
  /** The ID in usage reports. @default a new UUID */
  agentId: identifier.optional(),
  agent_external_id: identifier,
  agent_name: line(1, 256),
  ...changing,
});

const agentEditRequest = z.strictObject({
  ...editFields,
  agent_name: line(1, 256).optional(),
  ...changing,
});

/** What is to change of an agent. What is left out stays; `null` removes it. */
export type AgentEditRequest = Data<typeof agentEditRequest>;

export const adminAgent = record({
  /** The ID in usage reports. */
  agentId: z.string(),
  agent_external_id: z.string(),
  agent_name: z.string(),
  agent_description: z.string().nullable(),
  agent_type: z.string().nullable(),
  /** How many indicators it has. */
  indicators: z.int(),
  createdAt: z.string(),
  ...taggedFields,
});

/** An agent, as operators see it; its indicators are a list of their own. */
export type AdminAgent = Data<typeof adminAgent>;

const adminAgentListQuery = z.strictObject({
  ...partFields,
  agent_external_id: identifier.optional(),
});

const tag = "Agents and prices";
const agentPath = `${organization}/agents/{agent_id}` as const;

/** The agents of an organisation, by ID. */
export const agents = {
  list: defineEndpoint({
    name: "adminAgentList",
    method: "GET",
    path: `${organization}/agents`,
    kind: "list",
    scope: "read",
    query: adminAgentListQuery,
    answer: partOf({ agents: z.array(adminAgent) }),
    tag,
    summary: "Lists agents",
  }),
  /** The agent with this ID; 404 `agent_unknown` where there is none. Retried. */
  get: defineEndpoint({
    name: "agentRead",
    method: "GET",
    path: agentPath,
    scope: "read",
    answer: adminAgent,
    tag,
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
    tag,
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
    tag,
    summary: "Changes what an agent is called",
  }),
};
