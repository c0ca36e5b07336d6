import type { OpenRecord } from "../contract/fields.ts";
import { isJsonObject } from "../errors/json-object.ts";
import { nearestName } from "../errors/nearest-name.ts";
import { endpoints } from "../transport/endpoints.ts";
import type { Transport } from "../transport/transport.ts";
import { type Expectations, type Finding, undetermined, well, wrong } from "./finding.ts";
import { checkPrice, type Reported } from "./price-check.ts";

const pageSize = 100;
const mostPages = 50;

/** The agent, its indicator, the currency and the price, if they are named and the service reports them. */
export async function checkAgent(
  transport: Pick<Transport, "send">,
  expected: Expectations,
  reported: Reported,
): Promise<readonly Finding[]> {
  if (expected.agentId === undefined) return [];
  try {
    return checkListed(await listAgents(transport), expected, reported);
  } catch (error) {
    return [undetermined("agent", error instanceof Error ? error.message : String(error))];
  }
}

/**
 * The same for many, in their order, by one list of the agents; the price of those without one is not looked at. Rejects where
 * the service does not list its agents.
 */
export async function checkAgents(
  transport: Pick<Transport, "send">,
  expected: readonly Expectations[],
): Promise<readonly (readonly Finding[])[]> {
  const listed = await listAgents(transport);
  return expected.map((one) => checkListed(listed, one, { costs: true, usageParts: listed.usageParts }));
}

interface Listed {
  readonly agents: readonly OpenRecord[];
  /** Whether these are certainly all. */
  readonly isWhole: boolean;
  readonly usageParts: Reported["usageParts"];
}

function checkListed(
  { agents, isWhole }: Listed,
  expected: Expectations,
  reported: Reported,
): readonly Finding[] {
  const { agentId } = expected;
  if (agentId === undefined) return [];
  const ids = agents.map((agent) => agent.agentId).filter((id) => typeof id === "string");
  if (ids.length === 0 && agents.length > 0) {
    return [undetermined("agent", "the service lists agents, and does not say their ids")];
  }
  const agent = agents.find((one) => one.agentId === agentId);
  if (agent !== undefined) {
    const name = JSON.stringify(agentId);
    return [well("agent", `${name} exists`), ...checkIndicator(agent, expected, reported)];
  }
  if (!isWhole) {
    const first = `${JSON.stringify(agentId)} is not among the first ${agents.length} agents of the service`;
    return [undetermined("agent", `${first}, which may have more`)];
  }
  return [wrong("agent", unknown(agentId, ids), "correct agentId, or create the agent at the service")];
}

async function listAgents(transport: Pick<Transport, "send">): Promise<Listed> {
  const all: OpenRecord[] = [];
  let usageParts: Reported["usageParts"];
  for (let page = 1; page <= mostPages; page++) {
    const answer = await transport.send(endpoints.agentList, { query: { page, limit: pageSize } });
    const { body } = answer;
    usageParts = answer.usageParts;
    if (!isJsonObject(body) || !Array.isArray(body.agents))
      throw new TypeError("the service does not list its agents");
    const agents = body.agents.filter(isJsonObject);
    // A service that ignores the page answers the first one again.
    if (page > 1 && agents[0] !== undefined && agents[0].agentId === all[0]?.agentId) {
      const isWhole = all.length < pageSize && !(Number(body.total) > all.length);
      return { agents: all, isWhole, usageParts };
    }
    all.push(...agents);
    // Pages may be smaller than asked for: a short one is the last if the service says that it was to be as long.
    const isLast = agents.length === 0 || (agents.length < pageSize && body.limit === pageSize);
    if (isLast) return { agents: all, isWhole: !(Number(body.total) > all.length), usageParts };
  }
  return { agents: all, isWhole: false, usageParts };
}

function checkIndicator(agent: OpenRecord, expected: Expectations, reported: Reported): readonly Finding[] {
  const { indicator: name } = expected;
  if (name === undefined) return [];
  if (!Array.isArray(agent.indicators)) {
    return [undetermined("indicator", "the service does not list the indicators of its agents")];
  }
  const indicators = agent.indicators.filter(isJsonObject);
  const indicator = indicators.find((one) => one.name === name);
  if (indicator !== undefined) {
    const exists = well("indicator", `${JSON.stringify(name)} exists`);
    const currency = checkCurrency(indicator, expected);
    // What debits another wallet, or none, has no price to compare.
    const debits = currency.every(({ ok }) => ok !== false);
    return [exists, ...currency, ...(debits ? checkPrice(indicator, expected, reported) : [])];
  }
  const names = indicators.map((one) => one.name).filter((one) => typeof one === "string");
  const fix =
    "correct indicator, or create it at the service: usage of one that is not known is never billed";
  return [wrong("indicator", unknown(name, names), fix)];
}

function checkCurrency(indicator: OpenRecord, { currency }: Expectations): readonly Finding[] {
  const { billing, currency: debits } = indicator;
  if (currency === undefined) return [];
  if (typeof billing !== "string")
    return [undetermined("currency", "the service does not say how the indicator bills")];
  const fix = `bill the indicator in CREDITS and in ${JSON.stringify(currency)}: its usage is accepted, and never debited`;
  if (billing !== "CREDITS")
    return [wrong("currency", `the indicator bills in ${JSON.stringify(billing)}`, fix)];
  if (debits === currency) return [well("currency", `the indicator debits ${JSON.stringify(currency)}`)];
  return [
    wrong("currency", `the indicator debits ${JSON.stringify(debits)}, not ${JSON.stringify(currency)}`, fix),
  ];
}

function unknown(name: string, known: readonly string[]): string {
  const near = nearestName(name, known);
  const advice = near === undefined ? "" : `; did you mean ${JSON.stringify(near)}?`;
  return `the service does not know ${JSON.stringify(name)}${advice}`;
}
