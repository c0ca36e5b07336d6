import { nearestName } from "#nearest-name";
import type { OpenRecord } from "../contract/record.ts";
import { endpoints } from "../endpoints.ts";
import { isJsonObject } from "../problem.ts";
import type { Transport } from "../transport.ts";
import { cannotTell, type Expectations, type Finding, well, wrong } from "./finding.ts";
import { checkPrice, type Telling } from "./price-check.ts";

const pageSize = 100;
const mostPages = 50;

/** The agent, its indicator, the currency and the price, as far as they are named and the service tells. */
export async function checkAgent(
  transport: Pick<Transport, "send">,
  expected: Expectations,
  tells: Telling,
): Promise<readonly Finding[]> {
  if (expected.agentId === undefined) return [];
  try {
    return checkListed(await listAgents(transport), expected, tells);
  } catch (error) {
    return [cannotTell("agent", error instanceof Error ? error.message : String(error))];
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
  const tells = { costs: true, usageParts: listed.usageParts };
  return expected.map((one) => checkListed(listed, one, tells));
}

function checkListed(
  { agents, isWhole }: ListedAgents,
  expected: Expectations,
  tells: Telling,
): readonly Finding[] {
  const { agentId } = expected;
  if (agentId === undefined) return [];
  const ids = agents.map((agent) => agent.agentId).filter((id) => typeof id === "string");
  if (ids.length === 0 && agents.length > 0) {
    return [cannotTell("agent", "the service lists agents, and does not say their ids")];
  }
  const agent = agents.find((one) => one.agentId === agentId);
  if (agent !== undefined) {
    const name = JSON.stringify(agentId);
    return [well("agent", `${name} exists`), ...checkIndicator(agent, expected, tells)];
  }
  if (!isWhole) return [cannotTell("agent", "the service has more agents than it has listed")];
  return [wrong("agent", unknown(agentId, ids), "correct agentId, or create the agent at the service")];
}

interface ListedAgents {
  readonly agents: readonly OpenRecord[];
  /** Whether these are all. */
  readonly isWhole: boolean;
  readonly usageParts: Telling["usageParts"];
}

async function listAgents(transport: Pick<Transport, "send">): Promise<ListedAgents> {
  const all: OpenRecord[] = [];
  let before = "";
  for (let page = 1; ; page++) {
    const { body, usageParts } = await transport.send(endpoints.agentList, {
      query: { page, limit: pageSize },
    });
    if (!isJsonObject(body) || !Array.isArray(body.agents))
      throw new TypeError("the service does not list its agents");
    const agents = body.agents.filter(isJsonObject);
    const now = JSON.stringify(agents);
    // A service that knows no pages answers every one with the same list.
    const isRepeated = now === before;
    before = now;
    if (!isRepeated) all.push(...agents);
    // The limit that counts is the service's: it may give fewer at a time than it is asked for.
    const isLast =
      isRepeated || agents.length < Math.max(1, Math.min(pageSize, Number(body.limit) || pageSize));
    const isWhole = isLast && !(Number(body.total) > all.length);
    if (isLast || page === mostPages) return { agents: all, isWhole, usageParts };
  }
}

function checkIndicator(agent: OpenRecord, expected: Expectations, tells: Telling): readonly Finding[] {
  const { indicator: name } = expected;
  if (name === undefined) return [];
  if (!Array.isArray(agent.indicators)) {
    return [cannotTell("indicator", "the service does not list the indicators of its agents")];
  }
  const indicators = agent.indicators.filter(isJsonObject);
  const indicator = indicators.find((one) => one.name === name);
  if (indicator !== undefined) {
    const exists = well("indicator", `${JSON.stringify(name)} exists`);
    const currency = checkCurrency(indicator, expected);
    // What debits another wallet, or none, has no price to compare.
    const debits = currency.every(({ ok }) => ok !== false);
    return [exists, ...currency, ...(debits ? checkPrice(indicator, expected, tells) : [])];
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
    return [cannotTell("currency", "the service does not say how the indicator bills")];
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
