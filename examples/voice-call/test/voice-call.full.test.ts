import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { buildPackages } from "../../started-example.ts";

const folder = resolve(import.meta.dirname, "..");
const run = promisify(execFile);

it("prints both calls, their bills and what is left, as its README says", async () => {
  await buildPackages("examples/voice-call", "packages/control-plane");
  const { CREDITGATE_TEST_DATABASE_URL = "", ...environment } = process.env;
  // That of the test run, where there is one: else it starts its own.
  const database = CREDITGATE_TEST_DATABASE_URL && { DATABASE_URL: CREDITGATE_TEST_DATABASE_URL };
  const { stdout } = await run(process.execPath, ["start.mjs"], {
    cwd: folder,
    env: { ...environment, ...(database || {}) },
  });
  const readme = await readFile(resolve(folder, "README.md"), "utf8");
  const [, shown = ""] = /```\n(the call ended[^`]*)```/.exec(readme) ?? [];
  const [alice = "", bob = ""] = stdout.split("Bob calls");
  // Her call is as long as its recordings, to the microsecond.
  expect(alice).toContain(shown);
  expect(alice).toContain("See you on Friday!");
  expect(bob).toContain("Your credits are used up");
  expect(bob).toContain("the call ended: exhausted");
  expect(bob).not.toContain("See you on Friday!");
  expect(bob).not.toContain("not posted yet");
  const figures = /with ([\d.]+) credits[\s\S]*bill +([\d.]+) credits\n {2}balance +(-?[\d.]+) credits/;
  for (const call of [alice, bob]) {
    const [, before, bill, after] = (figures.exec(call) ?? []).map(Number);
    expect(Number(before) - Number(bill)).toBeCloseTo(Number(after), 6);
  }
});
