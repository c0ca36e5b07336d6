import { createClient } from "@creditgate/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserMissing } from "./browser.ts";
import { picture } from "./picture.ts";
import {
  accessibilityFindings,
  expectAccessible,
  openScene,
  overflow,
  type Scene,
  type Visit,
} from "./scene.ts";

describe.skipIf(browserMissing)("the page of a customer", () => {
  let scene: Scene;
  let owner: Visit;
  const customer = (rest = "") =>
    new URL(`/dashboard/organizations/${scene.admin.organizationId}/customers/dovetail${rest}`, scene.baseUrl)
      .href;

  beforeAll(async () => {
    scene = await openScene();
    const { admin, plane } = scene;
    await admin.orders.create(
      {
        customerExternalId: "dovetail",
        orderName: "Plus extra",
        startDate: "2026-01-31",
        lineItems: [
          {
            agentId: "chat",
            platformFee: { amount: 18_000, currency: "EUR" },
            creditBenefits: [{ credit_currency_key: "ai_credits", credits: 2_000 }],
          },
        ],
      },
      { idempotencyKey: "plus" },
    );
    const client = createClient({ baseUrl: plane.baseUrl, apiKey: plane.apiKey });
    await client.usage.report(
      { customerId: "dovetail", agentId: "chat", indicator: "message", rawUsage: { inputTokens: 2_000 } },
      { idempotencyKey: "one" },
    );
    await plane.settled();
    owner = await scene.visit("mira@harbour.ai", "/customers/dovetail", "owner");
  });
  afterAll(() => scene?.close());

  it("shows what is due, what was used this month by whom, and orders and invoices beside the statement", async () => {
    const { page } = owner;
    await page.getByText("Payment due.").waitFor();
    await page.getByText(/€180\.00.*has been open since today/).waitFor();
    await page.getByRole("img", { name: /Credits used a day.*2\.00 in all/ }).waitFor();
    await page.getByRole("row", { name: /chat message 1 2\.00/ }).waitFor();
    await page.getByText("Starts when its invoice is paid").waitFor();
    await page.getByRole("row", { name: /Usage .*−2\.00/ }).waitFor();
    await page.getByRole("row", { name: /INV-1 .*\+2,000\.00/ }).waitFor();
    expect(await page.getByRole("link", { name: "CSV" }).getAttribute("href")).toContain(
      "/ledger.csv?customerId=dovetail&creditCurrencyKey=ai_credits",
    );
    await page.getByLabel("Wallet", { exact: true }).selectOption("voice_minutes");
    await page.getByRole("heading", { name: "Statement of voice_minutes" }).waitFor();
    await page.getByLabel("Wallet", { exact: true }).selectOption("ai_credits");
  });

  it("shows usage, orders and voice sessions each in a part of its own", async () => {
    const { page } = owner;
    const tabs = page.getByRole("navigation", { name: "Customer" });
    await tabs.getByRole("link", { name: "Usage" }).click();
    await page.getByRole("row", { name: /chat message 2\.00 .*Debited/ }).waitFor();
    await tabs.getByRole("link", { name: "Orders and invoices" }).click();
    await page.getByRole("row", { name: /INV-1 .*€180\.00/ }).waitFor();
    await page.getByRole("row", { name: /Plus extra .*Pending/ }).waitFor();
    await tabs.getByRole("link", { name: "Voice sessions" }).click();
    await page.getByText("No open calls").waitFor();
  });

  it("pays an invoice where it is due", async () => {
    const { page } = owner;
    await page.goto(customer());
    await page.getByRole("button", { name: "Mark as paid INV-1" }).click();
    await page.getByRole("button", { name: "Mark €180.00 as paid" }).click();
    await page.getByText("2,000.00 ai_credits available.").waitFor();
    await page.getByText("Payment due.").waitFor({ state: "detached" });
  });

  it.each(["light", "dark"] as const)("is accessible in the %s theme, and fits 320 px", async (theme) => {
    const { page } = owner;
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    for (const show of ["", "?show=usage", "?show=orders", "?show=voice"]) {
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.goto(customer(show));
      const shown = page.getByText(show === "?show=voice" ? "No open calls" : /^(Usage|INV-1|chat) ?/);
      await shown.first().waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
      await picture(page, `customer${show.replace("?show=", "-")}-${theme}`);
      await page.setViewportSize({ width: 320, height: 800 });
      expect(await overflow(page)).toBe(0);
      await picture(page, `customer${show.replace("?show=", "-")}-phone-${theme}`);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it("is accessible in the dark theme, as are the list of customers and the sign-in, and fits 320 px", () =>
    expectAccessible(scene, owner, "dark"));

  it("orders credits by itself where it is told to, and ends that again", async () => {
    const { page } = owner;
    await page.goto(customer().replace("dovetail", "greenline"));
    const button = page.getByRole("button", { name: "Auto top-up of ai_credits" });
    await button.click();
    const dialog = page.getByRole("dialog", { name: "Auto top-up of ai_credits" });
    await dialog.getByText("Auto top-up is off.", { exact: false }).waitFor();
    expect(await dialog.getByRole("button", { name: "Save auto top-up" }).isDisabled()).toBe(true);
    await dialog.getByLabel("Top up below").fill("10");
    await dialog.getByLabel("Credits to add").fill("1,000.5");
    await dialog.getByLabel("Price", { exact: true }).fill("49.999");
    await dialog.getByText("Enter an amount above 0, such as 49.00").waitFor();
    await dialog.getByLabel("Price", { exact: true }).fill("49.90");
    await dialog
      .getByText("credits are available, 1,000.50 are ordered for €49.90, at most 3 times")
      .waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Save auto top-up" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByText("1,000.50 below 10.00").waitFor();
    const setting = async () => (await scene.admin.wallets.get("greenline", "ai_credits")).autoTopUp;
    expect(await setting()).toEqual({
      ...{ below: 10, credits: 1_000.5, maxPerPeriod: 3 },
      price: { amount: 4_990, currency: "EUR" },
    });
    await button.click();
    await dialog.getByLabel("Top up below").fill("");
    await dialog.getByText("No more orders are created.", { exact: false }).waitFor();
    await dialog.getByRole("button", { name: "Turn off auto top-up" }).click();
    await page.getByText("1,000.50 below 10.00").waitFor({ state: "detached" });
    expect(await setting()).toBeNull();
  });

  it("edits a customer, and erases what is personal once the ID is typed; the books stay", async () => {
    const { page } = owner;
    await page.goto(customer());
    await page.getByRole("button", { name: "More for Dovetail Studio" }).click();
    await page.getByRole("menuitem", { name: "Edit customer" }).click();
    await page.getByLabel("City (optional)").fill("Lisbon");
    await page.getByLabel("Country (optional)").fill("pt");
    await page.getByLabel("Billing address (optional)").fill("Rua Augusta 1\n1100-048");
    await page.getByLabel("Tax ID (optional)").fill("PT501964843");
    await page.getByLabel("Language (optional)").fill("no_tag");
    await page.getByText("Enter a language tag, such as pt-PT").waitFor();
    await page.getByLabel("Language (optional)").fill("pt-PT");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("Rua Augusta 1, 1100-048, Lisbon, PT").waitFor();
    await page.getByText("Tax ID PT501964843").waitFor();
    await page.getByText("pt-PT", { exact: true }).waitFor();
    // As it goes, it gives the focus back to where it was.
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "More for Dovetail Studio" }).focus();
    await page.keyboard.press("Enter");
    await page.locator('[role="menuitem"]:focus').waitFor();
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByText(/Financial records are kept/).waitFor();
    await picture(page, "erase-light");
    expect(await accessibilityFindings(page)).toEqual([]);
    const confirm = dialog.getByRole("button", { name: "Erase personal data" });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByLabel("Enter the customer ID to confirm").fill("dovetail");
    await confirm.click();
    await page.getByRole("heading", { name: "erased", exact: true }).waitFor();
    expect(await page.getByText("Lisbon").count()).toBe(0);
    await page.getByRole("row", { name: /Usage .*−2\.00/ }).waitFor();
    expect(owner.complaints).toEqual([]);
  });

  it("shows which credits expire when, and what those that recur give next", async () => {
    const { page } = owner;
    const grant = { customerId: "greenline", creditCurrencyKey: "ai_credits", reason: "trial" } as const;
    await page.goto(customer("?show=credits").replace("dovetail", "greenline"));
    await page.getByText("No expiring credits").waitFor();
    await page.getByText("No recurring credits").waitFor();
    const give = async (credits: number, more: { expiresAt?: string; effectiveAt?: string }) =>
      scene.admin.grants.create(
        { ...grant, credits, source: "promotion", ...more },
        { idempotencyKey: `grant-${credits}` },
      );
    await give(300, { expiresAt: "2098-05-01T00:00:00Z" });
    await give(150, { expiresAt: "2097-05-01T00:00:00Z", effectiveAt: "2096-05-01T00:00:00Z" });
    await scene.admin.allowances.create(
      { ...grant, credits: 500, every: "month", rollover: 100, source: "purchase" },
      { idempotencyKey: "allowance" },
    );
    await page.reload();
    const expiring = page.getByRole("table", { name: /Credits that expire/ });
    await expiring.getByRole("row", { name: /150\.00 *of 150\.00 .*2097.*Scheduled.*2096/ }).waitFor();
    const amounts = await expiring.getByRole("row").allInnerTexts();
    // What recurs expires within a month.
    expect(amounts.slice(1).map((text) => /of ([\d.,]+)/.exec(text)?.[1])).toEqual([
      "500.00",
      "150.00",
      "300.00",
    ]);
    await page
      .getByRole("row", {
        name: /each month, up to 100\.00 roll over *\+500\.00 .*100\.00 *of 500\.00 left *Purchase/,
      })
      .waitFor();
    await picture(page, "customer-credits");
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 800 });
    expect(await overflow(page)).toBe(0);
    await picture(page, "customer-credits-phone");
    await page.setViewportSize({ width: 1440, height: 900 });
  });
});
