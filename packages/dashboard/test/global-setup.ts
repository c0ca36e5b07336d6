import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { setup as startPostgres, teardown } from "../../control-plane/src/testing/vitest-global-setup.ts";

export { teardown };

const registry: unique symbol = Symbol.for("@creditgate/dashboard/test/built");
// Each project evaluates this module anew.
const shared: typeof globalThis & { [registry]?: Promise<unknown> } = globalThis;

/**
 * The pages are built here, so that the tests never see what was built before; once, also where several projects ask for them: a
 * build empties the folder that the tests of others read.
 */
export async function setup(): Promise<void> {
  shared[registry] ??= build();
  await Promise.all([startPostgres(), shared[registry]]);
}

async function build(): Promise<unknown> {
  const cwd = fileURLToPath(new URL("..", import.meta.url));
  const vite = fileURLToPath(new URL("../../../node_modules/vite/bin/vite.js", import.meta.url));
  // Under "test", which the runner sets, React would be the one for development.
  const env = { ...process.env, NODE_ENV: "production" };
  return promisify(execFile)(process.execPath, [vite, "build", "--logLevel", "error"], { cwd, env });
}
