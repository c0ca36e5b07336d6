import type { IndicatorTerms, ModelPrice, Rates } from "@creditgate/admin";
import { type Component, components, formatRate } from "./rates.ts";

/** A rate that is being written. */
export interface RateDraft {
  /** For React, which must know it while its name changes. */
  readonly id: string;
  /** `perUnit` for a unit with a name of one's own. */
  readonly component: Component | "perUnit";
  readonly unit: string;
  readonly text: string;
}

export interface ModelDraft {
  readonly id: string;
  readonly provider: string;
  readonly model: string;
  readonly plan: string;
  readonly rates: readonly RateDraft[];
}

/** Terms that are being written. */
export interface TermsDraft {
  /** Whether it debits wallets; else it is only recorded. */
  readonly isBilled: boolean;
  /** How it is recorded where it debits none. */
  readonly otherBilling: string;
  readonly currency: string;
  readonly rates: readonly RateDraft[];
  readonly models: readonly ModelDraft[];
}

/** The billing mode that debits wallets, and the one that we name where another is wanted. */
const debiting = "CREDITS";
const recorded = "RECORDED";

const shownAlways: readonly Component[] = ["perEvent", "perThousandInputTokens", "perThousandOutputTokens"];

export function rateDraft(component: RateDraft["component"], text = "", unit = ""): RateDraft {
  return { id: crypto.randomUUID(), component, unit, text };
}

export function modelDraft(): ModelDraft {
  return {
    ...{ id: crypto.randomUUID(), provider: "", model: "", plan: "" },
    rates: [rateDraft("perThousandInputTokens"), rateDraft("perThousandOutputTokens")],
  };
}

/** The draft of a new price. */
export function newTerms(currency: string): TermsDraft {
  return {
    isBilled: true,
    otherBilling: recorded,
    currency,
    rates: draftsOf({}, shownAlways),
    models: [],
  };
}

/** The draft that begins with what holds. */
export function draftOf({ billing, currency, price = {}, modelPrices = [] }: IndicatorTerms): TermsDraft {
  return {
    isBilled: billing === debiting,
    otherBilling: billing === debiting ? recorded : billing,
    currency: currency ?? "",
    rates: draftsOf(price, shownAlways),
    models: modelPrices.map(({ provider, model, plan = "", price: own }) => ({
      ...{ id: crypto.randomUUID(), provider, model, plan },
      rates: draftsOf(own),
    })),
  };
}

function draftsOf(
  { perUnit = {}, ...price }: Rates,
  always: readonly Component[] = [],
): readonly RateDraft[] {
  const counted = components.flatMap((component) => {
    const rate = price[component];
    if (rate === undefined && !always.includes(component)) return [];
    return [rateDraft(component, rate === undefined ? "" : formatRate(rate))];
  });
  return [
    ...counted,
    ...Object.entries(perUnit).map(([unit, rate]) => rateDraft("perUnit", formatRate(rate), unit)),
  ];
}

const mostCredits = 1_000_000_000;

/** A rate as people write it: `1,000.5`; `undefined` for what is none. */
export function parseRate(text: string): string | undefined {
  const plain = text.trim();
  if (!/^(\d{1,3}(,\d{3})+|\d+)(\.\d{1,15})?$/.test(plain)) return undefined;
  const rate = plain.replaceAll(",", "");
  return Number(rate) <= mostCredits ? rate : undefined;
}

/** What is wrong with a rate, if anything; one that is empty costs nothing. */
export function rateError({ text }: RateDraft): string | undefined {
  if (text.trim() === "" || parseRate(text) !== undefined) return undefined;
  return "Enter credits of 0 or more, with up to 15 decimals";
}

/** The terms that are written, or `undefined` where something is missing or wrong. */
export function readTerms(draft: TermsDraft): IndicatorTerms | undefined {
  if (!draft.isBilled) return { billing: draft.otherBilling };
  const price = readRates(draft.rates);
  const models = draft.models.map(readModel);
  if (draft.currency.trim() === "" || price === undefined || Object.keys(price).length === 0)
    return undefined;
  if (!models.every((model) => model !== undefined)) return undefined;
  if (draft.models.some((model) => isTwice(draft.models, model))) return undefined;
  return {
    billing: debiting,
    currency: draft.currency.trim(),
    price,
    ...(models.length === 0 ? {} : { modelPrices: models }),
  };
}

function readModel({ provider, model, plan, rates }: ModelDraft): ModelPrice | undefined {
  const price = readRates(rates);
  if (provider.trim() === "" || model.trim() === "" || price === undefined) return undefined;
  return {
    ...{ provider: provider.trim(), model: model.trim(), price },
    ...(plan.trim() === "" ? {} : { plan: plan.trim() }),
  };
}

/** Whether the price of a model comes after another of the same provider, model and plan. */
export function isTwice(models: readonly ModelDraft[], draft: ModelDraft): boolean {
  const nameOf = ({ provider, model, plan }: ModelDraft) =>
    JSON.stringify([provider.trim(), model.trim(), plan.trim()]);
  return models.slice(0, models.indexOf(draft)).some((one) => nameOf(one) === nameOf(draft));
}

/** Rates that are empty are left out. */
function readRates(drafts: readonly RateDraft[]): Rates | undefined {
  const rates = new Map<Component, string>();
  const units = new Map<string, string>();
  for (const { component, unit, text } of drafts) {
    if (text.trim() === "") continue;
    const rate = parseRate(text);
    if (rate === undefined) return undefined;
    if (component !== "perUnit") rates.set(component, rate);
    else if (unit.trim() === "" || units.has(unit.trim())) return undefined;
    else units.set(unit.trim(), rate);
  }
  return {
    ...Object.fromEntries(rates),
    ...(units.size === 0 ? {} : { perUnit: Object.fromEntries(units) }),
  };
}
