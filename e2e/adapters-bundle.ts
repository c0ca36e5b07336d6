import { join, resolve } from "node:path";
import { build } from "esbuild";

/** A program as an edge platform would run it, and how much of it came from which file. */
export interface Bundle {
  readonly code: string;
  readonly parts: { readonly file: string; readonly bytes: number }[];
}

interface BundleOptions {
  readonly minify?: boolean;
  /** The export condition of the runtime. @default "workerd" */
  readonly runtime?: "workerd" | "bun" | "deno";
}

/** Bundles a program of `runtimes/` from source. */
export async function bundle(file: string, options: BundleOptions = {}): Promise<Bundle> {
  const { runtime = "workerd" } = options;
  const { outputFiles, metafile } = await build({
    entryPoints: [join(import.meta.dirname, "runtimes", file)],
    absWorkingDir: resolve(import.meta.dirname, ".."),
    conditions: ["@creditgate/source", runtime],
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
