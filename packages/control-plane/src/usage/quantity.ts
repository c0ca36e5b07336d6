import type { RawUsage, Units } from "@creditgate/client";
import { parseDecimal } from "../money/decimal.ts";
import { type Component, type Count, minutesOf, type Quantity, whole } from "../pricing/pricing.ts";

type Counts = { -readonly [component in Component]?: Count };

/**
 * What a usage report counts of each thing that has a price. Each token is counted once: in the part that it belongs to, else as
 * one of the rest. Parts that are more than their total together are cut, the last one first.
 */
export function quantityOf(usage: RawUsage): Quantity {
  const quantity: Counts = { perEvent: whole(1) };
  quantity.perThousandInputTokens = whole(
    take(quantity, usage.inputTokens, [
      ["perThousandCachedTokens", usage.cachedInputTokens],
      ["perThousandCacheWriteTokens", usage.cacheWriteTokens],
      ["perThousandAudioInputTokens", usage.audioInputTokens],
    ]),
  );
  quantity.perThousandOutputTokens = whole(
    take(quantity, usage.outputTokens, [
      ["perThousandReasoningTokens", usage.reasoningTokens],
      ["perThousandAudioOutputTokens", usage.audioOutputTokens],
    ]),
  );
  const { images, seconds, characters, requests, units } = usage;
  if (images !== undefined) quantity.perImage = whole(images);
  if (seconds !== undefined) quantity.perAudioMinute = minutesOf(seconds);
  if (characters !== undefined) quantity.perThousandCharacters = whole(characters);
  if (requests !== undefined) quantity.perRequest = whole(requests);
  return units === undefined ? quantity : { ...quantity, units: unitsOf(units) };
}

function unitsOf(units: Units): NonNullable<Quantity["units"]> {
  return Object.entries(units).map(([name, count]) => {
    const decimal = parseDecimal(count);
    if (decimal === undefined) throw new RangeError(`expected a count of ${name}, received ${count}`);
    return [name, decimal] as const;
  });
}

/** Takes the parts out of the total; what is left. */
function take(
  quantity: { [component in Component]?: Count },
  total: number | undefined,
  parts: readonly (readonly [Component, number | undefined])[],
): number {
  // Without a total there is nothing to cut them to.
  let rest = total ?? Number.POSITIVE_INFINITY;
  for (const [component, count] of parts) {
    if (count === undefined) continue;
    const taken = Math.min(count, rest);
    quantity[component] = whole(taken);
    rest -= taken;
  }
  return total === undefined ? 0 : rest;
}
