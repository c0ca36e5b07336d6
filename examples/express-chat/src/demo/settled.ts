import { setTimeout as delay } from "node:timers/promises";
import type { Visitor } from "./visitor.ts";

const withinMs = 15_000;
/** Three times the settlement delay: what would be billed a second time would have been by then. */
const stillForMs = 1_500;

/**
 * Usage is debited a moment after the answer. Waits until nothing moves any more; for longer, up to {@link withinMs},
 * while a wallet of `certain` has paid less than its answers were worth: after that, what is missing is lost.
 */
export async function settled(
  visitors: readonly Visitor[],
  signal: AbortSignal,
  certain: readonly Visitor[] = [],
): Promise<void> {
  const deadline = performance.now() + withinMs;
  let since = performance.now();
  let before = "";
  while (performance.now() < deadline) {
    await Promise.all(visitors.map((visitor) => visitor.readBalance()));
    const bills = visitors.map(({ billed }) => billed).join();
    const now = performance.now();
    if (bills !== before || certain.some(({ billed, worth }) => billed < worth)) since = now;
    before = bills;
    if (now - since >= stillForMs) return;
    await delay(100, undefined, { signal });
  }
}
