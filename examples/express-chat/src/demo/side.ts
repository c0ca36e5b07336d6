import { byHand } from "./by-hand/credits.ts";

/** One of the two chats that the demo compares. */
export interface Side {
  /** Stands in the tables. */
  readonly name: string;
  readonly script: URL;
  /** What it appends to a customer's id: each side has customers of its own, with the same wallets. */
  readonly suffix: string;
}

export const creditgateSide: Side = {
  name: "Creditgate",
  script: new URL("../main.js", import.meta.url),
  suffix: "",
};

export const byHandSide: Side = {
  name: "by hand",
  script: new URL("./by-hand/main.js", import.meta.url),
  suffix: byHand,
};

export const sides: readonly Side[] = [byHandSide, creditgateSide];
