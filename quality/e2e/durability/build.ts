import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const root = resolve(import.meta.dirname, "../../..");

/** Compiles what processes of their own run: they have no test runner to do it for them. */
export async function buildSqlite(): Promise<void> {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  await promisify(execFile)(process.execPath, [tsc, "-b", "packages/sqlite"], { cwd: root });
}
