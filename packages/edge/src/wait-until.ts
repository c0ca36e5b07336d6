import type { WaitUntil } from "@creditgate/core";

/** The `waitUntil` of whichever argument has one: `ctx` of Workers, `event` of a middleware, `context` of Vercel. */
export function waitUntilOf(context: readonly unknown[]): WaitUntil | undefined {
  for (const one of context) {
    const { waitUntil }: { readonly waitUntil?: unknown } = Object(one);
    // As a method: runtimes refuse to have it called without its object.
    if (typeof waitUntil === "function") return (work) => waitUntil.call(one, work);
  }
  return undefined;
}
