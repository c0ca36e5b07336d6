import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserMissing } from "./browser.ts";
import { picture } from "./picture.ts";
import { accessibilityFindings, openScene, overflow, type Scene, type Visit } from "./scene.ts";

describe.skipIf(browserMissing)("before the first organization", () => {
  let scene: Scene;
  let operator: Visit;
  beforeAll(async () => {
    scene = await openScene();
    operator = await scene.openAsOperator("olga@example.com");
    await operator.page.route(/\/admin\/api\/organizations(\?|$)/, async (route) =>
      route.request().method() === "GET"
        ? route.fulfill({ json: { organizations: [], next: null } })
        : route.fallback(),
    );
  });
  afterAll(() => scene?.close());

  it("creates it, without a navigation that leads nowhere", async () => {
    const { page, complaints } = operator;
    await page.goto(`${scene.baseUrl}/dashboard/`);
    await page.getByRole("heading", { name: "Create your organization" }).waitFor();
    expect(await page.getByRole("navigation").count()).toBe(0);
    await page.getByRole("button", { name: "Sign out" }).waitFor();
    for (const width of [1440, 320]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await overflow(page)).toBe(0);
      expect(await accessibilityFindings(page)).toEqual([]);
      await picture(page, `first-organization-${width}`);
    }
    await page.setViewportSize({ width: 1440, height: 800 });
    await page.getByLabel("Organization name").fill("Lighthouse");
    await page.unrouteAll();
    await page.getByRole("button", { name: "Create organization" }).click();
    await page.getByRole("heading", { name: "Set up your first gated request" }).waitFor();
    await page.getByRole("navigation", { name: "Main", exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });
});
