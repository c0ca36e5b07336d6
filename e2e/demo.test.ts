import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const demo = resolve(import.meta.dirname, "../examples/express-chat/dist/demo/main.js");
const run = promisify(execFile);

describe("npm run demo -- --once", () => {
  it("ends with nothing lost and nothing overspent, and 50 of 200 served", async () => {
    const { stdout } = await run(process.execPath, [demo, "--once"]);
    expect(stdout).toMatch(/50 served, 150 denied/);
    expect(stdout).toMatch(/lost +0\.00 /);
    expect(stdout).toMatch(/overspent +0\.00 /);
  });

  it("refuses what it does not know, and says what it takes", async () => {
    await expect(run(process.execPath, [demo, "--twice"])).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--twice"),
    });
  });
});
