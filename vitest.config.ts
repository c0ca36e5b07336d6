import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import projects from "./vitest.workspace.ts";

// The long tests wait for a browser, a database or another process most of the time; the short ones compute.
const cores = availableParallelism();
export default defineConfig(({ mode }) => ({
  test: { projects: projects(mode), maxWorkers: mode === "full" ? Math.ceil(1.5 * cores) : cores },
}));
