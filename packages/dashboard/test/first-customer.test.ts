import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserMissing } from "./browser.ts";
import { openScene, type Scene, type Visit } from "./scene.ts";

describe.skipIf(browserMissing)("the first customer", () => {
  let scene: Scene;
  let owner: Visit;
  beforeAll(async () => {
    scene = await openScene({ organization: { name: "Harbour AI" } });
    owner = await scene.visit("mira@harbour.ai", "/start", "owner");
  });
  afterAll(() => scene?.close());

  it("is told that its credits could not be added, and has them once they can", async () => {
    const { page } = owner;
    const topUps = "**/top-ups";
    await page.route(topUps, (route) => route.abort());
    await page.getByLabel("Wallet", { exact: true }).selectOption("prepaid");
    await page.getByLabel("Starting credits").fill("250");
    const make = page.getByRole("button", { name: "Create customer" });
    await make.click();
    await page.getByRole("alert").waitFor();
    const credits = async () =>
      (await scene.admin.customers.get("first-customer")).wallets.map(({ available }) => available);
    expect(await credits()).toEqual([0]);
    await page.unroute(topUps);
    await make.click();
    await page.getByText(/250\.00 available/).waitFor();
    expect(await credits()).toEqual([250]);
    expect(owner.complaints).toEqual([]);
  });
});
