import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { usualLimits } from "../src/limits/limits.ts";
import { openWallets } from "../src/wallets/opening.ts";
import { acme } from "./fixture.ts";
import { openScene, type Scene } from "./scene.ts";

const mostWallets = usualLimits.walletsOfCustomer;

let scene: Scene;
beforeEach(async () => {
  scene = await openScene(acme);
});
afterEach(() => scene.close());

const open = (prefix: string, count: number): Promise<number> =>
  scene.database.transaction().execute((transaction) =>
    openWallets(
      transaction,
      Array.from({ length: count }, (_, index) => ({
        orgId: scene.orgId,
        customerId: "bob",
        currency: `${prefix}_${index}`,
      })),
      new Date(scene.clock.now()),
    ),
  );

async function wallets(): Promise<number | undefined> {
  const { rows } = await scene.pool.query<{ count: number }>(
    "select count(*)::int as count from wallets where customer_id = 'bob'",
  );
  return rows[0]?.count;
}

describe("openWallets", () => {
  it("refuses what would give a customer more than the bound, in words, and leaves what is there usable", async () => {
    expect(await open("a", mostWallets)).toBe(mostWallets);
    await expect(open("b", 1)).rejects.toMatchObject({
      status: 422,
      code: "too_many_wallets",
      message: expect.stringContaining(
        'expected at most 500 wallets of the customer (limit walletsOfCustomer), received 501 for "bob"',
      ),
    });
    expect(await open("a", mostWallets)).toBe(0);
    expect(await wallets()).toBe(mostWallets);
  });

  it("holds the bound where many open at once", async () => {
    await open("a", mostWallets - 1);
    const outcomes = await Promise.allSettled(["b", "c", "d", "e"].map((prefix) => open(prefix, 1)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await wallets()).toBe(mostWallets);
  });
});
