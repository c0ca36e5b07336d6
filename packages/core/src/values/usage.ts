import {
  type Units,
  type UsageField,
  type UsagePart,
  unknownUsageField,
  usageFieldOf,
  usageFields,
  usageParts,
} from "@creditgate/client";
import { verbose } from "#verbosity";
import { isAmount } from "./micro.ts";
import { isThenable } from "./object.ts";
import { checkNames, invalidOption, isLine, refuseName } from "./option.ts";

/**
 * What a model was asked to do (API 2.4, `rawUsage`). `inputTokens` and `outputTokens` are totals. The fields below
 * them are not in the API: they are parts of the totals ("of which"), or counts of their own. A service that does not
 * announce a part does not receive it, and bills the totals.
 */
export interface Usage {
  /** Such as `openai`. */
  readonly provider?: string | undefined;
  /** Such as `gpt-5`. */
  readonly model?: string | undefined;
  /** The plan of the provider, where its prices differ by plan. */
  readonly plan?: string | undefined;
  /** All tokens read, a whole number, as each count is. */
  readonly inputTokens?: number | undefined;
  /** All tokens written. */
  readonly outputTokens?: number | undefined;
  /** Of `inputTokens`, those that came from a cache. */
  readonly cachedInputTokens?: number | undefined;
  /** Of `inputTokens`, those that were written to a cache. */
  readonly cacheWriteTokens?: number | undefined;
  /** Of `inputTokens`, those of audio. */
  readonly audioInputTokens?: number | undefined;
  /** Of `outputTokens`, those of reasoning. */
  readonly reasoningTokens?: number | undefined;
  /** Of `outputTokens`, those of audio. */
  readonly audioOutputTokens?: number | undefined;
  /** Images made. */
  readonly images?: number | undefined;
  /** Seconds of audio input. */
  readonly seconds?: number | undefined;
  /** Characters spoken. */
  readonly characters?: number | undefined;
  /** Requests made, where a report is of several. */
  readonly requests?: number | undefined;
  /** What the indicator has a rate of its own for, as `{ pages: 3 }`; a service that takes units refuses any other. */
  readonly units?: Units | undefined;
}

/** What one report overrides of its request. */
export interface ReportOverrides {
  readonly indicator?: string | undefined;
  readonly agentId?: string | undefined;
  /**
   * What the service will debit for it, in credits, rounded up. It informs the gate's ledger only, and bills nothing: the
   * API has no field for it, and the service debits by its own rates. Without it `price(usage)` of the gate is asked, and without that the rest of the hold is reserved.
   */
  readonly credits?: number | undefined;
}

const expectedLine = verbose && "a string of at most 256 bytes without control characters";
const expectedCount = verbose && "a whole number, 0 or more";
const expectedUnits = verbose && "an object of numbers, 0 or more";

const parts = Object.entries(usageParts) as readonly (readonly [UsagePart, Total | null])[];

type Total = "inputTokens" | "outputTokens";

const unreported = [...parts.map(([part]) => part), "units"] as const;

type Draft = { -readonly [Field in UsageField]?: Usage[Field] };

/**
 * The usage as it goes to the service, or an `invalid_option` error that names the field; for one that is not known, the
 * field that is meant: unknown ones are not billed.
 */
export function checkedUsage(option: string, usage: Usage): Usage {
  if (isThenable(usage))
    refuseName(
      `${option}: ${verbose ? "expected an object, received a promise; did you forget await?" : "a promise"}`,
    );
  if (!isRecord(usage)) invalidOption(option, verbose && "an object", usage);
  const isPlain = hasOnlyFields(usage);
  const unknown = isPlain ? undefined : unknownUsageField(usage);
  if (unknown !== undefined) refuseName(`${option}.${unknown}`);
  const { provider, model, plan, inputTokens, outputTokens } = usage;
  const checked: Draft = {};
  // Field by field: reading and writing by a name that varies costs several times as much.
  if (provider !== undefined) checked.provider = checkedLine(option, "provider", provider);
  if (model !== undefined) checked.model = checkedLine(option, "model", model);
  if (plan !== undefined) checked.plan = checkedLine(option, "plan", plan);
  if (inputTokens !== undefined) checked.inputTokens = checkedCount(option, "inputTokens", inputTokens);
  if (outputTokens !== undefined) checked.outputTokens = checkedCount(option, "outputTokens", outputTokens);
  return isPlain ? checked : withParts(checked, usage, option);
}

/**
 * Adds the parts that the usage has. Together they are never more than their total, as the service counts them: each token once.
 * A total that is missing is what its parts are, else they would be free.
 */
function withParts(checked: Draft, usage: Usage, option: string): Draft {
  const rest = { inputTokens: checked.inputTokens, outputTokens: checked.outputTokens };
  for (const [part, total] of parts) {
    const value = usage[part];
    if (value === undefined) continue;
    const count = checkedCount(option, part, value);
    const left = total === null ? undefined : rest[total];
    if (total !== null && left === undefined) checked[total] = (checked[total] ?? 0) + count;
    checked[part] = Math.min(count, left ?? count);
    if (total !== null && left !== undefined) rest[total] = left - checked[part];
  }
  const { units } = usage;
  if (units === undefined) return checked;
  return {
    ...checked,
    units: areUnits(units) ? { ...units } : invalidOption(`${option}.units`, expectedUnits, units),
  };
}

/** The parts of the usage that a service receives which accepts these parts. */
export function acceptedUsage(usage: Usage, taken: ReadonlySet<string> | undefined): Usage {
  if (hasOnlyFields(usage)) return usage;
  const accepted: Draft = { ...usage };
  for (const part of unreported) if (taken?.has(part) !== true) delete accepted[part];
  return accepted;
}

function checkedLine(option: string, field: UsageField, value: unknown): string {
  return isLine(value) ? value : invalidOption(`${option}.${field}`, expectedLine, value);
}

function checkedCount(option: string, field: UsageField, value: unknown): number {
  return isCount(value) ? value : invalidOption(`${option}.${field}`, expectedCount, value);
}

/** Most usages have nothing but fields; to find that out each time in the general way would cost as much as the rest. */
function hasOnlyFields(usage: object): boolean {
  for (const name in usage) {
    const isField =
      name === "provider" ||
      name === "model" ||
      name === "plan" ||
      name === "inputTokens" ||
      name === "outputTokens";
    if (!isField) return false;
  }
  return true;
}

/** As much as can be understood of a usage that is refused: what is known or meant, and fits. */
export function salvagedUsage(usage: unknown): Usage {
  const salvaged: Partial<Record<UsageField, unknown>> = {};
  if (typeof usage !== "object" || usage === null) return {};
  for (const [name, value] of Object.entries(usage)) {
    const field = usageFieldOf(name);
    if (field !== undefined && fits(field, value)) salvaged[field] ??= value;
  }
  return salvaged as Usage;
}

/** Whether a field may hold the value. */
function fits(field: UsageField, value: unknown): boolean {
  if (field === "units") return areUnits(value);
  return field === "provider" || field === "model" || field === "plan" ? isLine(value) : isCount(value);
}

/** Whether the usage names tokens without counts: the provider sent none. */
export function lacksCounts(usage: Usage): boolean {
  const { inputTokens, outputTokens } = usage;
  return (
    inputTokens === undefined &&
    outputTokens === undefined &&
    ("inputTokens" in usage || "outputTokens" in usage) &&
    unreported.every((part) => usage[part] === undefined)
  );
}

/** An object as literals make them, of any realm, or one of a class that has a field of a usage. */
function isRecord(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  const plain = prototype === null || Object.getPrototypeOf(prototype) === null;
  return plain || Object.keys(usageFields).some((name) => name in value);
}

function areUnits(value: unknown): value is Units {
  return typeof value === "object" && value !== null && Object.values(value).every(isAmount);
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
  if (typeof overrides !== "object" || overrides === null)
    invalidOption("overrides", verbose && "an object", overrides);
  for (const name in overrides) {
    if (name !== "credits" && name !== "indicator" && name !== "agentId")
      checkNames(overrides, overrideNames);
  }
  return overrides;
}
