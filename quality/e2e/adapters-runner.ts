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
    it(name, async ({ task }) => {
      const endings = await body();
      if (endings !== undefined) task.meta.endings = endings;
    }),
  beforeAll,
  afterAll,
};
