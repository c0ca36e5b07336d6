import { fileURLToPath } from "node:url";
import { createViteServer, type Vite } from "vitest/node";
import { mutate, type Patch, stale } from "./mutant.ts";

/** The modules of core that tests of mutants use. */
export type Core = typeof import("./core.ts");

/** Loads copies of core, one after the other, or of modules that are made of it. */
export interface CoreLoader<Modules = Core> {
  /** Rejects when a patch is stale: a mutant that changes nothing proves nothing. */
  load(patches: readonly Patch[]): Promise<Modules>;
  close(): Promise<void>;
}

const root = fileURLToPath(new URL("../../..", import.meta.url));
const sources = `${root}packages/`;
const conditions = ["@creditgate/source", "import", "module", "node", "default"];

/** Creates a loader, which compiles the sources as vitest does. The entry is below the root of the repository. */
export async function createCoreLoader<Modules = Core>(
  entry = "/quality/simulation/mutants/core.ts",
): Promise<CoreLoader<Modules>> {
  let patches: readonly Patch[] = [];
  const applied = new Set<Patch>();
  const server = await createViteServer({
    configFile: false,
    root,
    logLevel: "silent",
    appType: "custom",
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
    ssr: { resolve: { conditions, externalConditions: conditions } },
    plugins: [
      {
        name: "mutant",
        enforce: "pre",
        transform(code: string, id: string) {
          const due = patches.filter(({ file }) => id === `${sources}${file}`);
          for (const patch of due) applied.add(patch);
          return due.length === 0 ? undefined : { code: due.reduce(mutate, code), map: null };
        },
      },
    ],
  });
  const { moduleGraph, runner } = server.environments.ssr as Vite.RunnableDevEnvironment;
  return {
    async load(next) {
      // All modules are evaluated anew; what is compiled anew is only what the last mutant and this one change.
      for (const { file } of [...patches, ...next]) {
        for (const module of moduleGraph.getModulesByFile(`${sources}${file}`) ?? [])
          moduleGraph.invalidateModule(module);
      }
      patches = next;
      runner.clearCache();
      const modules = await runner.import<Modules>(entry);
      for (const patch of patches) if (!applied.has(patch)) throw stale(patch, "is not loaded, or not for");
      return modules;
    },
    close: () => server.close(),
  };
}
