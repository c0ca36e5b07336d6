import { setTimeout as delay } from "node:timers/promises";
import type { Visitor } from "./visitor.ts";

const withinMs = 15_000;
/** Twice the settlement delay: what would be billed a second time would have been by then. */
const stillForMs = 1_000;

/**
 * Usage is debited a moment after the answer. Waits until the wallets have paid what the answers were worth and nothing
 * moves any more; after {@link withinMs} the bills are taken as they are, and what is missing is lost.
 */
export async function settled(visitors: readonly Visitor[], signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + withinMs;
  let since = performance.now();
  while (performance.now() < deadline) {
    await Promise.all(visitors.map((visitor) => visitor.readBalance()));
    const now = performance.now();
    if (!visitors.every(({ billed, worth }) => billed === worth)) since = now;
    if (now - since >= stillForMs) return;
    await delay(100, undefined, { signal });
  }
}
