import { z } from "zod";
import { ordinal } from "./list.ts";
import { type OpenRecord, openRecord } from "./record.ts";
import { identifier, line, prose } from "./text.ts";

/** Query of the agent list (API, section 4.5). */
export interface AgentListQuery {
  /** The page, from 1. */
  readonly page?: number | undefined;
  /** Agents to a page, from 1. */
  readonly limit?: number | undefined;
}

/** A page of agents. The API does not show it; these are the fields of Creditgate's control plane, others are passed on. */
export interface AgentListAnswer extends OpenRecord {
  readonly agents?: readonly OpenRecord[] | undefined;
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
  readonly total?: number | undefined;
}

/** An agent to create, or to get when the external ID is known (API, sections 2.3 and 4.5). */
export interface AgentEnsureRequest {
  readonly agent_name: string;
  /** The caller's own ID of the agent. */
  readonly agent_external_id: string;
  readonly agent_description?: string | undefined;
  /** A kind such as `voice`; the full set is not shown. */
  readonly agent_type?: string | undefined;
}

/** Parses the query of the agent list, out of a URL (digits) or as numbers (API, section 4.5). */
export const agentListQuery: z.ZodType<AgentListQuery> = z.object({
  page: ordinal.optional(),
  limit: ordinal.optional(),
});

/** Parses a page of agents: fields are optional, but those that are there must have their type. */
export const agentListAnswer: z.ZodType<AgentListAnswer> = z.looseObject({
  agents: z.array(openRecord).optional(),
  page: z.int().optional(),
  limit: z.int().optional(),
  total: z.int().optional(),
});

/** Parses the body of ensure (API, section 4.5). */
export const agentEnsureRequest: z.ZodType<AgentEnsureRequest> = z.object({
  agent_name: line(1, 256),
  agent_external_id: identifier,
  agent_description: prose(4096).optional(),
  agent_type: line(1, 256).optional(),
});
