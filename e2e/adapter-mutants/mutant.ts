import type { AdapterOnTrial } from "@creditgate/core/testing";

/** An adapter that looks right and is not. */
export interface AdapterMutant {
  readonly name: string;
  readonly start: AdapterOnTrial["start"];
  /** The lines of the contract that it breaks; it keeps all others. */
  readonly breaks: readonly string[];
  /** Something that these lines wait for never comes, so that they need not wait for long. */
  readonly never?: boolean;
}
