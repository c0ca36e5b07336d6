import { join, resolve } from "node:path";
import { build } from "esbuild";

/** Bundles a program of `runtimes/` from source, as an edge platform does; resolves with its code. */
export async function bundle(file: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "runtimes", file)],
    absWorkingDir: resolve(import.meta.dirname, ".."),
    conditions: ["@creditgate/source", "workerd", "worker"],
    external: ["@opentelemetry/api"],
    bundle: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    write: false,
  });
  const [output] = outputFiles;
  if (output === undefined) throw new Error(`${file}: expected a bundle, received none`);
  return output.text;
}
