import { join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { build } from "esbuild";
import { Miniflare, type WorkerOptions } from "miniflare";

/** A program of `workers/`, bundled from source as a Worker's is. */
export async function bundleWorker(file: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "workers", file)],
    absWorkingDir: resolve(import.meta.dirname, "../../.."),
    conditions: ["@creditgate/source", "workerd"],
    external: ["@opentelemetry/api", "cloudflare:workers"],
    bundle: true,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    mainFields: ["module", "main"],
    write: false,
  });
  const [output] = outputFiles;
  if (output === undefined) throw new Error(`${file}: expected a bundle, received none`);
  return output.text;
}

/** What is common to all workers of these tests. */
export function workerOptions(name: string, code: string): WorkerOptions {
  return {
    name,
    modules: [{ type: "ESModule", path: `${name}.mjs`, contents: code }],
    compatibilityDate: "2026-04-01",
  };
}

/** workerd with these workers. What objects that are ended on purpose write on the console is dropped. */
export function startWorkerd(workers: readonly WorkerOptions[], persistIn?: string): Miniflare {
  return new Miniflare({
    workers: [...workers],
    handleRuntimeStdio(stdout: Readable, stderr: Readable) {
      stdout.resume();
      stderr.resume();
    },
    ...(persistIn !== undefined && { durableObjectsPersist: persistIn }),
  });
}
