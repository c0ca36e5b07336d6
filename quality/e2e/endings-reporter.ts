import type { Reporter, TestCase } from "vitest/node";
import "./adapters-runner.ts";

/**
 * Prints which cell of the table method × body × ending × adapter asserted what, as the tests of the run resolved to it. Fails
 * the run if a cell is empty.
 */
// biome-ignore lint/style/noDefaultExport: vitest reads it.
export default class EndingsReporter implements Reporter {
  /** The adapters' results by the name of their cell. */
  readonly #rows = new Map<string, Map<string, string>>();
  readonly #adapters: string[] = [];

  onTestCaseResult(test: TestCase): void {
    const { endings } = test.meta();
    const { parent } = test;
    if (endings === undefined || parent.type !== "suite") return;
    const adapter = parent.name.replace("the adapter contract: ", "");
    if (!this.#adapters.includes(adapter)) this.#adapters.push(adapter);
    for (const { request, body, ending, result } of endings) {
      const name = `${body} | ${ending} | ${request}`;
      const row = this.#rows.get(name) ?? new Map<string, string>();
      this.#rows.set(name, row.set(adapter, result));
    }
  }

  onTestRunEnd(): void {
    const keys = new Map<string, string>();
    const keyOf = (result: string): string => {
      const key = keys.get(result) ?? String(keys.size + 1);
      keys.set(result, key);
      return key;
    };
    const adapters = this.#adapters.sort();
    let empty = adapters.length === 0 ? 1 : 0;
    const lines = [...this.#rows].sort().map(([name, row]) => {
      const cells = adapters.map((adapter) => {
        const result = row.get(adapter);
        if (result === undefined) empty++;
        return (result === undefined ? "?" : keyOf(result)).padStart(2);
      });
      return `| ${name.padEnd(96)} | ${cells.join(" | ")} |`;
    });
    const columns = adapters.map((_, column) => letters.charAt(column).padStart(2));
    const print = (line: string) => process.stdout.write(`${line}\n`);
    adapters.forEach((adapter, column) => {
      print(`${columns[column]}  ${adapter}`);
    });
    for (const [result, key] of keys) print(`${key.padStart(2)}  ${result}`);
    print(`| ${"body | ending | request".padEnd(96)} | ${columns.join(" | ")} |`);
    for (const line of lines) print(line);
    print(`${lines.length} rows × ${adapters.length} adapters, ${empty} empty`);
    if (empty > 0) process.exitCode = 1;
  }
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
