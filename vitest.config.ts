import { defineConfig } from "vitest/config";
import projects from "./vitest.workspace.ts";

// All cores: vitest would leave one idle, which on two is half the machine.
export default defineConfig(({ mode }) => ({ test: { projects: projects(mode), maxWorkers: "100%" } }));
