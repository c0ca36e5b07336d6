import { plainName } from "../errors/plain-name.ts";
import { type NameWords, unknownName } from "../errors/unknown-name.ts";

/**
 * What a usage may have beside the fields of the API, and the total of which it is a part; `null`: it is a count of its own. Not in
 * the API: a gate sends those that the service names.
 */
export const usageParts = {
  cachedInputTokens: "inputTokens",
  cacheWriteTokens: "inputTokens",
  audioInputTokens: "inputTokens",
  reasoningTokens: "outputTokens",
  audioOutputTokens: "outputTokens",
  images: null,
  seconds: null,
  characters: null,
  requests: null,
} as const;

/** A count of a usage that the API does not have. */
export type UsagePart = keyof typeof usageParts;

/** A field of a usage (API 2.4), a part, or the units. */
export type UsageField = "provider" | "model" | "plan" | "inputTokens" | "outputTokens" | UsagePart | "units";

/** The fields of a usage (API 2.4) and its parts, as the keys of an object. */
export const usageFields: Readonly<Record<UsageField, unknown>> = {
  provider: true,
  model: true,
  plan: true,
  inputTokens: true,
  outputTokens: true,
  ...usageParts,
  units: true,
};

/**
 * The form of a budget's key, how many budgets a usage report may name, and how many one request for balances may ask for. Not in the
 * API: only for a service that knows budgets.
 */
export const budgetRules = { key: /^[\w.:-]{1,128}$/, inReport: 8, inRequest: 100 } as const;

/** What the providers call them. */
const aliases: ReadonlyMap<string, UsageField> = new Map([
  ...["input", "prompt"].flatMap((name) => named(name, "inputTokens")),
  ...["output", "completion", "candidates"].flatMap((name) => named(name, "outputTokens")),
]);

const names: NameWords = { what: "field", aliases };

function named(name: string, field: UsageField): [string, UsageField][] {
  return [
    [`${name}tokens`, field],
    [`${name}tokencount`, field],
  ];
}

/** What the usage of the AI SDK has beside its counts, or in them: nothing is billed for it. */
const details: Readonly<Record<string, true>> = {
  totalTokens: true,
  inputTokenDetails: true,
  outputTokenDetails: true,
  raw: true,
};

const fieldsAndDetails = { ...usageFields, ...details };

/** The field of this name, or the one that a provider calls so; `undefined` if there is none. */
export function usageFieldOf(name: string): UsageField | undefined {
  return Object.hasOwn(usageFields, name) ? (name as UsageField) : aliases.get(plainName(name));
}

/**
 * What is wrong with the first field that is not known, and the one that is meant; `undefined` if all are. What the usage
 * of the AI SDK has beside `inputTokens` and `outputTokens` is let pass there.
 */
export function unknownUsageField(usage: object): string | undefined {
  const counted = "inputTokens" in usage || "outputTokens" in usage;
  if (unknownName(usage, counted ? fieldsAndDetails : usageFields) === undefined) return undefined;
  // Asked again, so that none of the details is said to be expected.
  return unknownName(counted ? withoutDetails(usage) : usage, usageFields, names);
}

/** The usage without what is let pass beside its fields. */
export function withoutDetails<T extends object>(usage: T): Partial<T> {
  const fields = Object.entries(usage).filter(([name]) => !Object.hasOwn(details, name));
  return Object.fromEntries(fields) as Partial<T>;
}
