import process from "node:process";
import { type AdapterOnTrial, type EndingCell, testAdapter as testAdapterIn } from "@creditgate/conformance";
import { afterAll, beforeAll, describe, it } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** What the test asserted of the table of endings, for the reporter that prints it. */
    endings?: readonly EndingCell[];
  }
}

/** Runs the contract of adapters in vitest. With `CREDITGATE_ENDINGS=all` the table of endings is played whole. */
export function testAdapter(name: string, trial: AdapterOnTrial): void {
  testAdapterIn(
    name,
    {
      ...trial,
      impossible: (cell) =>
        trial.impossible?.(cell) ?? (isPlayed(name, cell) ? undefined : "`npm run test:endings` plays it"),
    },
    {
      // Customers are strangers to each other: what waits, waits together.
      describe: describe.concurrent,
      it: (behaviour, body) =>
        // What does not come fails by itself, and says so; a table of endings waits some hundred times.
        it(behaviour, { timeout: 300_000 }, async ({ task }) => {
          const endings = await body();
          if (endings !== undefined) task.meta.endings = endings;
        }),
      beforeAll,
      afterAll,
    },
  );
}

/** A tenth of the cells, another one for each adapter: of thirty, three play a cell. */
function isPlayed(name: string, { request, body, ending }: Omit<EndingCell, "result">): boolean {
  if (process.env.CREDITGATE_ENDINGS === "all") return true;
  const text = `${name} | ${body} | ${ending} | ${request}`;
  return (
    [...text].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003, 0) % 10 === 0
  );
}
