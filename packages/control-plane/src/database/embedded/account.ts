import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { ControlPlaneError } from "../../errors/control-plane-error.ts";

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

/**
 * The first folder above a file that the account may not enter. A folder of root's that is closed to others, as /root
 * usually is, hides everything below it.
 */
export async function closedFolder(file: string, account: Account): Promise<string | undefined> {
  if (account.uid === undefined) return undefined;
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    const { mode, uid, gid } = await stat(folder);
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return folder;
    if (folder === path.dirname(folder)) return undefined;
  }
}
