import type { WaitUntil } from "@creditgate/core";

/** The `waitUntil` of whichever argument has one: `ctx` of Workers, `event` of a middleware, `context` of Vercel. */
export function waitUntilOf(context: readonly unknown[]): WaitUntil | undefined {
  for (const one of context) {
    if (hasWaitUntil(one)) return (work) => one.waitUntil(work);
  }
  return undefined;
}

function hasWaitUntil(context: unknown): context is { waitUntil: WaitUntil } {
  return (
    typeof context === "object" &&
    context !== null &&
    "waitUntil" in context &&
    typeof context.waitUntil === "function"
  );
}
