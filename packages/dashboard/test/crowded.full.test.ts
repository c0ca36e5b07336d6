import { randomUUID } from "node:crypto";
import { createClient } from "@creditgate/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserMissing } from "./browser.ts";
import { atRest, openScene, overflow, type Scene, toured, type Visit } from "./scene.ts";

const long = "W".repeat(200);
/** What turns the text after it around. */
const turned = "Acme\u202egnp.exe";
/** In a script from right to left, and of characters that are several. */
const others = [turned, "שלום".repeat(20), "👩‍👩‍👧‍👦".repeat(8), "漢字".repeat(30)];

describe.skipIf(browserMissing)("an organisation with much of everything", () => {
  let scene: Scene;
  let owner: Visit;
  const at = (path: string) =>
    new URL(`/dashboard/organizations/${scene.admin.organizationId}${path}`, scene.baseUrl).href;

  beforeAll(async () => {
    scene = await openScene();
    const { admin } = scene;
    const currency = "c".repeat(200);
    await admin.currencies.set({ creditCurrencyKey: currency });
    for (const name of [long, ...others]) {
      const externalId = name.slice(0, 60);
      await admin.customers.create({ externalId, name, city: name, email: `${"e".repeat(60)}@example.com` });
      await admin.wallets.create(externalId, {
        ...{ kind: "prepaid", creditCurrencyKey: currency, overageLimit: 999_999_999.999999 },
      });
      await admin.agents.create({ agentId: externalId, agentExternalId: externalId, agentName: name });
      await admin.apiKeys.create({ name, scopes: ["read"] });
      await admin.orders.create(
        {
          customerExternalId: externalId,
          orderName: name,
          startDate: "2026-01-31",
          lineItems: [{ agentId: "chat", platformFee: { amount: 999_999_999_999, currency: "HUF" } }],
        },
        { idempotencyKey: randomUUID() },
      );
    }
    const response = await fetch(`${scene.baseUrl}/api/v2/gates/heartbeat`, {
      method: "POST",
      headers: { "service-api-key": scene.plane.apiKey, "content-type": "application/json" },
      body: JSON.stringify({
        ...{
          gateId: randomUUID(),
          name: "G".repeat(100),
          platform: "P".repeat(100),
          version: "v".repeat(50),
        },
        ...{ startedAt: new Date().toISOString(), everyMs: 3_600_000, allowed: 9, retried: [], waiting: [] },
        ...{ denied: { ["x".repeat(50)]: 3 }, late: 0, open: 0, held: 0, queued: 0, parked: 0, dead: 0 },
      }),
    });
    expect(response.status).toBe(200);
    await createClient({ baseUrl: scene.baseUrl, apiKey: scene.plane.apiKey }).usage.report({
      ...{ agentId: "chat", indicator: "message", customerId: "cobalt-freight" },
      rawUsage: { inputTokens: 999_999_999_999 },
    });
    await scene.plane.settled();
    owner = await scene.visit("mira@harbour.ai", "/orders?show=orders", "owner");
  });
  afterAll(() => scene?.close());

  it("orders of any agent, where there are more than one answer tells", async () => {
    const { page } = owner;
    for (let number = 0; number < 101; number++) {
      const agentId = `more-${String(number).padStart(3, "0")}`;
      await scene.admin.agents.create({ agentId, agentExternalId: agentId, agentName: agentId });
    }
    await page.reload();
    await page.getByRole("button", { name: "New order" }).click();
    await page.getByRole("dialog").getByLabel("Agent").selectOption("more-100");
  });

  it("shows what would turn the text around a name, and isolates the name", async () => {
    const { page } = owner;
    const shown = "Acme[U+202E]gnp.exe";
    await page.goto(at(`/customers?search=acme`));
    await page.getByRole("link", { name: shown }).click();
    await page.getByRole("heading", { level: 1, name: shown }).locator("bdi").waitFor();
    expect(await page.title()).toContain(shown);
    await page.getByRole("button", { name: "Top up" }).first().click();
    await page.getByRole("dialog", { name: `Top up ${shown}` }).waitFor();
    await page.goto(at("/orders?show=orders"));
    await page.getByRole("row", { name: shown }).waitFor();
    expect(await page.locator("body").innerText()).not.toContain("\u202e");
  });

  const pages = [
    "/overview",
    "/customers",
    `/customers/${long.slice(0, 60)}`,
    `/customers/${long.slice(0, 60)}?show=orders`,
    "/orders",
    "/orders?show=orders",
    `/agents?agent=${long.slice(0, 60)}`,
    "/usage",
    "/gates",
    "/keys",
    "/books",
    "/budgets",
    "/webhooks",
    "/people",
    "/audit",
    "/account",
    "/start",
  ];
  it.each(toured("names", pages))("fits its window, however long its names are: %s", async (path) => {
    const { page } = owner;
    await page.goto(at(path));
    await page.getByRole("heading", { level: 1 }).waitFor();
    // What is live has a connection that stays.
    if (path !== "/usage") await atRest(page);
    for (const width of [1440, 768, 640, 320]) {
      await page.setViewportSize({ width, height: 800 });
      // A chart takes its new width a moment later.
      await expect.poll(() => overflow(page), { message: `${width} px` }).toBe(0);
      // A key figure, with its unit, would stand in the one beside it.
      const cells = await page.locator(".figures > div").all();
      const wide = cells.map((cell) => cell.evaluate((div) => div.scrollWidth - div.clientWidth));
      expect(await Promise.all(wide)).toEqual(cells.map(() => 0));
    }
    expect(owner.complaints).toEqual([]);
  });
});
