import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import process from "node:process";
import type { TestProjectConfiguration, UserWorkspaceConfig } from "vitest/config";

function project(
  folder: string,
  name: string,
  globalSetup: string[] = [],
  platform: "node" | "edge-light" = "node",
  exclude: string[] = [],
  alias: Record<string, string> = {},
): UserWorkspaceConfig & { readonly test: { readonly name: string; readonly exclude: string[] } } {
  // Tests run from source: every package offers its `src` under this condition, and nobody else uses the name.
  const conditions = ["@creditgate/source", platform];
  return {
    root: folder,
    resolve: { conditions, alias },
    ssr: { resolve: { conditions } },
    // Of the global set-up.
    environments: { __vitest__: { resolve: { conditions } } },
    test: {
      name,
      exclude: ["**/node_modules/**", "**/dist/**", ...exclude],
      environment: "node",
      // The files of a worker share what they import, which is most of what a small one costs. Tests of next mock modules of it.
      isolate: name === "next",
      // Generous: machines are shared and noisy, and a test that waits for an event must only fail if it never comes.
      testTimeout: 60_000,
      hookTimeout: 120_000,
      expect: { poll: { timeout: 30_000 } },
      globalSetup,
      setupFiles: name === "dashboard" ? ["test/failed-page.ts"] : [],
      env: { CREDITGATE_PLATFORM: platform },
    },
  };
}

/** With `CREDITGATE_OLDER`, earlier majors of what the tests import: `npm run test:matrix` installs them. */
const older: Record<string, string> = {};
if (process.env.CREDITGATE_OLDER !== undefined) {
  const { dependencies } = JSON.parse(
    readFileSync(resolve(import.meta.dirname, "quality/e2e/older/package.json"), "utf8"),
  );
  for (const name of Object.keys(dependencies)) {
    older[name] = resolve(import.meta.dirname, "quality/e2e/older/node_modules", name);
  }
}

const react18 = (name: string): string =>
  resolve(import.meta.dirname, "quality/e2e/react-18/node_modules", name);

const database = resolve(import.meta.dirname, "packages/control-plane/src/testing/vitest-global-setup.ts");
const pages = resolve(import.meta.dirname, "packages/dashboard/test/global-setup.ts");

/** Those that need more than their folder. */
const special = [
  // The same tests with the transport of other platforms, which is fetch.
  project("packages/client", "client-fetch", [], "edge-light", ["test/pool.test.ts"]),
  project("packages/nestjs", "nestjs", [], "node", [], older),
  // The same tests with the oldest React that it is for.
  project("packages/react", "react-18", [], "node", ["test/route.test.ts"], {
    react: react18("react"),
    "react-dom": react18("react-dom"),
  }),
  project("packages/ai", "ai", [database]),
  project("packages/postgres", "postgres", [database]),
  project("packages/redis", "redis", [], "node", [], older),
  project("packages/control-plane", "control-plane", ["test/global-setup.ts"]),
  project("packages/dashboard", "dashboard", [pages]),
  project("examples/express-chat", "express-chat", [database]),
  project("examples/own-table", "own-table", [database]),
  project("examples/voice-call", "voice-call", [database]),
  project("examples/llm-gateway", "llm-gateway", [database]),
  project("examples/stripe-webhook", "stripe-webhook", [database]),
  project("quality/bench", "bench", [pages]),
  project("quality/e2e", "e2e", ["global-setup.ts"], "node", [], older),
];

/** Every other folder with tests. */
const plain = ["packages", "examples", "quality"].flatMap((parent) =>
  readdirSync(resolve(import.meta.dirname, parent))
    .filter((name) => existsSync(resolve(import.meta.dirname, parent, name, "test")))
    .filter((name) => !special.some(({ test }) => test.name === name))
    .map((name) => project(`${parent}/${name}`, name)),
);

/** Mode `short` leaves the files `*.full.test.ts` out, which mode `full` has alone. Without a mode all run. */
export default function projects(mode: string): TestProjectConfiguration[] {
  const include = [mode === "full" ? "**/*.full.test.ts" : "**/*.test.ts"];
  const left = mode === "short" ? ["**/*.full.test.ts"] : [];
  return [...plain, ...special].map((project) => {
    const { test } = project;
    return { ...project, test: { ...test, include, exclude: [...test.exclude, ...left] } };
  });
}
