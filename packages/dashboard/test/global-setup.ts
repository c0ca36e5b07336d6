import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { setup as startPostgres, teardown } from "../../control-plane/src/testing/vitest-global-setup.ts";

export { teardown };

/** The pages are built here, so that the tests never see what was built before. */
export async function setup(): Promise<void> {
  const cwd = fileURLToPath(new URL("..", import.meta.url));
  const vite = fileURLToPath(new URL("../../../node_modules/vite/bin/vite.js", import.meta.url));
  // Under "test", which the runner sets, React would be the one for development.
  const env = { ...process.env, NODE_ENV: "production" };
  const build = promisify(execFile)(process.execPath, [vite, "build", "--logLevel", "error"], { cwd, env });
  await Promise.all([startPostgres(), build]);
}
