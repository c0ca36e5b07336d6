import {
  type AgentEnsureRequest,
  type AgentListAnswer,
  type AgentListQuery,
  agentEnsureRequest,
  agentListAnswer,
  agentListQuery,
} from "../contract/agent.ts";
import { type OpenRecord, openRecord } from "../contract/fields.ts";
import { CreditgateError } from "../errors/creditgate-error.ts";
import type { CallOptions } from "../transport/call.ts";
import { call, checkInput, methodsOf } from "../transport/checked-call.ts";
import { endpoints } from "../transport/endpoints.ts";
import type { Transport } from "../transport/transport.ts";

/** Agents (API, section 4.5). The fields of the answers are not shown by the API. */
export interface Agents {
  /** One page of agents; the service's defaults apply to what is left out. Retried. */
  list(query?: AgentListQuery, options?: CallOptions): Promise<AgentListAnswer>;
  /**
   * Agent after agent, page after page from page 1, each page fetched when it is needed. Ends at an empty page, at one
   * that is shorter than the `limit` the service states, or at one that only repeats the page before it. Throws
   * `answer_invalid` at a page without `agents`.
   */
  all(
    query?: Pick<AgentListQuery, "limit">,
    options?: CallOptions,
  ): AsyncGenerator<OpenRecord, void, undefined>;
  /** The agent with this external ID, created if there is none. Retried. */
  ensure(agent: AgentEnsureRequest, options?: CallOptions): Promise<OpenRecord>;
}

export function createAgents(transport: Transport): Agents {
  async function list(query: AgentListQuery = {}, options?: CallOptions): Promise<AgentListAnswer> {
    const { page, limit } = checkInput(endpoints.agentList, agentListQuery, query);
    return call(transport, endpoints.agentList, agentListAnswer, { query: { page, limit } }, options);
  }

  return {
    list,
    async *all({ limit } = {}, options) {
      let before = "[]";
      for (let page = 1; ; page++) {
        const { agents, limit: stated } = await list({ page, limit }, options);
        if (agents === undefined) throw withoutAgents();
        // A service that knows no pages answers every one with the same list.
        const now = JSON.stringify(agents);
        if (now === "[]" || now === before) return;
        before = now;
        yield* agents;
        // The limit that counts is the service's: it may have lowered the caller's.
        if (stated !== undefined && agents.length < stated) return;
      }
    },
    ensure: methodsOf(transport).post(endpoints.agentEnsure, agentEnsureRequest, openRecord),
  };
}

function withoutAgents(): CreditgateError {
  const { method, path } = endpoints.agentList;
  return new CreditgateError(
    "answer_invalid",
    `${method} ${path} answered a page that does not fit: agents: expected array, received undefined`,
  );
}
