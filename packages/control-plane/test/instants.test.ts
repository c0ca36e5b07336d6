import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AdminScene, openAdminScene } from "./admin-scene.ts";

let scene: AdminScene;
beforeAll(async () => {
  scene = await openAdminScene();
});
afterAll(() => scene.plane.stop());

const lists = ["usage", "ledger", "orders", "invoices", "credit-notes", "usage-refusals"].map(
  (name) => `${name}?`,
);
const sums = ["usage-sums?by=day&", "usage-series?by=agent&creditCurrencyKey=ai_credits&"];
const books = ["books/balance?journal=credits&", "books/money.csv?", "usage.csv?"];

/** Asks for all that takes a span of time; resolves what it answers. */
async function answersTo(bound: "from" | "to", instant: string): Promise<ReadonlySet<number>> {
  const statuses = new Set<number>();
  for (const path of [...lists, ...books, ...sums]) {
    const url = `${scene.plane.baseUrl}/admin/api${scene.path}/${path}${bound}=${encodeURIComponent(instant)}`;
    const { status } = await fetch(url, { headers: { authorization: "Bearer cga_a-token-for-these-tests" } });
    statuses.add(status);
  }
  return statuses;
}

describe("a span of time", () => {
  it.each(["from", "to"] as const)("is refused where PostgreSQL has no such instant: %s", async (bound) => {
    for (const instant of [
      "2026-01-01T00:00:00+16:00",
      "0001-01-01T00:00:00+23:59",
      "9999-12-31T23:59:59-23:59",
      `2026-01-01T00:00:00.${"0".repeat(300)}Z`,
    ])
      expect([instant, await answersTo(bound, instant)]).toEqual([instant, new Set([400])]);
  });

  it.each(["from", "to"] as const)(
    "may be as long as there are years, but for sums of days: %s",
    async (bound) => {
      for (const instant of ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999-15:59"])
        expect([instant, await answersTo(bound, instant)]).toEqual([instant, new Set([200, 400])]);
    },
  );
});
