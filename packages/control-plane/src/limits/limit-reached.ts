import { Problem } from "../http/problem.ts";
import type { CountLimit } from "./limits.ts";

/** The code of each refusal, and what there are too many of. */
const words: Readonly<Record<CountLimit, readonly [code: string, things: string]>> = {
  apiKeys: ["too_many_api_keys", "valid API keys in the organisation"],
  webhooks: ["too_many_webhooks", "endpoints in the organisation"],
  agents: ["too_many_agents", "agents in the organisation"],
  indicatorsOfAgent: ["too_many_indicators", "indicators of the agent"],
  versionsOfPrice: ["too_many_prices", "versions of the price"],
  currencies: ["too_many_currencies", "credit currencies in the organisation"],
  walletsOfCustomer: ["too_many_wallets", "wallets of the customer"],
  walletsOfOrder: ["order_too_large", "credit currencies in an order"],
  members: ["too_many_members", "members in the organisation"],
};

/** A 422 that names the limit and its number: an operator can set another for the organisation. */
export function limitReached(name: CountLimit, most: number, received = "one more"): Problem {
  const [code, things] = words[name];
  return new Problem(422, code, `expected at most ${most} ${things} (limit ${name}), received ${received}`);
}
