import type { GateEventMap } from "../events.ts";

/** Words for an operator, by the event, or by what is degraded; `key`: the API key is refused. */
export type OperatorMessages = {
  readonly [What in
    | "dead"
    | "late"
    | "parked"
    | "undelivered"
    | "key"
    | GateEventMap["degraded"]["what"]]?: string;
};

/** What is wrong, and what to do about it. */
export interface Trouble {
  /** Lines of one kind are logged once; a line without a kind is logged each time. */
  readonly kind?: string;
  readonly line: string;
}

/** By event, what an operator must know of it. */
export type Troubles = {
  readonly [Name in keyof GateEventMap]?: (event: GateEventMap[Name]) => Trouble | undefined;
};
