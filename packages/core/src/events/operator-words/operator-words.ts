import type { GateEventMap } from "../events.ts";

/** Words for an operator, by the event, or by what is degraded; `key`: the API key is refused; `address`:
 * the service does not know the path. */
export type OperatorWords = {
  readonly [What in
    | "dead"
    | "parked"
    | "undelivered"
    | "key"
    | "address"
    | GateEventMap["degraded"]["what"]]?: string;
};
