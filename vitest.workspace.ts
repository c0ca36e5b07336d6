import { resolve } from "node:path";
import type { TestProjectConfiguration } from "vitest/config";

function project(
  folder: string,
  name: string,
  globalSetup: string[] = [],
  platform: "node" | "edge-light" = "node",
  exclude: string[] = [],
  alias: Record<string, string> = {},
): TestProjectConfiguration {
  // Tests run from source: every package offers its `src` under this condition, and nobody else uses the name.
  const conditions = ["@creditgate/source", platform];
  return {
    root: folder,
    resolve: { conditions, alias },
    ssr: { resolve: { conditions } },
    test: {
      name,
      include: ["**/*.test.ts"],
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

const react18 = (name: string): string => resolve(import.meta.dirname, "e2e/react-18/node_modules", name);

const projects: TestProjectConfiguration[] = [
  project("packages/client", "client"),
  // The same tests with the transport of other platforms, which is fetch.
  project("packages/client", "client-fetch", [], "edge-light", ["test/pool.test.ts"]),
  project("packages/core", "core"),
  project("packages/express", "express"),
  project("packages/fastify", "fastify"),
  project("packages/koa", "koa"),
  project("packages/nestjs", "nestjs"),
  project("packages/mcp", "mcp"),
  project("packages/trpc", "trpc"),
  project("packages/edge", "edge"),
  project("packages/next", "next"),
  project("packages/react", "react"),
  // The same tests with the oldest React that it is for.
  project("packages/react", "react-18", [], "node", ["test/route.test.ts"], {
    react: react18("react"),
    "react-dom": react18("react-dom"),
  }),
  project("packages/sqlite", "sqlite"),
  project("packages/ai", "ai", ["../control-plane/src/testing/vitest-global-setup.ts"]),
  project("packages/postgres", "postgres", ["../control-plane/src/testing/vitest-global-setup.ts"]),
  project("packages/redis", "redis"),
  project("packages/cloudflare", "cloudflare"),
  project("packages/control-plane", "control-plane", ["test/global-setup.ts"]),
  project("packages/dashboard", "dashboard", ["test/global-setup.ts"]),
  project("examples/cloudflare-worker", "cloudflare-worker"),
  project("examples/express-chat", "express-chat", [
    "../../packages/control-plane/src/testing/vitest-global-setup.ts",
  ]),
  project("examples/voice-call", "voice-call", [
    "../../packages/control-plane/src/testing/vitest-global-setup.ts",
  ]),
  project("examples/next-chat", "next-chat"),
  project("examples/llm-gateway", "llm-gateway", [
    "../../packages/control-plane/src/testing/vitest-global-setup.ts",
  ]),
  project("examples/stripe-webhook", "stripe-webhook", [
    "../../packages/control-plane/src/testing/vitest-global-setup.ts",
  ]),
  project("bench", "bench", ["../packages/dashboard/test/global-setup.ts"]),
  project("simulation", "simulation"),
  project("e2e", "e2e", ["global-setup.ts"]),
];

export default projects;
