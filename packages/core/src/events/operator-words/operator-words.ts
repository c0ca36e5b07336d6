import type { GateEventMap } from "../events.ts";

/** Words for an operator, by the event, or by what is degraded; `key`: the API key is refused. */
export type OperatorWords = {
  readonly [What in "dead" | "parked" | "undelivered" | "key" | GateEventMap["degraded"]["what"]]?: string;
};
