import type { Usage } from "@creditgate/core";

/** As in fixture.json. The gate must never reckon with less than the control plane will debit. */
const creditsPerThousandOutputTokens = 10;

/** What an answer costs, in credits. Reading is free, writing is not. */
export function price({ outputTokens = 0 }: Usage): number {
  return (creditsPerThousandOutputTokens * outputTokens) / 1000;
}
