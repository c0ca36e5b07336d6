import type { OpenRecord } from "../contract/fields.ts";
import { isJsonObject } from "../errors/json-object.ts";
import { type Expectations, type Finding, type PricedUsage, undetermined, well, wrong } from "./finding.ts";
import { costOf, dearer, parts, type Rates, rateOf, ratesOf } from "./rates.ts";

/** What a difference of floating point is. */
const tolerance = 1e-6;

const samples = [
  { inputTokens: 0, outputTokens: 0 },
  { inputTokens: 1_000, outputTokens: 0 },
  { inputTokens: 0, outputTokens: 1_000 },
  { inputTokens: 1_000, outputTokens: 1_000 },
] as const;

/** What the service reports about its prices. */
export interface Reported {
  /** It returns what each report costs. */
  readonly costs: boolean;
  /** The parts of a usage that it accepts. */
  readonly usageParts: ReadonlySet<string> | undefined;
}

/** The gate's price against the rates of the indicator: one that undercuts them overspends. */
export function checkPrice(
  indicator: OpenRecord,
  { price }: Expectations,
  reported: Reported,
): readonly Finding[] {
  if (price === undefined || indicator.billing !== "CREDITS") return [];
  if (!isJsonObject(indicator.price)) return [undetermined("price", "the service does not say its rates")];
  const rates = ratesOf(indicator.price, reported.usageParts);
  const models = Array.isArray(indicator.modelPrices) ? indicator.modelPrices.filter(isJsonObject) : [];
  const priced = models.map((model) => modelRates(model, indicator, reported));
  const fix = `price: ${priceFunction(rates, priced)}`;
  if (price === null) {
    if (reported.costs) return [well("price", "the service returns what each report costs", fix)];
    const message =
      "without one, a report counts for its whole hold until it is certain to have been debited";
    return [undetermined("price", message, fix)];
  }
  for (const { origin, rates: of } of [{ origin: {}, rates }, ...priced]) {
    for (const sample of [...samples, ...partSamples(reported)]) {
      const finding = compare(price, { ...origin, ...sample }, costOf(of, sample), fix);
      if (finding !== undefined) return [finding];
    }
  }
  return [well("price", "it covers what the service debits")];
}

/** A thousand of each part, in a total of a thousand. */
function partSamples({ usageParts }: Reported): readonly PricedUsage[] {
  const taken = parts.filter(([part]) => usageParts?.has(part));
  return taken.map(([part, total]) => ({ [part]: 1_000, ...(total !== null && { [total]: 1_000 }) }));
}

function compare(
  price: (usage: PricedUsage) => number | undefined,
  usage: PricedUsage,
  cost: number,
  fix: string,
): Finding | undefined {
  const { model, inputTokens = 0, outputTokens = 0 } = usage;
  const own = parts.flatMap(([part]) => (usage[part] === undefined ? [] : [` with ${usage[part]} ${part}`]));
  const what = `${inputTokens} input and ${outputTokens} output tokens${own.join("")}${model === undefined ? "" : ` of ${JSON.stringify(model)}`}`;
  try {
    const credits = price(usage);
    if (credits === undefined) return undetermined("price", `price() does not say what ${what} cost`, fix);
    if (credits + tolerance >= cost) return undefined;
    return wrong("price", `price() says ${credits} for ${what}, and the service debits ${cost}`, fix);
  } catch (error) {
    return wrong("price", `price() throws for ${what}: ${String(error)}`, fix);
  }
}

function modelRates(model: OpenRecord, indicator: OpenRecord, { usageParts }: Reported): ModelRates {
  const own = isJsonObject(model.price) ? model.price : {};
  const common = isJsonObject(indicator.price) ? indicator.price : {};
  const origin = { provider: text(model.provider), model: text(model.model), plan: text(model.plan) };
  return { origin, rates: ratesOf({ ...common, ...own }, usageParts) };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The rates that hold for usage of a model, on one plan or on all. */
interface ModelRates {
  readonly origin: PricedUsage;
  readonly rates: Rates;
}

/** What is pasted is read by people: models beyond these are taken for the dearest of them. */
const mostModels = 20;

/** The rates as a function to paste, in one line: it covers what the service debits, for each model that has its own. */
function priceFunction(common: Rates, models: readonly ModelRates[]): string {
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
