import type { CallOptions } from "../../call.ts";
import { call, checkPath, posting } from "../../checked-call.ts";
import { checkInput } from "../../contract-check.ts";
import type { Transport } from "../../transport.ts";
import {
  type AdminAgent,
  type AdminAgentListAnswer,
  type AdminAgentListQuery,
  type AgentCreateRequest,
  type AgentEditRequest,
  adminAgent,
  adminAgentListAnswer,
  adminAgentListQuery,
  agentCreateRequest,
  agentEditRequest,
} from "../contract/agent.ts";
import { adminEndpoints } from "../endpoints.ts";
import { createListing, type Listing } from "../listing.ts";

/** The agents of an organisation, by ID. */
export interface AdminAgents extends Listing<AdminAgentListQuery, AdminAgentListAnswer, AdminAgent> {
  /** The agent with this ID; 404 `agent_unknown` where there is none. Retried. */
  get(agentId: string, options?: CallOptions): Promise<AdminAgent>;
  /** A new agent, without indicators; 409 `agent_exists` where one of its IDs is taken. Never retried once sent. */
  create(agent: AgentCreateRequest, options?: CallOptions): Promise<AdminAgent>;
  /** Changes what an agent is called; a fixture leaves it so. Retried. */
  edit(agentId: string, changes: AgentEditRequest, options?: CallOptions): Promise<AdminAgent>;
}

export function createAdminAgents(transport: Transport, organization_id: string): AdminAgents {
  const params = { organization_id };
  return {
    ...createListing(transport, params, {
      endpoint: adminEndpoints.adminAgentList,
      query: adminAgentListQuery,
      answer: adminAgentListAnswer,
      itemsOf: ({ agents }) => agents,
    }),
    async get(agent_id, options) {
      const reading = adminEndpoints.agentRead;
      const path = checkPath(reading, { ...params, agent_id });
      return call(transport, reading, adminAgent, { params: path }, options);
    },
    create: posting(transport, params)(adminEndpoints.agentCreate, agentCreateRequest, adminAgent),
    async edit(agent_id, changes, options) {
      const editing = adminEndpoints.agentEdit;
      const body = checkInput(editing, agentEditRequest, changes);
      const path = checkPath(editing, { ...params, agent_id });
      return call(transport, editing, adminAgent, { params: path, body }, options);
    },
  };
}
