import { randomUUID } from "node:crypto";
import { createClient, type HeartbeatRequest } from "@creditgate/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserMissing } from "./browser.ts";
import { picture } from "./picture.ts";
import {
  accessibilityFindings,
  hostile,
  layoutShift,
  openScene,
  overflow,
  password,
  type Scene,
  type Visit,
} from "./scene.ts";
import { fillUsage, holdUsage } from "./usage-scene.ts";

describe.skipIf(browserMissing)("the overview", () => {
  let scene: Scene;
  let reader: Visit;
  const overview = (search = "") =>
    new URL(`/dashboard/organizations/${scene.admin.organizationId}/overview${search}`, scene.baseUrl).href;

  beforeAll(async () => {
    scene = await openScene();
    await fillUsage(scene);
  });
  afterAll(() => scene?.close());

  it("is where a member begins", async () => {
    reader = await scene.open(await scene.invite("rosa@harbour.ai", "read"));
    const { page } = reader;
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    expect(page.url()).toBe(overview());
    await page
      .getByRole("navigation", { name: "Main" })
      .getByRole("link", { name: "Overview", exact: true })
      .waitFor();
  });

  it("shows what is used by agent and by customer, in a picture with words and in a table", async () => {
    const { page } = reader;
    const chart = page.getByRole("img", { name: /^Credits used in ai_credits by agent, 30 days: / });
    await chart.waitFor();
    const usage = await scene.admin.overview.usage({ by: "agent", creditCurrencyKey: "ai_credits" });
    const [first] = usage.series;
    await page.getByText("Show as a table").click();
    const rows = page.getByRole("group").getByRole("row");
    expect(await rows.count()).toBe(31);
    const today = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 6 });
    await expect.poll(() => rows.nth(1).textContent()).toContain(today.format(first?.values.at(-1) ?? 0));
    await page.getByText("Show as a table").click();
    await page.getByRole("button", { name: "Customers", exact: true }).click();
    await page.getByRole("img", { name: /by customer, 30 days/ }).waitFor();
    await page.getByRole("button", { name: "24 h" }).click();
    await page.getByRole("img", { name: /by customer, 24 hours/ }).waitFor();
    expect(page.url()).toMatch(/[?&]period=24h/);
    expect(page.url()).toMatch(/[?&]by=customer/);
    await page.getByRole("button", { name: "30 d" }).click();
  });

  it("shows who used most, and leads to them", async () => {
    const { page } = reader;
    const most = page.getByRole("region", { name: "Top customers" });
    await most.getByRole("link", { name: "Brightwater Clinics" }).click();
    await page.getByRole("heading", { name: "Brightwater Clinics" }).waitFor();
    await page.goBack();
    await most.getByRole("link", { name: "Brightwater Clinics" }).waitFor();
  });

  it("names wallets that are out of credits or near their end, and leads to each", async () => {
    const { page } = reader;
    const attention = page.getByRole("region", { name: "Needs attention" });
    await attention.getByRole("heading", { name: "Urgent: Kestrel Media is out of credits" }).waitFor();
    await attention.getByRole("heading", { name: "Soon: Brightwater Clinics is low on credits" }).waitFor();
    expect(
      await attention
        .getByRole("link", { name: "Open: Kestrel Media is out of credits" })
        .getAttribute("href"),
    ).toBe(`/dashboard/organizations/${scene.admin.organizationId}/customers/kestrel?wallet=ai_credits`);
  });

  it("tells on each page how settlement is, and when it is late", async () => {
    const { page } = reader;
    await page.getByText("All usage settled").first().waitFor();
    const letGo = await holdUsage(scene);
    await page.reload();
    await page
      .getByRole("link", { name: /Settlement delayed\s*3 reports unsettled, oldest \d+ s/ })
      .waitFor();
    await page.getByRole("heading", { name: /Soon: 3 reports unsettled, oldest/ }).waitFor();
    await picture(page, "overview-late");
    await letGo();
  });

  it.each(["light", "dark"] as const)(
    "has no serious finding in the %s theme, fits 320 px, and moves nothing",
    async (theme) => {
      const { page } = reader;
      await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.goto(overview());
      await page.getByRole("img", { name: /^Credits used/ }).waitFor();
      await page.getByRole("img", { name: /^Settlement lag/ }).waitFor();
      await page
        .getByRole("region", { name: "Top customers" })
        .getByRole("link", { name: "Brightwater" })
        .waitFor();
      expect(await layoutShift(page)).toBeLessThanOrEqual(0.05);
      expect(await accessibilityFindings(page)).toEqual([]);
      await picture(page, `overview-${theme}`);
      await page.getByRole("figure").first().hover();
      await picture(page, `overview-hover-${theme}`);
      await page.setViewportSize({ width: 320, height: 800 });
      await page.getByRole("img", { name: /^Credits used/ }).waitFor();
      expect(await overflow(page)).toBe(0);
      expect(await accessibilityFindings(page)).toEqual([]);
      await picture(page, `overview-phone-${theme}`);
    },
  );

  it("works by keyboard alone", async () => {
    const { page } = reader;
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole("button", { name: "7 d" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("img", { name: /7 days/ }).waitFor();
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("30 d");
  });

  it("shows a name that is markup as what it is", async () => {
    const { page } = reader;
    await scene.admin.agents.edit("chat", { agentName: hostile });
    await page.goto(overview());
    await page.getByText("Show as a table").click();
    await page.getByTitle(hostile).waitFor();
    expect(await page.evaluate(() => "broken" in window)).toBe(false);
  });

  it("says what comes here where nothing has been used yet", async () => {
    const { organizationId } = await scene.operator.organizations.create({ name: "Empty" });
    const { link } = await scene.operator
      .organization(organizationId)
      .members.invite({ email: "emil@example.com", roles: ["read"] });
    const member = await scene.open(link);
    const { page } = member;
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("heading", { name: "Set up your first gated request" }).waitFor();
    await page.getByRole("link", { name: "Overview" }).first().click();
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    // React Aria announces the button that was pending by an element without a name, for some seconds.
    await page.reload();
    await page.getByRole("heading", { name: "No usage yet" }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    expect(member.complaints).toEqual([]);
  });

  it("leads to the usage that is not billed", async () => {
    const { page } = reader;
    await scene.admin.customers.create({ externalId: "no-wallet", name: "No Wallet" });
    const client = createClient({ baseUrl: scene.baseUrl, apiKey: scene.plane.apiKey });
    await client.usage.report({
      ...{ agentId: "chat", indicator: "message", customerId: "no-wallet" },
      rawUsage: { model: "unpaid" },
    });
    await scene.plane.settled();
    await page.goto(overview());
    await page.getByRole("link", { name: "Open: 1 report has no wallet" }).click();
    await page.waitForURL(/usage\?outcome=wallet_missing/);
    await page.getByRole("row", { name: /no-wallet.*unpaid.*No wallet/ }).waitFor();
  });

  it("tells what gates have denied, by reason, beside what is not billed", async () => {
    const { page } = reader;
    const denials = page.getByRole("region", { name: "Denials, by reason" });
    expect(await denials.count()).toBe(0);
    const gate: HeartbeatRequest = {
      ...{ gateId: randomUUID(), name: "web-eu", platform: "Express", version: "0.1.0" },
      ...{ startedAt: new Date().toISOString(), everyMs: 3_600_000, allowed: 90 },
      ...{ denied: { insufficient_credits: 9, upstream_unavailable: 1 }, late: 0, open: 0, held: 0 },
      ...{ queued: 0, parked: 0, dead: 0, retried: [], waiting: [] },
    };
    await fetch(`${scene.baseUrl}/api/v2/gates/heartbeat`, {
      method: "POST",
      headers: { "service-api-key": scene.plane.apiKey, "content-type": "application/json" },
      body: JSON.stringify(gate),
    });
    await page.goto(overview());
    await denials.getByText("10 in 24 h").waitFor();
    await denials
      .getByRole("listitem")
      .filter({ hasText: "Not enough credits" })
      .getByText("90.0 %")
      .waitFor();
    await page.getByRole("region", { name: "Unbilled usage, by reason" }).waitFor();
    expect(await layoutShift(page)).toBeLessThanOrEqual(0.05);
    expect(await accessibilityFindings(page)).toEqual([]);
  });

  it("has broken its policy nowhere, and met no error", () => {
    expect(reader.complaints).toEqual([]);
  });
});
