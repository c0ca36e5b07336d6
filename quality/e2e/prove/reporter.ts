import { readFileSync } from "node:fs";
import type { Reporter, TestCase } from "vitest/node";
import { conclude, type Tried } from "./promises.ts";

declare module "vitest" {
  interface TaskMeta {
    /** How often the test has tried a promise, and what came of it, for `npm run prove`. */
    measured?: { readonly times: number; readonly result?: string };
  }
}

/** Prints a line for each promise of the README. Fails the run if one is broken or was not tried. */
// biome-ignore lint/style/noDefaultExport: vitest reads it.
export default class ProveReporter implements Reporter {
  readonly #tests: Tried[] = [];
  readonly #since = performance.now();

  onTestCaseResult(test: TestCase): void {
    const { state, errors } = test.result();
    if (state === "skipped") return;
    const name = test.fullName.replaceAll(" > ", " ");
    const error = errors?.[0]?.message.split("\n")[0];
    this.#tests.push({ name, passed: state === "passed", measured: test.meta().measured, error });
  }

  onTestRunEnd(_modules: unknown, errors: readonly { readonly message: string }[]): void {
    const readme = readFileSync(new URL("../../../README.md", import.meta.url), "utf8");
    const { lines, kept } = conclude(readme, this.#tests);
    for (const line of lines) process.stdout.write(`${line}\n`);
    for (const { message } of errors) process.stdout.write(`BROKEN | ${message.split("\n")[0]}\n`);
    const seconds = Math.round((performance.now() - this.#since) / 1_000);
    process.stdout.write(`${kept ? "every promise was kept" : "a promise is broken"}, in ${seconds} s\n`);
    if (!kept) process.exitCode = 1;
  }
}
