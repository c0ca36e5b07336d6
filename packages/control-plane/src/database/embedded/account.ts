import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { ControlPlaneError } from "../../control-plane-error.ts";

/** Who runs PostgreSQL, in the words of `spawn`: nothing where the process runs it itself. */
export interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

const run = promisify(execFile);

/**
 * PostgreSQL refuses to run as root, so root lends it to the account that owns the data, or to one that exists
 * everywhere.
 */
export async function postgresAccount(data: string): Promise<Account> {
  if (process.getuid?.() !== 0) return {};
  const owner = await stat(path.join(data, "postgres")).catch(() => undefined);
  if (owner !== undefined && owner.uid > 0) return { uid: owner.uid, gid: owner.gid };
  for (const name of ["postgres", "nobody"]) {
    const ids = await Promise.all(["-u", "-g"].map((flag) => run("id", [flag, name]))).catch(() => []);
    const [uid, gid] = ids.map(({ stdout }) => Number(stdout));
    if (uid !== undefined && gid !== undefined && uid > 0) return { uid, gid };
  }
  throw new ControlPlaneError(
    "postgres_failed",
    "embedded PostgreSQL: expected a user `postgres` or `nobody`, since root cannot run PostgreSQL. Start creditgate as an ordinary user, or set DATABASE_URL.",
  );
}

/** A directory of root's that others may not enter, such as /root, hides everything below it from the account. */
export async function requireReachable(target: string, what: string, account: Account): Promise<void> {
  if (account.uid === undefined) return;
  for (let folder = path.dirname(target); ; folder = path.dirname(folder)) {
    const { mode, uid, gid } = await stat(folder);
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) {
      throw new ControlPlaneError(
        "data_directory_unusable",
        `${what}: root cannot run PostgreSQL, and the user who does (uid ${account.uid}) cannot enter ${folder}, where ${target} is. Allow it with "chmod o+x ${folder}", use another place such as --data /var/lib/creditgate, start creditgate as an ordinary user, or set DATABASE_URL.`,
      );
    }
    if (folder === path.dirname(folder)) return;
  }
}
