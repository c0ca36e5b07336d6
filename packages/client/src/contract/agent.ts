import { z } from "zod";
import { type Data, identifier, line, openRecord, ordinal, prose } from "./fields.ts";

/** Parses the query of the agent list, out of a URL (digits) or as numbers (API, section 4.5). */
export const agentListQuery = z.object({
  /** The page, from 1. */
  page: ordinal.optional(),
  /** Agents to a page, from 1. */
  limit: ordinal.optional(),
});

/** Query of the agent list (API, section 4.5). */
export type AgentListQuery = Data<typeof agentListQuery>;

/** Parses a page of agents: fields are optional, but those that are there must have their type. */
export const agentListAnswer = z.looseObject({
  agents: z.array(openRecord).optional(),
  page: z.int().optional(),
  limit: z.int().optional(),
  total: z.int().optional(),
});

/** A page of agents. The API does not show it; these are the fields of Creditgate's control plane, others are passed on. */
export type AgentListAnswer = Data<typeof agentListAnswer>;

/** Parses the body of ensure (API, section 4.5). */
export const agentEnsureRequest = z.object({
  agent_name: line(1, 256),
  /** The caller's own ID of the agent. */
  agent_external_id: identifier,
  agent_description: prose(4096).optional(),
  /** A kind such as `voice`; the full set is not shown. */
  agent_type: line(1, 256).optional(),
});

/** An agent to create, or to get when the external ID is known (API, sections 2.3 and 4.5). */
export type AgentEnsureRequest = Data<typeof agentEnsureRequest>;
