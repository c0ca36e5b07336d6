import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";

const root = resolve(import.meta.dirname, "../..");

/** Packs these packages of `packages/` as a release does, as they have been built, and returns each tarball by the name of its package. */
export async function packInto(
  folder: string,
  packages: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const stage = ["quality/packaging/stage.mjs", folder, ...packages];
  const { stdout } = await promisify(execFile)(process.execPath, stage, { cwd: root });
  return new Map(JSON.parse(stdout));
}
