import { type Fields, fieldsOf } from "./fields.ts";
import type { ModelUsage } from "./model-usage.ts";

/** The usage of a provider as it was understood. */
export interface UsageReading {
  readonly usage: ModelUsage;
  /** The provider's names of fields that held no count: NaN, negative, a fraction, a string. */
  readonly malformed: readonly string[];
  /** The least that the totals can be if they were not reported: the parts that were. */
  readonly least: { readonly input: number; readonly output: number };
}

/** Everything that a reader of a wire format may find; what it did not find is `undefined`. */
export type FoundUsage = { readonly [Field in keyof ModelUsage]?: ModelUsage[Field] | undefined } & {
  /** The least that the totals can be, if the parts do not cover all of it. */
  readonly leastInput?: number | undefined;
  readonly leastOutput?: number | undefined;
};

/** Reads counts, and notes those that are none. */
export class CountReader {
  readonly malformed: string[] = [];

  /** The count of this name. `undefined` where it is missing or null, and where it is no count, which is noted. */
  count(source: unknown, name: string): number | undefined {
    const value = fieldsOf(source)?.[name];
    if (value === undefined || value === null) return undefined;
    if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
    this.malformed.push(name);
    return undefined;
  }

  /** The first of the names that is there. */
  first(source: Fields, names: readonly string[]): number | undefined {
    const name = names.find((one) => source[one] !== undefined && source[one] !== null);
    return name === undefined ? undefined : this.count(source, name);
  }

  /** Seconds, rounded up; older answers have them as text. */
  seconds(source: Fields, name: string): number | undefined {
    const value = source[name];
    if (value === undefined || value === null) return undefined;
    const seconds = typeof value === "string" && value !== "" ? Number(value) : value;
    if (typeof seconds === "number" && seconds >= 0 && seconds <= Number.MAX_SAFE_INTEGER) {
      return Math.ceil(seconds);
    }
    this.malformed.push(name);
    return undefined;
  }

  /** The reading; `undefined` if the provider has reported nothing. */
  reading(found: FoundUsage): UsageReading | undefined {
    const { leastInput = 0, leastOutput = 0, ...given } = found;
    const usage = withoutUndefined({
      ...given,
      ...partsWithin(given.inputTokens, given, ["cachedInputTokens", "cacheWriteTokens", "audioInputTokens"]),
      ...partsWithin(given.outputTokens, given, ["reasoningTokens", "audioOutputTokens"]),
    });
    if (!hasCounts(usage) && this.malformed.length === 0) return undefined;
    const { cachedInputTokens = 0, cacheWriteTokens = 0, audioInputTokens = 0 } = usage;
    const { reasoningTokens = 0, audioOutputTokens = 0 } = usage;
    const least = {
      // Cached tokens may be audio too.
      input: Math.max(leastInput, cachedInputTokens + cacheWriteTokens, audioInputTokens),
      output: Math.max(leastOutput, reasoningTokens, audioOutputTokens),
    };
    return { usage, malformed: this.malformed, least };
  }
}

/** So many images, as a request or its form asks for them. */
export function imagesReading(asked: unknown): UsageReading | undefined {
  const images = Number(asked);
  return new CountReader().reading({ images: Number.isSafeInteger(images) && images > 1 ? images : 1 });
}

/** The sum of counts; `undefined` if one of them is. */
export function sumOf(...counts: readonly (number | undefined)[]): number | undefined {
  let sum = 0;
  for (const count of counts) {
    if (count === undefined) return undefined;
    sum += count;
  }
  return sum;
}

/** Whether anything of it is a number. */
export function hasCounts(usage: ModelUsage): boolean {
  return Object.values(usage).some((value) => typeof value === "number");
}

type Part =
  | "cachedInputTokens"
  | "cacheWriteTokens"
  | "audioInputTokens"
  | "reasoningTokens"
  | "audioOutputTokens";

/** A part is at most the total: a provider that reports more would make a pool cost twice. */
function partsWithin(total: number | undefined, found: FoundUsage, names: readonly Part[]): FoundUsage {
  if (total === undefined) return {};
  return Object.fromEntries(
    names.map((name) => [name, found[name] === undefined ? undefined : Math.min(total, found[name])]),
  );
}

function withoutUndefined(found: FoundUsage): ModelUsage {
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

/** Characters as people count them, more or less: an emoji is one. */
export function charactersOf(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
