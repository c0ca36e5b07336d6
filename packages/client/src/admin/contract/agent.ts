import { z } from "zod";
import { identifier, line, prose } from "../../contract/text.ts";
import { type Edit, editFields, type Tagged, taggedFields } from "./etag.ts";
import { type Part, type PartQuery, partEnd, partFields } from "./part.ts";

/** An agent, as operators see it; its indicators are a list of their own. */
export interface AdminAgent extends Tagged {
  /** The ID in usage reports. */
  readonly agentId: string;
  readonly agent_external_id: string;
  readonly agent_name: string;
  readonly agent_description: string | null;
  readonly agent_type: string | null;
  /** How many indicators it has. */
  readonly indicators: number;
  readonly createdAt: string;
}

/** An agent to create. */
export interface AgentCreateRequest {
  /** The ID in usage reports. @default a new UUID */
  readonly agentId?: string | undefined;
  readonly agent_external_id: string;
  readonly agent_name: string;
  readonly agent_description?: string | null | undefined;
  readonly agent_type?: string | null | undefined;
}

/** What is to change of an agent. What is left out stays; `null` removes it. */
export interface AgentEditRequest extends Edit {
  readonly agent_name?: string | undefined;
  readonly agent_description?: string | null | undefined;
  readonly agent_type?: string | null | undefined;
}

const changing = {
  agent_description: prose(4096).nullish(),
  agent_type: line(1, 256).nullish(),
};

/** Parses the body that creates an agent. */
export const agentCreateRequest: z.ZodType<AgentCreateRequest> = z.strictObject({
  agentId: identifier.optional(),
  agent_external_id: identifier,
  agent_name: line(1, 256),
  ...changing,
});

/** Parses the body that changes an agent. */
export const agentEditRequest: z.ZodType<AgentEditRequest> = z.strictObject({
  ...editFields,
  agent_name: line(1, 256).optional(),
  ...changing,
});

/** Parses an agent. Fields that are not listed are passed on. */
export const adminAgent: z.ZodType<AdminAgent> = z.looseObject({
  agentId: z.string(),
  agent_external_id: z.string(),
  agent_name: z.string(),
  agent_description: z.string().nullable(),
  agent_type: z.string().nullable(),
  indicators: z.int(),
  createdAt: z.string(),
  ...taggedFields,
});

/** A part of the agents, by ID. */
export interface AdminAgentListAnswer extends Part {
  readonly agents: readonly AdminAgent[];
}

/** Parses a part of the agents. */
export const adminAgentListAnswer: z.ZodType<AdminAgentListAnswer> = z.looseObject({
  agents: z.array(adminAgent),
  ...partEnd,
});

/** Which agents. */
export interface AdminAgentListQuery extends PartQuery {
  readonly agent_external_id?: string | undefined;
}

/** Parses the query for agents. */
export const adminAgentListQuery: z.ZodType<AdminAgentListQuery> = z.strictObject({
  ...partFields,
  agent_external_id: identifier.optional(),
});
