import { createTestDatabase } from "@creditgate/control-plane/testing";
import { afterEach, expect, it, vi } from "vitest";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

it("fills a database, asks for sums, and drops the months that may go", {
  timeout: 60_000,
}, async () => {
  const database = await createTestDatabase();
  vi.stubEnv("DATABASE_URL", database.databaseUrl);
  vi.stubEnv("CREDITGATE_ROWS", "5000");
  vi.stubEnv("CREDITGATE_ROWS_TIMES", "1");
  vi.stubEnv("CREDITGATE_ROWS_ONLY", "sums");
  const lines: string[] = [];
  vi.spyOn(console, "log").mockImplementation((line = "") => void lines.push(String(line)));
  try {
    await (await import("../src/rows.ts")).benchmarkRows();
  } finally {
    await database.drop();
  }
  const page = lines.join("\n");
  expect(page).toMatch(/\d\d lists and sums, 1 times each/);
  expect(page).toMatch(/dropping usage_reports_\d{4}_\d\d: \d+ ms/);
  expect(page).toContain("## sums by customer, a year");
  expect(page).toContain("Execution Time");
});
