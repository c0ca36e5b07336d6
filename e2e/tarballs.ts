import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { resolve } from "node:path";
import { promisify } from "node:util";

const root = resolve(import.meta.dirname, "..");

/** Packs these packages of `packages/`, as they have been built, and returns each tarball by the name of its package. */
export async function packInto(
  folder: string,
  packages: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const pack = ["pack", "--pack-destination", folder];
  const chosen = packages
    .filter((name) => name !== "dashboard")
    .map((name) => `--workspace=packages/${name}`);
  await promisify(execFile)("npm", [...pack, ...chosen], { cwd: root });
  if (packages.includes("dashboard")) {
    // Its script builds it, which would empty the folder that other tests read: it is built before all tests.
    const dashboard = ["--workspace=packages/dashboard", "--ignore-scripts"];
    await promisify(execFile)("npm", [...pack, ...dashboard], { cwd: root });
  }
  const files = (await readdir(folder)).filter((file) => file.endsWith(".tgz"));
  return new Map(files.map((file) => [nameOf(file), file]));
}

/** `creditgate-core-0.1.0.tgz` is `@creditgate/core`. */
function nameOf(tarball: string): string {
  return tarball.replace(/^creditgate-(.+)-\d+\.\d+\.\d+.*\.tgz$/, "@creditgate/$1");
}
