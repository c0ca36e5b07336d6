import type { EndingCell, SuiteRunner } from "@creditgate/conformance";
import { afterAll, beforeAll, describe, it } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** What the test asserted of the table of endings, for the reporter that prints it. */
    endings?: readonly EndingCell[];
  }
}

/** Runs the contract of adapters in vitest. */
export const runner: SuiteRunner = {
  // Customers are strangers to each other: what waits, waits together.
  describe: describe.concurrent,
  it: (name, body) =>
    // What does not come fails by itself, and says so; a table of endings waits some hundred times.
    it(name, { timeout: 300_000 }, async ({ task }) => {
      const endings = await body();
      if (endings !== undefined) task.meta.endings = endings;
    }),
  beforeAll,
  afterAll,
};
