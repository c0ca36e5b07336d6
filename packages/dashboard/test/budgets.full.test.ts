import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserMissing } from "./browser.ts";
import { picture } from "./picture.ts";
import { accessibilityFindings, openScene, type Scene, type Visit } from "./scene.ts";

describe.skipIf(browserMissing)("budgets for all customers", () => {
  let scene: Scene;
  let owner: Visit;

  beforeAll(async () => {
    scene = await openScene();
    owner = await scene.visit("mira@harbour.ai", "/budgets", "owner");
  });
  afterAll(() => scene?.close());

  it("are made where no customer is named, listed, changed and deleted", async () => {
    const { page } = owner;
    await page.getByText("No budgets yet").waitFor();
    expect(await page.getByText("For all customers").count()).toBe(0);
    await page.getByRole("button", { name: "New budget" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Wallet").selectOption("ai_credits");
    await dialog.getByLabel("Key").fill("member:1");
    await dialog.getByLabel("Limit").fill("100");
    await dialog.getByText("Enter a kind for all customers, such as member:*").waitFor();
    const create = dialog.getByRole("button", { name: "Create budget" });
    expect(await create.isDisabled()).toBe(true);
    await dialog.getByLabel("Key").fill("member:*");
    await dialog.getByText(/for every customer without a budget of this kind/).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await create.click();
    await dialog.waitFor({ state: "detached" });
    const row = page.getByRole("row", { name: /member:\* ai_credits 100/ });
    await row.waitFor();
    await picture(page, "budget-defaults-light");
    expect(await accessibilityFindings(page)).toEqual([]);

    await page.getByRole("button", { name: "More for member:* of all customers" }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    await dialog.getByLabel("Limit").fill("50");
    await dialog.getByRole("button", { name: "Save budget" }).click();
    await page.getByRole("row", { name: /member:\* ai_credits 50/ }).waitFor();
    expect((await scene.admin.budgets.defaults.list()).budgets).toMatchObject([
      { key: "member:*", limit: 50 },
    ]);

    await page.getByRole("button", { name: "More for member:* of all customers" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await dialog.getByRole("button", { name: "Delete budget" }).click();
    await page.getByRole("heading", { name: "For all customers" }).waitFor({ state: "detached" });
    expect((await scene.admin.budgets.defaults.list()).budgets).toEqual([]);
  });
});
