import { plainName } from "@creditgate/client";
import { checkNames, invalidOption, isLine } from "./option.ts";

/** What a model was asked to do (API 2.4, `rawUsage`). */
export interface Usage {
  /** Such as `openai`. */
  readonly provider?: string | undefined;
  /** Such as `gpt-5`. */
  readonly model?: string | undefined;
  /** The plan of the provider, where its prices differ by plan. */
  readonly plan?: string | undefined;
  /** Tokens read, a whole number. */
  readonly inputTokens?: number | undefined;
  /** Tokens written, a whole number. */
  readonly outputTokens?: number | undefined;
}

/** What one report may say otherwise than its request does. */
export interface ReportOverrides {
  readonly indicator?: string | undefined;
  readonly agentId?: string | undefined;
  /**
   * What the service will debit for it, in credits, rounded up. It informs the gate's ledger only: the API has no
   * field for it. Without it `price(usage)` of the gate is asked, and without that the rest of the hold is reserved.
   */
  readonly credits?: number | undefined;
}

type Field = keyof Required<Usage>;

const text = [isLine, "a string of at most 256 bytes without control characters"] as const;
const count = [isCount, "a whole number of tokens, 0 or more"] as const;

/** What each field may hold, and how that is said. */
const fields: Readonly<Record<Field, typeof text | typeof count>> = {
  provider: text,
  model: text,
  plan: text,
  inputTokens: count,
  outputTokens: count,
};

const fieldNames = Object.keys(fields) as readonly Field[];

/** What the providers call them. */
const aliases: ReadonlyMap<string, Field> = new Map([
  ...["input", "prompt"].flatMap((name) => named(name, "inputTokens")),
  ...["output", "completion", "candidates"].flatMap((name) => named(name, "outputTokens")),
]);

function named(name: string, field: Field): [string, Field][] {
  return [
    [`${name}tokens`, field],
    [`${name}tokencount`, field],
  ];
}

/**
 * The usage as it goes to the service, or an `invalid_option` error that names the field; for one that is not known, the
 * field that is meant: unknown ones are not billed.
 */
export function checkedUsage(option: string, usage: Usage): Usage {
  if (typeof usage !== "object" || usage === null) invalidOption(option, "an object", usage);
  checkNames(usage, fields, { what: "field", place: `${option}.`, aliases });
  const checked: Partial<Record<Field, string | number>> = {};
  for (const field of fieldNames) {
    const value = usage[field];
    const [fits, expected] = fields[field];
    if (value === undefined) continue;
    if (!fits(value)) invalidOption(`${option}.${field}`, expected, value);
    checked[field] = value;
  }
  return checked as Usage;
}

/** As much as can be understood of a usage that is refused: what is known or meant, and fits. */
export function salvagedUsage(usage: unknown): Usage {
  const salvaged: Partial<Record<Field, unknown>> = {};
  if (typeof usage !== "object" || usage === null) return {};
  for (const [name, value] of Object.entries(usage)) {
    const field = fieldNames.find((known) => known === name) ?? aliases.get(plainName(name));
    if (field !== undefined && fields[field][0](value)) salvaged[field] ??= value;
  }
  return salvaged as Usage;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

const overrideNames: Readonly<Record<keyof ReportOverrides, true>> = {
  indicator: true,
  agentId: true,
  credits: true,
};

/** The overrides as they are, or an `invalid_option` error for a name that is not known. */
export function checkedOverrides(overrides: ReportOverrides): ReportOverrides {
  if (typeof overrides !== "object" || overrides === null) invalidOption("overrides", "an object", overrides);
  checkNames(overrides, overrideNames);
  return overrides;
}
