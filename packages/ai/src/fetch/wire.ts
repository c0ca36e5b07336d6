import type { Totals } from "../call/model-call.ts";
import type { Fields } from "../usage/fields.ts";
import type { UsageReading } from "../usage/usage-reading.ts";

/** How one endpoint of a provider reports usage. */
export interface Wire {
  readonly provider: string;
  /** Of the path that is called. */
  readonly path: RegExp;
  readonly totals: Totals;
  /** The model that the path names, where the request does not. */
  model?(path: string): string | undefined;
  /** Fields of the request by which the provider reports the usage of a stream; `undefined` if it does so anyway. */
  asking?(request: Fields): Fields | undefined;
  /** Of a call that the provider has taken, whatever it answers. */
  taken?(request: Fields): UsageReading | undefined;
  /** Of a whole answer; of one that is no text there is nothing to read. */
  answer?(body: Fields): Piece;
  /** Whether the usage at the end of a stream has all that is billed: events before it have only text. */
  readonly lastSaysAll?: boolean;
  /** Reads one event of a stream after the other. */
  events(): (event: Fields) => Piece;
}

/** The content of an answer, or of a piece of one. */
export interface Piece {
  /** What the model has written. */
  readonly text?: string | undefined;
  readonly usage?: UsageReading | undefined;
  /** Whether that is the last word. */
  readonly final?: boolean;
  readonly model?: unknown;
  /** The provider has reported a failure. */
  readonly failed?: boolean;
  /** Nothing comes after it: some clients read no further. */
  readonly last?: boolean;
  /** There only because the usage was asked for. */
  readonly onlyUsage?: boolean;
}

export const inAndOut: Totals = { input: true, output: true };
export const inOnly: Totals = { input: true, output: false };
export const neither: Totals = { input: false, output: false };

/** The text of all of them. */
export function joined(texts: readonly unknown[]): string {
  return texts.filter((text) => typeof text === "string").join("");
}
