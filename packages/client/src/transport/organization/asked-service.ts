import { isCreditgateError } from "../../errors/creditgate-error.ts";
import { isVisible } from "../../errors/option-check.ts";
import type { Answer, CallInput, CallOptions } from "../call.ts";
import type { Endpoint } from "../endpoint.ts";
import { endpoints } from "../endpoints.ts";

type Send = (endpoint: Endpoint, input: CallInput, options: CallOptions) => Promise<Answer>;

/** Whose key this is, as the service says in its answers; `undefined` where it does not say. Rejects as `send` does. */
export async function reportedOrganization(send: Send): Promise<string | undefined> {
  try {
    const list = { query: { page: 1, limit: 1 } };
    const { isFresh, organization } = await send(endpoints.agentList, list, { fresh: true });
    // A cached answer may be another organisation's.
    return isFresh === true && isVisible(organization) ? organization : undefined;
  } catch (error) {
    // A service without a list of agents reports no organisation.
    if (isCreditgateError(error) && error.status === 404) return undefined;
    throw error;
  }
}
