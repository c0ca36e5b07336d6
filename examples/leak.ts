import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { freePort } from "../quality/free-port.ts";

const root = resolve(import.meta.dirname, "..");

/** All that `creditgate leak` tries, instead of what takes some seconds: `npm run test:leak`. */
export const leakNames: readonly string[] =
  process.env.CREDITGATE_LEAK === "all" ? [] : ["--only", "parallel,leave-byte,killed-waiting"];

/** Runs `creditgate leak` on a path of the example that this command starts at the root, with `$FOLDER` of its own. */
export async function leak(
  path: string,
  start: string,
  args: readonly string[],
): Promise<{ code: number | null; output: string }> {
  const folder = await mkdtemp(join(tmpdir(), "creditgate-leak-"));
  const url = `http://127.0.0.1:${await freePort()}${path}`;
  const program = join(root, "packages/control-plane/bin/creditgate.js");
  const common = ["--wait", "60000", "--outage", "5000", "--requests", "40", "--time", "1000"];
  const child = spawn(process.execPath, [program, "leak", url, "--start", start, ...common, ...args], {
    cwd: root,
    env: { ...process.env, FOLDER: folder },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
  const [code] = await once(child, "close");
  await rm(folder, { recursive: true });
  return { code, output };
}
