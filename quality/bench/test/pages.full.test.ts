import { existsSync } from "node:fs";
import process from "node:process";
import { createTestDatabase } from "@creditgate/control-plane/testing";
import { afterEach, expect, it, vi } from "vitest";
import { executablePath } from "../src/pages/browser.ts";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const hasBrowser = existsSync(executablePath) || process.env.CI === "true";

it.skipIf(!hasBrowser)(
  "opens every page, and tells how long it took and how much of it moved",
  {
    timeout: 180_000,
  },
  async () => {
    const database = await createTestDatabase();
    vi.stubEnv("DATABASE_URL", database.databaseUrl);
    vi.stubEnv("CREDITGATE_ROWS", "5000");
    vi.stubEnv("CREDITGATE_PAGES_TIMES", "1");
    vi.stubEnv("CREDITGATE_PAGES_BUILT", "1");
    const lines: string[] = [];
    vi.spyOn(console, "log").mockImplementation((line = "") => void lines.push(String(line)));
    try {
      await (await import("../src/pages.ts")).benchmarkPages();
    } finally {
      await database.drop();
    }
    const page = lines.join("\n");
    expect(page).toContain("1000 customers, 5000 reports");
    expect(page).toMatch(/customers, search +\d+ +\d+ +\d\.\d{3}/);
    expect(page).toMatch(/\d\d pages, 1 times each/);
    expect(page).toMatch(/first load, gzipped: \d+\.\d kB of at most 250/);
  },
);
