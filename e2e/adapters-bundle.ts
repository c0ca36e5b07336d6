import { join, resolve } from "node:path";
import { build } from "esbuild";

/** A program as an edge platform would run it, and how much of it came from which file. */
export interface Bundle {
  readonly code: string;
  readonly parts: { readonly file: string; readonly bytes: number }[];
}

/** Bundles a program of `runtimes/` from source. */
export async function bundle(file: string, options: { readonly minify?: boolean } = {}): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(import.meta.dirname, "runtimes", file)],
    absWorkingDir: resolve(import.meta.dirname, ".."),
    conditions: ["@creditgate/source", "workerd", "worker"],
    external: ["@opentelemetry/api"],
    bundle: true,
    minify: options.minify ?? false,
    metafile: true,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    mainFields: ["module", "main"],
    outdir: "bundle",
    write: false,
  });
  const [output] = outputFiles;
  const [described] = Object.values(metafile.outputs);
  if (output === undefined || described === undefined)
    throw new Error(`${file}: expected a bundle, received none`);
  const parts = Object.entries(described.inputs).map(([input, { bytesInOutput }]) => ({
    file: input,
    bytes: bytesInOutput,
  }));
  return { code: output.text, parts };
}
