import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { WorkerOptions } from "miniflare";

export type DeployedWorker = WorkerOptions & { readonly durableObjects: { readonly WALLETS: object } };

/** The worker of `wrangler.json` in this folder, as `deployed-worker.mjs` makes it of what has been built. */
export async function deployedWorker(folder: string, bindings: object): Promise<DeployedWorker> {
  const made = await import(join(import.meta.dirname, "deployed-worker.mjs"));
  return made.deployedWorker(pathToFileURL(join(folder, "wrangler.json")), bindings);
}
