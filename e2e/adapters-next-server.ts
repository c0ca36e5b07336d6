import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { RunningServer } from "@creditgate/core/testing";
import { startProcess } from "./adapters-process.ts";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "..");
const next = join(root, "node_modules/next/dist/bin/next");
const environment = { NEXT_TELEMETRY_DISABLED: "1", NODE_ENV: "production" } as const;

/** Builds the packages, then the Next app in this folder. */
export async function buildNext(folder: string): Promise<void> {
  await run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-b", "packages/next"], {
    cwd: root,
  });
  await run(process.execPath, [next, "build"], {
    cwd: folder,
    env: { ...process.env, ...environment },
  }).catch(({ stdout, stderr }) => {
    throw new Error(`next build failed:\n${stdout}\n${stderr}`);
  });
}

/** `next start` on a free port. */
export function startNext(folder: string, variables: Record<string, string>): Promise<RunningServer> {
  return startProcess({
    program: process.execPath,
    options: [next, "start", "--hostname", "127.0.0.1", "--port", "0"],
    environment: { ...environment, ...variables },
    folder,
  });
}

/** The id by which a browser calls this action of the built app. */
export async function actionId(folder: string, name: string): Promise<string> {
  const manifest = await readFile(join(folder, ".next/server/server-reference-manifest.json"), "utf8");
  const actions: Record<string, { exportedName: string }> = JSON.parse(manifest).node;
  const found = Object.entries(actions).find(([, { exportedName }]) => exportedName === name);
  if (found === undefined) throw new Error(`${name}: expected an action of the built app, received none`);
  return found[0];
}
