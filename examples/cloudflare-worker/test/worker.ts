import { resolve } from "node:path";
import { buildPackages, type StartedExample, startExample } from "../../started-example.ts";

/** The example, built and started. */
export async function startWorker(): Promise<StartedExample> {
  await buildPackages("packages/edge", "packages/control-plane");
  return startExample(resolve(import.meta.dirname, ".."), /^curl /);
}
