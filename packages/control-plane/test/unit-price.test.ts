import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { costOf } from "../src/pricing/unit-price.ts";
import { type AdminScene, openAdminScene } from "./admin-scene.ts";
import { caller, usageOf } from "./caller.ts";

/** Less than the worker's poll, whose timer does not move with the clock. */
const second = 1_000;

let scene: AdminScene;
beforeAll(async () => {
  scene = await openAdminScene();
});
afterAll(() => scene.plane.stop());

const setPrice = (amount: number | string, currency = "EUR") =>
  scene.admin.post(`${scene.path}/currencies`, {
    creditCurrencyKey: "voice_credits",
    unitPrice: { amount, currency },
  });

/** Uses 2 credits, at the time that it is. */
async function speak(customerId: string): Promise<void> {
  const body = usageOf({ customerId, indicator: "speech" });
  expect((await caller(scene.plane)("POST", "/api/v2/usage", { body })).status).toBe(202);
  await scene.plane.settled();
}

async function invoices(): Promise<unknown[]> {
  scene.clock.time += second;
  await scene.admin.post(`${scene.path}/close-period`, { early: true });
  const { json } = await scene.admin.get(`${scene.path}/invoices`);
  return json.invoices as unknown[];
}

const newSpeaker = () =>
  scene.admin.newCustomer(scene.plane, {
    creditCurrencyKey: "voice_credits",
    kind: "postpaid",
    postpaidLimit: 0,
  });

describe("the price of a credit in money", () => {
  it("is the one in force when the usage was received: a change is not retroactive", async () => {
    const customer = await newSpeaker();
    await setPrice(10);
    scene.clock.time += second;
    await speak(customer);
    scene.clock.time += second;
    await setPrice("0.25");
    await speak(customer);
    await speak(customer);
    const [invoice] = await invoices();
    // 2 at 10, 4 at 0.25.
    expect(invoice).toMatchObject({ credits: 6, amount: 21, currency: "EUR" });
  });

  it("is the last one where money has changed, since an invoice is in one", async () => {
    const customer = await newSpeaker();
    await speak(customer);
    scene.clock.time += second;
    await setPrice(3, "CHF");
    await speak(customer);
    expect((await invoices())[0]).toMatchObject({ credits: 4, amount: 12, currency: "CHF" });
  });

  it("is bounded, so that any bill fits an invoice", async () => {
    expect((await setPrice(1_000_001)).status).toBe(400);
    expect((await setPrice(1_000_000)).status).toBe(200);
    const parts = [{ since: new Date(0), credits: 2n ** 63n - 1n }];
    const price = { validFrom: new Date(0), amount: "1000000", money: "EUR" };
    expect(costOf(parts, [price])?.amount).toBe(2n ** 63n - 1n);
  });
});
