import { AsyncLocalStorage } from "node:async_hooks";
import type { WaitUntil } from "@creditgate/core";
import * as server from "next/server.js";

/**
 * Next's `after()` for the request at hand, which keeps a serverless function at work behind its response. `undefined`
 * before Next 15.
 */
export function waitUntilAfter(): WaitUntil | undefined {
  // Looked up by name: bundlers complain of a name that Next 14 does not export.
  const after = Reflect.get(server, "after") ?? Reflect.get(Reflect.get(server, "default") ?? {}, "after");
  if (typeof after !== "function") return undefined;
  // It finds its request by the context, and reports come from wherever the work is done.
  const inRequest = AsyncLocalStorage.snapshot();
  return (work) => {
    try {
      inRequest(() => after(work));
    } catch {
      // Outside of a serverless function the process goes on by itself.
    }
  };
}
