import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** The last commit before issue 14, whose servers know the schema up to version 15. */
const olderCommit = "9bc704cc5c6f1a25b2e6c52e6440893654111cc0";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const run = promisify(execFile);
const git = async (...args: string[]): Promise<string> =>
  (await run("git", args, { cwd: root })).stdout.trim();

/**
 * Why there is nothing to build the older version from, where that may be: no git, or a shallow clone. A whole history
 * that lacks the commit is an error, and so is any that lacks it where `isRequired`.
 */
export async function missingHistory(isRequired: boolean): Promise<string | undefined> {
  const found = await git("cat-file", "-e", `${olderCommit}^{commit}`).then(
    () => true,
    () => false,
  );
  if (found) return undefined;
  const isShallow = await git("rev-parse", "--is-shallow-repository").catch(() => "no repository");
  const why = `${olderCommit} is not in this clone (shallow: ${isShallow})`;
  if (isRequired || isShallow === "false") throw new Error(`${why}: fetch the whole history`);
  return why;
}

export interface OlderVersion {
  /** Its `creditgate`, as `node` runs it. */
  readonly program: string;
  remove(): Promise<void>;
}

const parts = ["packages/client", "packages/control-plane"];

/** Builds the older control plane beside this one, on the same dependencies of others, which both versions pin alike. */
export async function buildOlderVersion(): Promise<OlderVersion> {
  const folder = await mkdtemp(path.join(tmpdir(), "creditgate-older-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const archive = path.join(folder, "source.tar");
    await git("archive", "--output", archive, olderCommit, "package.json", "tsconfig.base.json", ...parts);
    await run("tar", ["-xf", archive, "-C", folder]);
    await borrowDependencies(folder);
    const tsc = path.join(root, "node_modules/typescript/bin/tsc");
    // Its types were checked when it was landed.
    await run(process.execPath, [tsc, "-b", "--noCheck", path.join(folder, "packages/control-plane")]);
  } catch (error) {
    await remove();
    throw error;
  }
  return { program: path.join(folder, "packages/control-plane/bin/creditgate.js"), remove };
}

/** All but our own packages: those are of the older version, too. */
async function borrowDependencies(folder: string): Promise<void> {
  const own = path.join(folder, "node_modules/@creditgate");
  await mkdir(own, { recursive: true });
  for (const part of parts) {
    await symlink(path.join(folder, part), path.join(own, path.basename(part)));
    const nested = path.join(root, part, "node_modules");
    if (await stat(nested).catch(() => undefined))
      await symlink(nested, path.join(folder, part, "node_modules"));
  }
  const modules = path.join(root, "node_modules");
  for (const name of await readdir(modules)) {
    if (name === "@creditgate" || name.startsWith(".")) continue;
    await symlink(path.join(modules, name), path.join(folder, "node_modules", name));
  }
}
