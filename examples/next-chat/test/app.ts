import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { buildPackages, type StartedExample, startExample } from "../../started-example.ts";

export const folder: string = resolve(import.meta.dirname, "..");
const next = resolve(folder, "../../node_modules/next/dist/bin/next");

export async function buildApp(): Promise<void> {
  await buildPackages("packages/ai", "packages/next", "packages/react", "packages/control-plane");
  await promisify(execFile)(process.execPath, [next, "build"], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
  }).catch(({ stdout, stderr }) => {
    throw new Error(`next build failed:\n${stdout}\n${stderr}`);
  });
}

export function startApp(): Promise<StartedExample> {
  return startExample(folder, /next-chat listening/);
}
