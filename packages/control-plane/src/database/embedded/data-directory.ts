import { execFile } from "node:child_process";
import { chmod, chown, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { ControlPlaneError, errorCode } from "../../errors/control-plane-error.ts";
import { type Account, closedFolder } from "./account.ts";
import type { PostgresBinaries } from "./binaries.ts";

const run = promisify(execFile);

/** The version that the installed binaries write; PostgreSQL's data are not portable between major versions. */
const majorVersion = "18";

export const superuser = "creditgate";

const { PATH, LD_LIBRARY_PATH, LD_PRELOAD, FAKETIME } = process.env;

/** What PostgreSQL inherits: preloaded libraries and the clock that one sets, but no settings and no secrets. */
export const bareEnvironment: NodeJS.ProcessEnv = {
  PATH,
  LC_ALL: "C",
  LD_LIBRARY_PATH,
  LD_PRELOAD,
  FAKETIME,
};

/** Makes sure that `<data>/postgres` is a PostgreSQL data directory that the account can use; resolves its path. */
export async function prepareDataDirectory(
  data: string,
  binaries: PostgresBinaries,
  account: Account,
): Promise<string> {
  const target = path.join(data, "postgres");
  if (!(await versionOf(target))) await initialise(data, target, binaries, account);
  const version = await versionOf(target);
  if (version !== majorVersion) {
    throw unusable(
      target,
      `expected data of PostgreSQL ${majorVersion}, received ${version ?? "none"}. Use another --data, or set DATABASE_URL`,
    );
  }
  const owner = (await stat(target)).uid;
  const user = account.uid ?? process.getuid?.();
  if (user !== undefined && owner !== user) {
    throw unusable(
      target,
      `expected the owner to be uid ${user}, received uid ${owner}. Start creditgate as the user who made it, use another --data, or "chown -R ${user} ${target}"`,
    );
  }
  return target;
}

/** Makes the folder in which everything is, and makes sure that the account can get there. */
export async function prepareFolder(data: string, account: Account): Promise<void> {
  try {
    const made = await mkdir(data, { recursive: true });
    // Root's umask may keep others out of what root has just made.
    if (made !== undefined && account.uid !== undefined) await chmod(data, 0o755);
    // What is in it, a token among it, is not for a repository that it may stand in.
    if (made !== undefined) await writeFile(path.join(data, ".gitignore"), "*\n", { mode: 0o644 });
  } catch (cause) {
    throw unusable(data, `cannot be made (${errorCode(cause)})`, cause);
  }
  const closed = await closedFolder(path.join(data, "postgres"), account);
  if (closed === undefined) return;
  throw unusable(
    data,
    `root cannot run PostgreSQL, and the user who does (uid ${account.uid}) cannot enter ${closed}. Use a place that is open to others, such as --data /var/lib/creditgate, allow it with "chmod o+x ${closed}", start creditgate as an ordinary user, or set DATABASE_URL`,
  );
}

/** Under another name first: an initdb that is killed half way must not look like a database. */
async function initialise(
  data: string,
  target: string,
  binaries: PostgresBinaries,
  account: Account,
): Promise<void> {
  const draft = await mkdtemp(path.join(data, "postgres.new-")).catch((cause) => {
    throw unusable(data, `cannot be written to (${errorCode(cause)})`, cause);
  });
  try {
    if (account.uid !== undefined && account.gid !== undefined) await chown(draft, account.uid, account.gid);
    await run(
      binaries.initdb,
      [
        `--pgdata=${draft}`,
        `--username=${superuser}`,
        "--auth-local=trust",
        "--auth-host=reject",
        "--encoding=UTF8",
        "--locale=C",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
      ],
      { ...account, env: bareEnvironment, cwd: draft },
    );
    await rename(draft, target);
  } catch (cause) {
    await rm(draft, { recursive: true, force: true });
    // Another creditgate was faster: its database serves as well, and who may use it is decided later.
    if (await versionOf(target)) return;
    const output = cause instanceof Error && "stderr" in cause ? String(cause.stderr).trim() : String(cause);
    throw new ControlPlaneError("postgres_failed", `embedded PostgreSQL: initdb failed: ${output}`, {
      cause,
    });
  }
}

async function versionOf(target: string): Promise<string | undefined> {
  try {
    return (await readFile(path.join(target, "PG_VERSION"), "utf8")).trim();
  } catch (cause) {
    if (errorCode(cause) === "ENOENT") return undefined;
    throw unusable(target, `cannot be read (${errorCode(cause)})`, cause);
  }
}

function unusable(folder: string, why: string, cause?: unknown): ControlPlaneError {
  return new ControlPlaneError("data_directory_unusable", `--data: ${folder}: ${why}.`, { cause });
}
