import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import projects from "./vitest.workspace.ts";

// More than there are cores: most files wait for a browser, a database or another process.
const maxWorkers = Math.ceil(1.5 * availableParallelism());
export default defineConfig(({ mode }) => ({ test: { projects: projects(mode), maxWorkers } }));
