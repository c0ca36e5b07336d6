import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserMissing } from "./browser.ts";
import { picture } from "./picture.ts";
import { accessibilityFindings, hostile, openScene, overflow, type Scene, type Visit } from "./scene.ts";

describe.skipIf(browserMissing)("the audit log", () => {
  let scene: Scene;
  let money: Visit;
  let reader: Visit;
  const path = () => `/dashboard/organizations/${scene.admin.organizationId}/audit`;
  const row = (text: string | RegExp) => reader.page.getByRole("row").filter({ hasText: text });

  beforeAll(async () => {
    scene = await openScene();
    const { admin } = scene;
    await admin.agents.edit("chat", { agentName: hostile, agentDescription: "Answers questions" });
    await admin.customers.create({ externalId: "zoe", name: "Zoe" });
    await admin.wallets.correct(
      { customerId: "hostile", creditCurrencyKey: "ai_credits", credits: 1, reason: hostile },
      { idempotencyKey: "correction" },
    );
    money = await scene.visit("mira@harbour.ai", "/customers", "money");
    const { page } = money;
    await page.evaluate(
      (id) =>
        fetch(`/admin/api/organizations/${id}/customers/dovetail/wallets/ai_credits/limits`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ overageLimit: 750 }),
        }),
      admin.organizationId,
    );
    for (let count = 0; count < 60; count += 1)
      await admin.customers.create({ externalId: `c${count}`, name: "C" });
    reader = await scene.visit("rosa@harbour.ai", "/audit", "read");
  });
  afterAll(() => scene?.close());

  it("lists who did what, the newest first, part by part", async () => {
    const { page } = reader;
    await row("Member joined").first().waitFor();
    await row(/Customer created.*c59.*admin token test/).waitFor();
    expect(await page.getByRole("row").count()).toBe(51);
    await page.getByRole("button", { name: "Next" }).click();
    await page.waitForURL(/cursor=/);
    await row(/Wallet limits changed.*dovetail, ai_credits.*mira@harbour.ai/).waitFor();
    await page.getByRole("button", { name: "First page" }).click();
    await row("c59").waitFor();
  });

  it("finds changes by who made them, what they were, and when", async () => {
    const { page } = reader;
    await page.getByRole("searchbox").fill("mira@harbour.ai");
    await page.waitForURL(/who=mira/);
    await row("c59").waitFor({ state: "detached" });
    await row("Wallet limits changed").waitFor();
    await page.getByLabel("Action").selectOption("Member joined");
    await row("Wallet limits changed").waitFor({ state: "detached" });
    await row("Member joined").waitFor();
    await page.getByLabel("Date from").fill("2020-01-01");
    await page.getByLabel("Date to").fill("2020-01-02");
    await page.getByText("No matching audit records").waitFor();
    await page.goto(new URL(`${path()}?action=agent.edit`, scene.baseUrl).href);
    await row("Agent changed").waitFor();
    expect(await page.getByRole("row").count()).toBe(2);
  });

  it("tells each field before and after, by keyboard, and markup as what it is", async () => {
    const { page } = reader;
    await row("Agent changed").getByRole("button").focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Agent changed" });
    await dialog.getByRole("row", { name: `agentName Support chat ${hostile}` }).waitFor();
    await dialog.getByRole("row", { name: "agentDescription none Answers questions" }).waitFor();
    expect(await dialog.getByRole("row").count()).toBe(3);
    await picture(page, "audit-record");
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(await page.evaluate(() => "broken" in window)).toBe(false);
    expect(await page.locator("img").count()).toBe(0);
  });

  it("is a file, of this organisation, with the filters that are set", async () => {
    const { page } = reader;
    await page.goto(new URL(`${path()}?action=wallet.correction`, scene.baseUrl).href);
    await row("Credits corrected").waitFor();
    const started = page.waitForEvent("download");
    await page.getByRole("link", { name: "CSV" }).click();
    const text = await readFile(await (await started).path(), "utf8");
    expect(text.trim().split("\n")).toHaveLength(2);
    expect(text).toContain("wallet.correction");
  });

  it.each(["light", "dark"] as const)("is accessible in the %s theme, and fits 320 px", async (theme) => {
    const { page } = reader;
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(new URL(path(), scene.baseUrl).href);
    await row("c59").waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await picture(page, `audit-${theme}`);
    await page.setViewportSize({ width: 320, height: 800 });
    expect(await overflow(page)).toBe(0);
    expect(await accessibilityFindings(page)).toEqual([]);
    await picture(page, `audit-phone-${theme}`);
    await row("c59").getByRole("button").click();
    await page.getByRole("dialog").waitFor();
    expect(await overflow(page)).toBe(0);
    await page.keyboard.press("Escape");
  });

  it("has broken its policy nowhere, and met no error", () => {
    expect([...money.complaints, ...reader.complaints]).toEqual([]);
  });
});
