import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserMissing } from "../../packages/dashboard/test/browser.ts";
import {
  accessibilityFindings,
  openScene,
  overflow,
  type Scene,
  type Visit,
} from "../../packages/dashboard/test/scene.ts";
import { fixtureOf, type GatedApi, startGatedApi } from "./gated-api.ts";

describe.skipIf(browserMissing)("budgets from the dashboard alone", () => {
  let scene: Scene;
  let lead: Visit;
  let api: GatedApi;
  let member = "";

  beforeAll(async () => {
    const wallet = { kind: "prepaid", currency: "ai_credits", available: 100 } as const;
    const fixture = fixtureOf({ greenline: wallet, dovetail: wallet });
    scene = await openScene({ ...fixture, organization: { name: "Harbour AI" } });
    api = await startGatedApi(scene.plane, {}, { budgets: () => [`member:${member}`] });
    lead = await scene.visit("mira@harbour.ai", "/budgets", "money");
  });
  afterAll(async () => {
    await api?.stop();
    await scene?.close();
  });

  const dialog = () => lead.page.getByRole("dialog");
  async function finish(action: string): Promise<void> {
    await dialog().getByRole("button", { name: action }).click();
    await dialog().waitFor({ state: "detached" });
  }
  async function choose(key: string, name: string): Promise<void> {
    await lead.page.getByRole("button", { name: `More for ${key} of greenline` }).click();
    await lead.page.getByRole("menuitem", { name }).click();
  }
  async function ask(name: string): Promise<Response> {
    member = name;
    return api.post("greenline");
  }

  it("stops a member at a daily limit, and serves the next request when the limit is raised", async () => {
    const { page } = lead;
    await page.getByText("No budgets yet").waitFor();
    for (const name of ["1", "2", "3"]) {
      await page.getByRole("button", { name: "New budget" }).first().click();
      await dialog().getByLabel("Customer").fill("greenline");
      await dialog().getByLabel("Wallet").selectOption("ai_credits");
      await dialog().getByLabel("Key").fill(`member:${name}`);
      await dialog().getByLabel("Limit", { exact: true }).fill("2");
      if (name === "1") expect(await accessibilityFindings(page)).toEqual([]);
      await finish("Create budget");
    }
    for (const name of ["1", "2", "2", "3"]) expect((await ask(name)).status).toBe(200);
    const stopped = await ask("2");
    expect(stopped.status).toBe(402);
    expect(await stopped.json()).toMatchObject({
      code: "budget_exceeded",
      title: "The budget is used up",
      // Of the day, by the organisation's calendar.
      budget: { key: "member:2", limit: 2, left: 0, resetsAt: expect.stringMatching(/T00:00:00.000Z$/) },
    });
    await scene.plane.settled();
    await page.reload();
    await page.getByRole("row", { name: /member:2 .*2\.00 *of 2 Used up/ }).waitFor();
    await page.getByRole("row", { name: /member:1 .*1\.00 *of 2 Within/ }).waitFor();

    await choose("member:2", "Edit");
    await dialog().getByLabel("Limit", { exact: true }).fill("3");
    await dialog().getByText("From the next request, 1.00 credits remain.").waitFor();
    await finish("Save budget");
    expect((await ask("2")).status).toBe(200);
    expect((await ask("2")).status).toBe(402);
    expect((await ask("3")).status).toBe(200);
  });

  it("filters by customer, and is accessible and fits a phone, as the customer's own budgets do", async () => {
    const { page } = lead;
    await scene.admin.budgets.set("dovetail", "ai_credits", "team:*", { limit: 9 });
    const at = `${scene.baseUrl}/dashboard/organizations/${scene.admin.organizationId}`;
    for (const path of ["/budgets", "/customers/greenline?show=budgets"]) {
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        await page.setViewportSize({ width: 1440, height: 900 });
        await page.goto(at + path);
        await page.getByRole("row", { name: /member:2/ }).waitFor();
        expect(await accessibilityFindings(page)).toEqual([]);
        await page.setViewportSize({ width: 360, height: 800 });
        expect(await overflow(page)).toBe(0);
        expect(await accessibilityFindings(page)).toEqual([]);
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${at}/budgets`);
    await page.getByRole("row", { name: /team:\*/ }).waitFor();
    await page.getByLabel("Customer").fill("greenline");
    await page.keyboard.press("Enter");
    await page.getByRole("row", { name: /team:\*/ }).waitFor({ state: "detached" });
    await page.getByRole("row", { name: /member:1/ }).waitFor();
  });

  it("resets and deletes", async () => {
    const { page } = lead;
    await scene.plane.settled();
    await choose("member:2", "Reset");
    await finish("Reset budget");
    await page.getByRole("row", { name: /member:2 .*0\.00 *of 3 Within/ }).waitFor();
    expect((await ask("2")).status).toBe(200);
    await choose("member:2", "Delete");
    await finish("Delete budget");
    await page.getByRole("row", { name: /member:2/ }).waitFor({ state: "detached" });
    expect(lead.complaints).toEqual([]);
  });
});
