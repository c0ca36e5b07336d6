import { randomUUID } from "node:crypto";
import { createClient } from "@creditgate/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserMissing } from "./browser.ts";
import { picture } from "./picture.ts";
import { accessibilityFindings, hostile, openScene, overflow, type Scene, type Visit } from "./scene.ts";
import { fillUsage } from "./usage-scene.ts";

describe.skipIf(browserMissing)("usage", () => {
  let scene: Scene;
  let reader: Visit;

  async function report(customerId: string, model: string): Promise<void> {
    const client = createClient({ baseUrl: scene.baseUrl, apiKey: scene.plane.apiKey });
    const rawUsage = { model, inputTokens: 14_068, outputTokens: 1_029 };
    await client.usage.report(
      { agentId: "chat", indicator: "message", customerId, rawUsage },
      { idempotencyKey: randomUUID() },
    );
  }
  const row = (text: string | RegExp) => reader.page.getByRole("row").filter({ hasText: text });
  const live = () => reader.page.getByRole("button", { name: "Live" });
  const path = () => `/dashboard/organizations/${scene.admin.organizationId}/usage`;
  const go = (search = "") => reader.page.goto(new URL(`${path()}${search}`, scene.baseUrl).href);

  beforeAll(async () => {
    scene = await openScene();
    await fillUsage(scene);
    reader = await scene.visit("rosa@harbour.ai", "/usage", "read");
  });
  afterAll(() => scene?.close());

  it("lists the newest reports, and shows one that comes while one looks, once, with what becomes of it", async () => {
    const { page } = reader;
    await row("cobalt-freight").first().waitFor();
    expect(await page.getByRole("row").count()).toBe(51);
    await report("dovetail", "live-1");
    await row("live-1").getByText("Debited").last().waitFor();
    expect(await row("live-1").count()).toBe(1);
    expect(await page.getByRole("row").nth(1).textContent()).toContain("live-1");
    await row("live-1").getByText("14,068").waitFor();
    await row("live-1").getByText("9.5775").waitFor();
  });

  it("shows how busy each hour of the last day was, and says so in words", async () => {
    const { page } = reader;
    await page.getByText("Reports per hour, last 24 hours").waitFor();
    const words = await page.getByRole("img", { name: /^Reports per hour/ }).getAttribute("aria-label");
    const [now = 0, most = 0] = (
      words?.replaceAll(",", "").match(/\d+(?= this hour)|(?<=most )\d+/g) ?? []
    ).map(Number);
    expect(now).toBeGreaterThan(0);
    expect(most).toBeGreaterThanOrEqual(now);
  });

  it("pauses at p, and then goes on where it was", async () => {
    const { page } = reader;
    await page.keyboard.press("p");
    await expect.poll(() => live().getAttribute("aria-pressed")).toBe("false");
    await report("kestrel", "paused-1");
    await scene.plane.settled();
    await page.getByRole("combobox", { name: "Customer" }).focus();
    await page.keyboard.type("p");
    expect(await live().getAttribute("aria-pressed")).toBe("false");
    await page.getByRole("combobox", { name: "Customer" }).fill("");
    await page.waitForURL((url) => url.search === "");
    expect(await row("paused-1").count()).toBe(0);
    await live().focus();
    await page.keyboard.press("p");
    await row("paused-1").waitFor();
    expect(await row("paused-1").count()).toBe(1);
  });

  it("shows of a report what it was reported as, and markup as what it is", async () => {
    const { page } = reader;
    await report("hostile", hostile);
    await row(hostile).getByRole("button", { name: "hostile" }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Usage report" });
    await dialog.getByText('"model": "<img').waitFor();
    await dialog.getByRole("link", { name: "hostile" }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(await page.evaluate(() => "broken" in window)).toBe(false);
    expect(await page.locator("img").count()).toBe(0);
  });

  it("finds reports by customer, agent and outcome, also those that come, and as a file", async () => {
    const { page } = reader;
    await page.getByRole("combobox", { name: "Customer" }).fill("dovetail");
    await page.keyboard.press("Enter");
    await page.waitForURL(/customer=dovetail/);
    await row("kestrel").first().waitFor({ state: "detached" });
    await page.getByLabel("Agent").selectOption("Support chat");
    await page.getByLabel("Indicator").selectOption("message");
    await page.waitForURL(/indicator=message/);
    expect(await page.getByRole("link", { name: "CSV" }).getAttribute("href")).toMatch(
      /\/usage\.csv\?customerId=dovetail&agentId=chat&indicator=message$/,
    );
    await row("live-1").waitFor();
    await report("kestrel", "not-asked-for");
    await report("dovetail", "asked-for");
    await row("asked-for").first().waitFor();
    expect(await row("not-asked-for").count()).toBe(0);
    await page.getByLabel("Outcome").selectOption("No wallet");
    await page.getByText("No matching reports").waitFor();
  });

  it("leads to older reports, which stand still", async () => {
    await go();
    const { page } = reader;
    await row("asked-for").first().waitFor();
    await page.getByRole("button", { name: "Next" }).click();
    await page.waitForURL(/cursor=/);
    await row("asked-for").first().waitFor({ state: "detached" });
    expect(await live().count()).toBe(0);
    await page.getByRole("button", { name: "First page" }).click();
    await row("asked-for").first().waitFor();
    await live().waitFor();
  });

  it("sums by hour, day, agent, indicator and customer", async () => {
    const { page } = reader;
    await page.getByRole("button", { name: "By agent" }).click();
    await page.getByRole("row", { name: /^phone [\d,]+ [\d,.]+ ai_credits/ }).waitFor();
    await page.getByRole("button", { name: "By customer" }).click();
    await page.getByRole("row", { name: /^cobalt-freight/ }).waitFor();
    await page.getByRole("button", { name: "By indicator" }).click();
    await page.getByRole("row", { name: /^draft draft/ }).waitFor();
    for (const by of ["By day", "By hour"]) {
      await page.getByRole("button", { name: by }).click();
      await page
        .getByRole("row", { name: /ai_credits/ })
        .first()
        .waitFor();
    }
    await picture(page, "usage-sums");
    expect(await accessibilityFindings(page)).toEqual([]);
  });

  it("says where reports do not come by themselves, and tries again", async () => {
    const { page } = reader;
    await page.route("**/usage-feed*", (route) =>
      route.fulfill({
        status: 403,
        contentType: "application/problem+json",
        body: '{"code":"role_missing"}',
      }),
    );
    await go();
    await page.getByText("Live updates have stopped.").waitFor();
    await row("asked-for").first().waitFor();
    await page.unroute("**/usage-feed*");
    await page.getByRole("button", { name: "Try again" }).click();
    await report("dovetail", "again-1");
    await row("again-1").waitFor();
  });

  it("is led to from the health line of each page", async () => {
    const { page } = reader;
    await page.getByRole("link", { name: "Customers", exact: true }).first().click();
    await page.getByRole("heading", { level: 1, name: "Customers" }).waitFor();
    await page.locator("a.health").click();
    await page.getByRole("heading", { level: 1, name: "Usage" }).waitFor();
  });

  it.each(["light", "dark"] as const)("is accessible in the %s theme, and fits 320 px", async (theme) => {
    const { page } = reader;
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    await page.setViewportSize({ width: 1440, height: 900 });
    await go();
    await row("again-1").waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await picture(page, `usage-${theme}`);
    await page.setViewportSize({ width: 320, height: 800 });
    expect(await overflow(page)).toBe(0);
    expect(await accessibilityFindings(page)).toEqual([]);
    await picture(page, `usage-phone-${theme}`);
  });

  it("has broken its policy nowhere, and met no error", () => {
    expect(reader.complaints).toEqual([]);
  });
});
