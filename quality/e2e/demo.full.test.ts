import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const demo = resolve(import.meta.dirname, "../../examples/express-chat/dist/demo/main.js");
const run = promisify(execFile);
/** `npm run test:demo` runs it in a cluster, too, which takes as long again. */
const isAll = process.env.CREDITGATE_DEMO === "all";
/** What it is by hand depends on how busy the machine is. */
const team = /^team +\d+ +\d+ +\d+\.00 +-?\d+\.00 +50 +150 +50\.00 +0\.00$/m;
const overspent = /^spent beyond what the wallets can pay +(?!0\.00)\d+\.\d\d ✗ +0\.00 ✓$/m;
const lost = /^served and never billed +(?!0\.00)\d+\.\d\d ✗ +0\.00 ✓$/m;
const paid = /^work that was paid for +\d\d? % ✗ +100 % ✓$/m;
const deniedWrongly = /^requests denied although the customer can pay +[1-9]\d* ✗ +0 ✓$/m;

/** A demo waits for its clients and for settlement: longer, the busier the machine. */
describe("npm run demo -- --once", { timeout: 480_000 }, () => {
  it("ends with nothing lost and nothing overspent by Creditgate, and with both by hand, on 24 lines of 80", async () => {
    const { stdout } = await run(process.execPath, [demo, "--once"]);
    expect(stdout).toMatch(team);
    expect(stdout).toMatch(overspent);
    for (const row of [paid, lost, deniedWrongly]) expect(stdout).toMatch(row);
    const lines = stdout.split("\n");
    expect(lines.filter((line) => [...line].length > 80)).toEqual([]);
    expect(lines.length).toBeLessThanOrEqual(24);
  });

  it.runIf(isAll)(
    "does the same in a cluster of four processes, one of which is killed in the midst of it",
    async () => {
      const { stdout } = await run(process.execPath, [demo, "--once", "--processes", "4"]);
      expect(stdout).toMatch(team);
      expect(stdout).toMatch(overspent);
      expect(stdout).toMatch(lost);
    },
  );

  it("refuses what it does not know, and says what it takes", async () => {
    await expect(run(process.execPath, [demo, "--twice"])).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--twice"),
    });
  });
});
