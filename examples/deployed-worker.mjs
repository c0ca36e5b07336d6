// What wrangler would deploy, as workerd runs it here.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** The worker of `wrangler.json` beside the module of this address, with these bindings, as Miniflare takes it. */
export async function deployedWorker(address, bindings) {
  const deployment = JSON.parse(await readFile(new URL("wrangler.json", address), "utf8"));
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(deployment.main, address))],
    conditions: ["workerd", "worker"],
    external: ["@opentelemetry/api", "cloudflare:workers"],
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    write: false,
  });
  const objects = deployment.durable_objects.bindings;
  return {
    modules: [{ type: "ESModule", path: "worker.mjs", contents: outputFiles[0].text }],
    compatibilityDate: deployment.compatibility_date,
    compatibilityFlags: deployment.compatibility_flags,
    durableObjects: Object.fromEntries(
      objects.map(({ name, class_name: className }) => [name, { className, useSQLite: true }]),
    ),
    bindings,
  };
}
