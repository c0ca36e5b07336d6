import type { SimulationOptions } from "../src/simulation-options.ts";
import type { Patch } from "./mutated-core.ts";

/** A gate that looks right and is not. */
export interface Mutant {
  readonly name: string;
  readonly patches: readonly Patch[];
  /** What the simulator does otherwise, where the mistake is the user's or the machine's and not the source's. */
  readonly options?: Partial<SimulationOptions>;
  /** Random schedules cannot catch it: the directed schedule of this name does. */
  readonly directed?: string;
}

/** A patch of one file, find and replace. */
export function patch(file: string, find: string, replace: string): Patch {
  return { file, find, replace };
}
