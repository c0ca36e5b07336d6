import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import process from "node:process";
import type { TestProjectConfiguration, UserWorkspaceConfig } from "vitest/config";

type Project = UserWorkspaceConfig & {
  readonly test: { readonly include: string[]; readonly exclude: string[] };
};

/** Folders whose tests share workers, and with them what they import, which is most of what a small file costs. */
function project(
  name: string,
  folders: readonly string[],
  test: UserWorkspaceConfig["test"] = {},
  platform: "node" | "deno" = "node",
  alias: Record<string, string> = older,
): Project {
  // Tests run from source: every package offers its `src` under this condition, and nobody else uses the name.
  const conditions = ["@creditgate/source", platform];
  return {
    resolve: { conditions, alias },
    ssr: { resolve: { conditions } },
    // Of the global set-up.
    environments: { __vitest__: { resolve: { conditions } } },
    test: {
      name,
      environment: "node",
      isolate: false,
      // Generous: machines are shared and noisy, and a test that waits for an event must only fail if it never comes.
      testTimeout: 60_000,
      hookTimeout: 120_000,
      expect: { poll: { timeout: 30_000 } },
      env: { CREDITGATE_PLATFORM: platform },
      ...test,
      include: folders.map((folder) => `${folder}/**/*.test.ts`),
      exclude: ["**/node_modules/**", "**/dist/**", ...(test.exclude ?? [])],
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

/** What needs PostgreSQL. */
const service = [
  ...["packages/control-plane", "packages/ai", "packages/postgres"],
  ...["express-chat", "own-table", "voice-call", "llm-gateway", "stripe-webhook"].map(
    (name) => `examples/${name}`,
  ),
];
/** What also needs all that is built. */
const built = ["packages/dashboard", "quality/bench", "quality/e2e"];
const mocking = "packages/next";
const plain = ["packages", "examples", "quality"]
  .flatMap((parent) => readdirSync(resolve(import.meta.dirname, parent)).map((name) => `${parent}/${name}`))
  .filter((folder) => existsSync(resolve(import.meta.dirname, folder, "test")))
  .filter((folder) => ![...service, ...built, mocking].includes(folder));

const all = [
  project("plain", plain),
  project("service", service, { globalSetup: ["packages/control-plane/test/global-setup.ts"] }),
  project("built", built, {
    globalSetup: ["quality/e2e/global-setup.ts"],
    setupFiles: ["packages/dashboard/test/failed-page.ts"],
  }),
  // Its tests mock modules of it.
  project("next", [mocking], { isolate: true }),
  // The same tests with the transport of other platforms, which is fetch.
  project("client-fetch", ["packages/client"], { exclude: ["**/pool.test.ts"] }, "deno"),
  // The same tests with the oldest React that it is for.
  project("react-18", ["packages/react"], { exclude: ["**/route.test.ts"] }, "node", {
    react: react18("react"),
    "react-dom": react18("react-dom"),
  }),
];

/** Mode `short` leaves the files `*.full.test.ts` out, which mode `full` has alone. Without a mode all run. */
export default function projects(mode: string): TestProjectConfiguration[] {
  return all.map((project) => {
    const { include, exclude, ...test } = project.test;
    return {
      ...project,
      test: {
        ...test,
        include: mode === "full" ? include.map((glob) => glob.replace("*.test", "*.full.test")) : include,
        exclude: mode === "short" ? [...exclude, "**/*.full.test.ts"] : exclude,
      },
    };
  });
}
