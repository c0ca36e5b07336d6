import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { browserMissing } from "./browser.ts";
import { picture } from "./picture.ts";
import { accessibilityFindings, openScene, password, type Scene, type Visit } from "./scene.ts";

describe.skipIf(browserMissing)("a control plane that does not answer for a while", () => {
  let scene: Scene;
  let owner: Visit;
  const api = (path: string) => `/admin/api/organizations/${scene.admin.organizationId}${path}`;
  const available = async () => (await scene.admin.wallets.get("hostile", "ai_credits")).available;

  beforeAll(async () => {
    scene = await openScene();
    owner = await scene.visit("mira@harbour.ai", "/customers/hostile", "owner");
    await owner.page.clock.install();
  });
  afterEach(() => scene.plane.faults.restore());
  afterAll(() => scene?.close());

  it("leaves a dialog of money open, which adds the credits once", async () => {
    const { page } = owner;
    const before = await available();
    await page.getByRole("button", { name: "Top up" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Credits").fill("100");
    // It is carried out, and its answer is lost.
    await page.route(`**${api("/top-ups")}`, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await dialog.getByRole("button", { name: "Top up 100.00 credits" }).click();
    await dialog.getByText("The top-up is not confirmed.").waitFor();
    scene.plane.faults.unavailable(500);
    await lookAway(page);
    await outlast(page, page.getByText(/The customer could not be loaded|This data may be out of date/));
    await page.unrouteAll();
    scene.plane.faults.restore();
    await dialog.getByLabel("Credits").fill("200");
    await dialog.getByRole("button", { name: "Top up 200.00 credits" }).click();
    await dialog.getByText("This was already submitted with other values").waitFor();
    await dialog.getByLabel("Credits").fill("100");
    await dialog.getByRole("button", { name: "Top up 100.00 credits" }).click();
    await page.getByText("100.00 credits added").waitFor();
    expect(await available()).toBe(before + 100);
  });

  it("signs in again above a dialog whose session has ended, and keeps what was typed", async () => {
    const { page, context } = owner;
    const before = await available();
    await page.getByRole("button", { name: "Top up" }).click();
    const dialog = page.getByRole("dialog", { name: /^Top up/ });
    await dialog.getByLabel("Credits").fill("150");
    await dialog.getByLabel("Reason").fill("Paid by bank transfer");
    await context.clearCookies();
    await dialog.getByRole("button", { name: "Top up 150.00 credits" }).click();
    const again = page.getByRole("dialog", { name: "Your session has ended" });
    await again.waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await picture(page, "session-ended");
    await again.getByLabel("Password").fill("not the sentence");
    await page.keyboard.press("Enter");
    await again.getByText("The email or the password is wrong.").waitFor();
    await again.getByLabel("Password").fill(password);
    await page.keyboard.press("Enter");
    await again.waitFor({ state: "detached" });
    await expect.poll(() => dialog.getByLabel("Credits").inputValue()).toBe("150");
    expect(await dialog.getByLabel("Reason").inputValue()).toBe("Paid by bank transfer");
    await dialog.getByRole("button", { name: "Top up 150.00 credits" }).click();
    await page.getByText("150.00 credits added").waitFor();
    expect(await available()).toBe(before + 150);
  });

  it("leaves open what is shown once", async () => {
    const { page } = owner;
    await page.goto(new URL(`/dashboard${api("/keys").slice("/admin/api".length)}`, scene.baseUrl).href);
    await page.getByRole("button", { name: "New key" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("chat server");
    await dialog.getByRole("button", { name: "Create key" }).click();
    await dialog.getByText("If you lose it").waitFor();
    // Who has signed in is asked again after a minute.
    await page.clock.fastForward(61_000);
    scene.plane.faults.unavailable(500);
    await lookAway(page);
    await outlast(page, page.getByText(/Your account could not be loaded|Not responding/));
    let isAnswered = false;
    page.on("response", (response) => {
      isAnswered ||= response.ok() && response.url().endsWith("/admin/api/account");
    });
    scene.plane.faults.restore();
    await expect
      .poll(async () => {
        await lookAway(page);
        return isAnswered;
      })
      .toBe(true);
    await dialog.getByText("If you lose it").waitFor();
  });

  it("is told on each page", async () => {
    const { page } = owner;
    await page.reload();
    await page.getByText("All usage settled").waitFor();
    scene.plane.faults.unavailable(500);
    await lookAway(page);
    await outlast(page, page.getByText("Not responding"));
    await page.getByText("Not responding").waitFor();
    scene.plane.faults.restore();
    await lookAway(page);
    await page.getByText("All usage settled").waitFor();
  });

  it("says what to do where a page cannot be shown", async () => {
    const { page } = owner;
    const gates = page
      .getByRole("navigation", { name: "Main", exact: true })
      .getByRole("link", { name: "Gates" });
    // The router loads the page once more by itself.
    await page.route("**/assets/gates-page-*.js", (route) => route.abort());
    await gates.click();
    await page.getByRole("heading", { name: "This page could not be displayed" }).waitFor();
    await gates.waitFor();
    await page.unrouteAll();
    await page.getByRole("button", { name: "Reload" }).click();
    await page.getByRole("heading", { name: "Gates" }).waitFor();
    const customer = api("/customers/hostile");
    await page.route(`**${customer}`, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), createdAt: "never" } });
    });
    await page.goto(new URL(`/dashboard${customer.slice("/admin/api".length)}`, scene.baseUrl).href);
    await page.getByRole("heading", { name: "This page could not be displayed" }).waitFor();
    await gates.click();
    await page.getByRole("heading", { name: "Gates" }).waitFor();
    await page.unrouteAll();
  });
});

/** The window is left, and looked at again: what it shows is loaded anew. */
async function lookAway(page: Page): Promise<void> {
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
}

/** The client repeats what it may, for many seconds: here they pass at once, until this is in the page. */
async function outlast(page: Page, sign: Locator): Promise<void> {
  await expect
    .poll(async () => {
      await page.clock.fastForward(5_000);
      return sign.count();
    })
    .toBeGreaterThan(0);
}
