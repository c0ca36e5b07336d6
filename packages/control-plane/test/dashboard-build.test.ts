import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { locateDashboard } from "../src/dashboard/routes.ts";

it("finds the pages, and says what to do where they are not built, or not installed", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "creditgate-dashboard-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const look = () => locateDashboard(() => path.join(folder, "package.json"));
  expect(look()).toEqual({ fix: "npm run build:dashboard" });
  const site = path.join(folder, "dist/site");
  await mkdir(site, { recursive: true });
  await writeFile(path.join(site, "index.html"), "");
  expect(look()).toEqual({ folder: site });
  const missing = () => {
    throw new Error("Cannot find module");
  };
  expect(locateDashboard(missing)).toEqual({ fix: "npm install @creditgate/dashboard" });
});
