import type { PricedUsage } from "./finding.ts";

/** Credits for an event, and for a token of each kind. */
export interface Rates {
  readonly event: number;
  readonly input: number;
  readonly output: number;
}

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

function dearer(a: Rates, b: Rates): Rates {
  return {
    event: Math.max(a.event, b.event),
    input: Math.max(a.input, b.input),
    output: Math.max(a.output, b.output),
  };
}

function sum({ event, input, output }: Rates): string {
  const terms = [
    ...(event === 0 ? [] : [`${event}`]),
    ...(input === 0 ? [] : [`${input} * inputTokens`]),
    ...(output === 0 ? [] : [`${output} * outputTokens`]),
  ];
  return terms.join(" + ") || "0";
}
