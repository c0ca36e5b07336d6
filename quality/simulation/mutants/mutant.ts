import type { SimulationOptions } from "../src/simulation-options.ts";

/** A change of one source file of core, or of a package on it. */
export interface Patch {
  /** Below `packages`. */
  readonly file: string;
  /** Must be there exactly once. */
  readonly find: string;
  readonly replace: string;
}

/** A gate that looks right and is not. */
export interface Mutant {
  readonly name: string;
  readonly patches: readonly Patch[];
  /** What the simulator does otherwise, where the mistake is the user's or the machine's and not the source's. */
  readonly options?: Partial<SimulationOptions>;
  /** Random schedules cannot catch it: the directed schedule of this name does. */
  readonly directed?: string;
  /** A random schedule that catches it, where few do: the search begins there. */
  readonly seed?: number;
}

/** Plays random schedules of a mutant: at least so many, and more until one catches it. Resolves how many did, and were played. */
export async function search(
  play: (seed: number) => Promise<{ readonly violation: string | undefined }>,
  {
    seed: first = 1,
    least = 1,
    most,
  }: { readonly seed: number | undefined; readonly least?: number; readonly most: number },
): Promise<{ readonly caught: number; readonly played: number }> {
  let [caught, played] = [0, 0];
  while (played < least || (caught === 0 && played < most)) {
    const { violation } = await play(first + played++);
    if (violation !== undefined) caught++;
  }
  return { caught, played };
}

/** A patch of one file, find and replace. */
export function patch(file: string, find: string, replace: string): Patch {
  return { file, find, replace };
}

/** The file's text with the mistake. Throws when the patch is stale: a mutant that changes nothing proves nothing. */
export function mutate(text: string, patch: Patch): string {
  const [before, after, ...more] = text.split(patch.find);
  if (before === undefined || after === undefined) throw stale(patch, "does not contain");
  if (more.length > 0) throw stale(patch, "contains more than once");
  return before + patch.replace + after;
}

export function stale({ file, find }: Patch, how: string): Error {
  return new Error(`This patch is stale: packages/${file} ${how}: ${find}`);
}
