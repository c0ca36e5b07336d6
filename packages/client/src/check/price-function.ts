import type { PricedUsage } from "./finding.ts";
import { dearer, parts, type Rates, rateOf } from "./rates.ts";

/** The rates that hold for usage of a model, on one plan or on all. */
export interface ModelRates {
  readonly origin: PricedUsage;
  readonly rates: Rates;
}

/** What is pasted is read by people: models beyond these are taken for the dearest of them. */
const mostModels = 20;

/** The rates as a function to paste, in one line: it covers what the service debits, for each model that has its own. */
export function priceFunction(common: Rates, models: readonly ModelRates[]): string {
  // As the service does, the price of a plan before that of all plans.
  const ordered = [...models].sort(
    (a, b) => Number(b.origin.plan !== undefined) - Number(a.origin.plan !== undefined),
  );
  const named = ordered.slice(0, mostModels);
  const rest = ordered.slice(mostModels).reduce((dearest, { rates }) => dearer(dearest, rates), common);
  const terms = [...named.map(({ rates }) => rates), rest];
  const names = [
    ...(named.length > 0 ? ["provider", "model"] : []),
    ...(named.some(({ origin }) => origin.plan !== undefined) ? ["plan"] : []),
    ...(terms.some(({ input }) => input !== 0) ? ["inputTokens = 0"] : []),
    ...(terms.some(({ output }) => output !== 0) ? ["outputTokens = 0"] : []),
    ...parts.flatMap(([part]) =>
      terms.some((rates) => own(rates).some(([name]) => name === part)) ? [`${part} = 0`] : [],
    ),
  ];
  const parameters = names.length === 0 ? "()" : `({ ${names.join(", ")} })`;
  if (named.length === 0) return `${parameters} => ${sum(rest)}`;
  const cases = named.map(({ origin, rates }) => `if (${condition(origin)}) return ${sum(rates)};`);
  return `${parameters} => { ${cases.join(" ")} return ${sum(rest)}; }`;
}

function condition(origin: PricedUsage): string {
  const parts = (["provider", "model", "plan"] as const).flatMap((name) => {
    const value = origin[name];
    return value === undefined ? [] : [`${name} === ${JSON.stringify(value)}`];
  });
  return parts.join(" && ");
}

function sum(rates: Rates): string {
  const terms = [
    ...(rates.event === 0 ? [] : [`${rates.event}`]),
    ...tokens(rates, "inputTokens"),
    ...tokens(rates, "outputTokens"),
    ...own(rates).flatMap(([part]) => (rates.parts[part] ? [`${rates.parts[part]} * ${part}`] : [])),
  ];
  return terms.join(" + ") || "0";
}

/** Those of a total that are in none of the parts with a price of their own. */
function tokens(rates: Rates, total: "inputTokens" | "outputTokens"): readonly string[] {
  const rate = rateOf(rates, total);
  if (rate === 0) return [];
  const others = own(rates).filter(([, of]) => of === total);
  if (others.length === 0) return [`${rate} * ${total}`];
  return [`${rate} * (${[total, ...others.map(([part]) => part)].join(" - ")})`];
}

/** The parts that cost something else than their total. */
function own(rates: Rates): typeof parts {
  return parts.filter(
    ([part, total]) => (rates.parts[part] ?? rateOf(rates, total)) !== rateOf(rates, total),
  );
}
