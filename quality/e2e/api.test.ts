import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");

it("is the public API that the packages' reports show: `npm run api` writes them, for a review of the change", async () => {
  const check = ["quality/packaging/api-reports.mjs", "--check"];
  const { stdout } = await promisify(execFile)(process.execPath, check, { cwd: root }).catch(
    (error) => error,
  );
  expect(stdout).toBe("");
}, 120_000);
