import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { setup as buildPages, teardown } from "../../packages/dashboard/test/global-setup.ts";

export { teardown };

/** What is packed and what is started as a process is what has been built: here, so that it is never an old one. */
export async function setup(): Promise<void> {
  const root = resolve(import.meta.dirname, "../..");
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  await promisify(execFile)(process.execPath, [tsc, "-b"], { cwd: root });
  await buildPages();
}
