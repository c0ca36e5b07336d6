import { processWide } from "../values/process-wide.ts";
import { type ExpectedWork, SetupWatch } from "./setup-watch.ts";

export { checkService } from "@creditgate/client";

/** By gate: an adapter may be of another instance of this module. */
function watches(): WeakMap<object, Pick<SetupWatch, "expect">> {
  return processWide("setup-watches@1", () => new WeakMap());
}

/** Watches whether the gate is set up well. */
export function watchSetup(gate: object, ...how: ConstructorParameters<typeof SetupWatch>): SetupWatch {
  const watch = new SetupWatch(...how);
  watches().set(gate, watch);
  return watch;
}

/** Requests for such work will come to the gate, as far as it does not depend on them. */
export function expectWork(
  gate: object,
  { agentId, indicator }: { readonly [Name in keyof Required<ExpectedWork>]: unknown },
): void {
  if (typeof agentId !== "string") return;
  watches()
    .get(gate)
    ?.expect({ agentId, ...(typeof indicator === "string" && { indicator }) });
}
