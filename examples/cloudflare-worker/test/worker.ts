import { resolve } from "node:path";
import { buildPackages, type StartedExample, startExample } from "../../started-example.ts";

export const folder: string = resolve(import.meta.dirname, "..");

/** The example, built and started. */
export async function startWorker(): Promise<StartedExample> {
  await buildPackages("packages/edge", "packages/cloudflare", "packages/control-plane");
  return startExample(folder, /^curl /);
}
