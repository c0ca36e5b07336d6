import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** As it is built, since servers and workers are processes of their own. */
it("compares what a report costs in two checkouts, here in one that is both", {
  timeout: 240_000,
}, async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["quality/bench/dist/main.js", "settlement"],
    {
      cwd: root,
      env: {
        ...process.env,
        CREDITGATE_BEFORE: root,
        CREDITGATE_SETTLEMENT_TURNS: "1",
        CREDITGATE_SETTLEMENT_REPORTS: "1000",
        CREDITGATE_SETTLEMENT_MS: "100",
        CREDITGATE_SETTLEMENT_CUSTOMERS: "50",
      },
    },
  );
  expect(stdout).toContain("## 50 customers");
  expect(stdout).toMatch(/^WAL of settlement, bytes +\d+ +\d+ +\d\.\d\d +x 0\.67/m);
  expect(stdout).toMatch(/^a batch is settled after, p99, ms +\d+ +\d+/m);
});
