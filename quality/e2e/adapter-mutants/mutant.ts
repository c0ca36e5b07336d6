import type { AdapterOnTrial } from "@creditgate/conformance";

/** What the contract must know of an adapter. */
export type TriedAdapter = Pick<AdapterOnTrial, "start" | "onNode" | "onWeb"> &
  Partial<Pick<AdapterOnTrial, "send">>;

/** An adapter that looks right and is not. */
export interface AdapterMutant {
  readonly name: string;
  readonly adapter: TriedAdapter;
  /** The lines of the contract that it is there for; others may be broken too. */
  readonly breaks: readonly string[];
}
