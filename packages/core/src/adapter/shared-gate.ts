import type { Gate } from "../gate/gate.ts";
import { checkFunction, checkIdentifier } from "../values/option.ts";
import { processWide } from "../values/process-wide.ts";

/**
 * The gate of this name in the process: created by the first call, the same for every later one, also where a bundler
 * evaluates the calling module again (Next.js: once for each bundle, and at each change of a file in development). Open the
 * gate's outbox within `create`. What `create` throws is thrown, nothing is kept, and the next call tries again. Once
 * `close()` has been called the gate is not handed out any more: the next call creates another. Other options in later
 * calls change nothing.
 */
export function sharedGate(name: string, create: () => Gate): Gate {
  const gates = processWide("gates@1", () => new Map<string, Gate>());
  const kept = gates.get(checkIdentifier("name", name));
  if (kept !== undefined && !kept.closing) return kept;
  const gate = checkFunction("create", create)();
  gates.set(name, gate);
  return gate;
}
