import type { Usage } from "../values/usage.ts";

/**
 * Whether the handler's usage is that of the calls together: with the same counts, and no name or count that they have not. Tokens
 * may lack what was cached, or thoughts, as some providers count. Without tokens its model must be named.
 */
export function isUsageOf(usage: Usage, calls: readonly Usage[]): boolean {
  const { inputTokens = 0, outputTokens = 0, plan, units } = usage;
  if (units !== undefined || !calls.every((call) => call.plan === plan && isNamedAlike(usage, call)))
    return false;
  const sum = (count: (call: Usage) => number | undefined) =>
    calls.reduce((total, call) => total + (count(call) ?? 0), 0);
  for (const count of ["images", "seconds", "characters"] as const) {
    const counted = usage[count] ?? 0;
    if (counted !== 0 && counted !== sum((call) => call[count])) return false;
  }
  const input = sum((call) => call.inputTokens);
  const output = sum((call) => call.outputTokens);
  const fresh = input - sum((call) => (call.cachedInputTokens ?? 0) + (call.cacheWriteTokens ?? 0));
  const shown = output - sum((call) => call.reasoningTokens);
  if (inputTokens !== input && inputTokens !== fresh) return false;
  if (outputTokens !== output && outputTokens !== shown) return false;
  return inputTokens + outputTokens > 0 || isOfMedia(usage);
}

/** Such as one image: a count that means nothing without its model. */
function isOfMedia({ model, images = 0, seconds = 0, characters = 0 }: Usage): boolean {
  return model !== undefined && images + seconds + characters > 0;
}

function isNamedAlike(one: Usage, other: Usage): boolean {
  return isAlike(one.provider, other.provider) && isAlike(one.model, other.model, isModelOf);
}

function isAlike(
  one: string | undefined,
  other: string | undefined,
  isOf: (one: string, other: string) => boolean = () => false,
): boolean {
  if (one === undefined || other === undefined || one === other) return true;
  return isOf(one, other) || isOf(other, one);
}

/** Whether one is a snapshot of the other, or the other with a path, as `gpt-5-2025-08-07` and `openai/gpt-5` are of `gpt-5`. */
function isModelOf(one: string, other: string): boolean {
  const name = one.slice(one.lastIndexOf("/") + 1);
  return name === other || name.replace(/[-@](\d{4}-\d\d-\d\d|\d{8}|\d{4}|latest)$/, "") === other;
}
