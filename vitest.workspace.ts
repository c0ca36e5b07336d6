import type { TestProjectConfiguration } from "vitest/config";

/** Tests run from source: every package offers its `src` under this condition, and nobody else uses the name. */
const conditions = ["@creditgate/source", "import", "module", "node", "default"];

function project(folder: string, name: string): TestProjectConfiguration {
  return {
    root: folder,
    resolve: { conditions },
    ssr: { resolve: { conditions, externalConditions: conditions } },
    test: {
      name,
      include: ["**/*.test.ts"],
      exclude: ["**/node_modules/**", "**/dist/**"],
      environment: "node",
    },
  };
}

const projects: TestProjectConfiguration[] = [
  project("packages/client", "client"),
  project("packages/core", "core"),
  project("packages/express", "express"),
  project("packages/control-plane", "control-plane"),
  project("e2e", "e2e"),
];

export default projects;
