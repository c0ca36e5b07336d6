import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { setup as startPostgres, teardown } from "../src/testing/vitest-global-setup.ts";

export { teardown };

/** The tests of the command line run what is built; it is built here, so that they never run what was built before. */
export async function setup(): Promise<void> {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const tsc = fileURLToPath(new URL("../../../node_modules/typescript/bin/tsc", import.meta.url));
  await Promise.all([startPostgres(), promisify(execFile)(process.execPath, [tsc, "-b", root])]);
}
