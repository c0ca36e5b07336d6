import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { build, transform } from "esbuild";

/** A program as an edge platform would run it, and how much of it came from which file. */
export interface Bundle {
  readonly code: string;
  readonly parts: { readonly file: string; readonly bytes: number }[];
}

interface BundleOptions {
  readonly minify?: boolean | "all but spaces";
  /** The export condition of the runtime. @default "workerd" */
  readonly runtime?: "workerd" | "bun" | "deno";
}

/** Bundles a program of `runtimes/` from source. */
export async function bundle(file: string, options: BundleOptions = {}): Promise<Bundle> {
  const { runtime = "workerd", minify = false } = options;
  const { outputFiles, metafile } = await build({
    entryPoints: [join(import.meta.dirname, "runtimes", file)],
    absWorkingDir: resolve(import.meta.dirname, "../.."),
    conditions: ["@creditgate/source", runtime],
    external: ["@opentelemetry/api"],
    bundle: true,
    minifyWhitespace: minify === true,
    minifySyntax: minify !== false,
    minifyIdentifiers: minify !== false,
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

/** By how much a program would be smaller, gzipped, without the files of each folder: what folders share counts for none. */
export async function weighFolders(file: string): Promise<ReadonlyMap<string, number>> {
  const { code } = await bundle(file, { minify: "all but spaces" });
  const folders = new Map<string, string>();
  // Each file begins with a comment that names it.
  const [, ...files] = code.split(/^\/\/ (\S+\.ts)$/m);
  for (let at = 0; at < files.length; at += 2) {
    const [name = "", text = ""] = files.slice(at, at + 2);
    const folder = name.replace(/(\/src\/[^/]+)\/.*|(\/src)\/[^/]*$/, "$1$2");
    const { code: small } = await transform(text, { minifyWhitespace: true });
    folders.set(folder, (folders.get(folder) ?? "") + small);
  }
  const all = gzipped([...folders.values()].join(""));
  const without = (left: string) =>
    gzipped([...folders].flatMap(([folder, text]) => (folder === left ? [] : [text])).join(""));
  return new Map([...folders.keys()].map((folder) => [folder, all - without(folder)]));
}

/** The bytes of a text as servers send it. */
export function gzipped(text: string): number {
  return gzipSync(text, { level: 9 }).byteLength;
}
