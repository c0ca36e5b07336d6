import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserMissing } from "./browser.ts";
import {
  accessibilityFindings,
  hostile,
  openScene,
  overflow,
  password,
  type Scene,
  type Visit,
} from "./scene.ts";

const pictures = process.env.CREDITGATE_SCREENSHOTS;

async function picture(page: Page, name: string): Promise<void> {
  if (pictures !== undefined) await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true });
}

describe.skipIf(browserMissing)("agents, prices and API keys in a browser", () => {
  let scene: Scene;
  let owner: Visit;
  const at = (path: string) =>
    new URL(`/dashboard/organizations/${scene.admin.organizationId}/${path}`, scene.baseUrl).href;

  /** A window of one who was invited with these roles. */
  async function enter(email: string, ...roles: string[]): Promise<Visit> {
    const visit = await scene.open(await scene.invite(email, ...roles));
    await visit.page.getByLabel("Password").fill(password);
    await visit.page.getByRole("button", { name: "Create account" }).click();
    await visit.page.getByRole("heading", { level: 1 }).filter({ hasNotText: "account" }).waitFor();
    return visit;
  }

  beforeAll(async () => {
    scene = await openScene();
    await scene.admin.agents.create({ agentId: "odd", agentExternalId: "odd", agentName: hostile });
    owner = await enter("mira@harbour.ai", "owner");
  });
  afterAll(() => scene?.close());

  it("shows what an indicator costs, and what a use would, as it is billed", async () => {
    const { page } = owner;
    await page.goto(at("agents"));
    await page.getByRole("heading", { name: "Support chat" }).waitFor();
    await page.getByRole("row", { name: /message Credits 1.00 0.50 1.50 0.50/ }).waitFor();
    await page.getByLabel("Input tokens", { exact: true }).fill("12,400");
    await page.getByLabel("Output tokens", { exact: true }).fill("860");
    await page.getByText("8.49 ai_credits").waitFor();
    await page.getByLabel("Quantity").fill("1,000");
    await page.getByText("8,490.00 ai_credits").waitFor();
    await page.getByLabel("Quantity").fill("1");
    await page.getByLabel("Input tokens", { exact: true }).fill("-1");
    await page.getByText("A whole number").waitFor();
    await page.getByLabel("Input tokens", { exact: true }).fill("1,000");
    await page.getByRole("row", { name: "Input tokens 1,000 0.50 per 1,000 0.50" }).waitFor();
  });

  it("plans a price, says before what will change, and prices by it for later", async () => {
    const { page } = owner;
    await page.getByRole("button", { name: "Change price" }).click();
    const dialog = page.getByRole("dialog", { name: "Price of message" });
    await dialog.getByText("No changes yet.").waitFor();
    await dialog.getByRole("textbox", { name: "Input tokens" }).fill("0.4");
    await dialog.getByLabel("Add a price").selectOption("perThousandCachedTokens");
    await dialog.getByRole("textbox", { name: "Cached tokens" }).fill("0.05");
    await dialog.getByLabel("Add a price").selectOption("perUnit");
    await dialog.getByLabel("Unit", { exact: true }).fill("pages");
    await dialog.getByLabel("Price", { exact: true }).fill("0.25");
    await dialog.getByRole("button", { name: "Add model price" }).click();
    await dialog.getByLabel("Provider").fill("openai");
    await dialog.getByLabel("Model", { exact: true }).fill("gpt-5");
    await dialog
      .getByRole("group", { name: "Price of model 1" })
      .getByRole("textbox", { name: "Output tokens" })
      .fill("4");
    await dialog.getByLabel("Effective").selectOption("later");
    await dialog.getByLabel("Effective from (UTC)").fill("2098-12-01T00:00");
    await dialog.getByRole("row", { name: "Input tokens, per 1,000 0.50 0.40" }).waitFor();
    await dialog.getByRole("row", { name: "openai, gpt-5: Output tokens, per 1,000 none 4.00" }).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await picture(page, "price-dialog");
    await dialog.getByRole("button", { name: "Schedule price" }).click();
    await page.getByRole("row", { name: /v2 Scheduled.*from 1 Dec 2098.*lowered to 0.40/ }).waitFor();
    await page.getByRole("row", { name: /Under v2, from 1 Dec 2098/ }).waitFor();
    await page.getByLabel("Price", { exact: true }).selectOption("2");
    await page.getByLabel("Model", { exact: true }).selectOption({ label: "openai, gpt-5" });
    await page.getByLabel("pages").fill("2");
    await page.getByLabel("Cached input tokens").fill("500");
    await page.getByText("5.165 ai_credits").waitFor();
    const { prices } = await scene.admin.indicators.prices("chat", "message").list();
    expect(prices).toMatchObject([
      { version: 2, inForce: false, setBy: "user:mira@harbour.ai", validFrom: "2098-12-01T00:00:00.000Z" },
      { version: 1, inForce: true },
    ]);
  });

  it("makes an agent and an indicator, and shows a name that is markup as what it is", async () => {
    const { page } = owner;
    await page.getByRole("button", { name: "New agent" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Draft writer");
    await page.getByLabel("ID", { exact: true }).fill("writer");
    await page.keyboard.press("Enter");
    await page.getByText("No indicators yet").waitFor();
    await page.getByRole("button", { name: "New indicator" }).first().click();
    const dialog = page.getByRole("dialog", { name: "New indicator of Draft writer" });
    await dialog.getByLabel("Name", { exact: true }).fill("draft");
    await dialog.getByRole("textbox", { name: "Event" }).fill("2");
    await dialog.getByText("costs 2.00 per event").waitFor();
    await dialog.getByRole("button", { name: "Create indicator" }).click();
    await page.getByRole("row", { name: /draft Credits 2.00/ }).waitFor();
    await page.getByRole("link", { name: /img src=x/ }).click();
    await page.getByRole("heading", { name: hostile, level: 2 }).waitFor();
    expect(await page.evaluate(() => "broken" in window)).toBe(false);
  });

  it("makes a key that is shown once, by keyboard alone; rotates it, and revokes it", async () => {
    const { page } = owner;
    await page.goto(at("keys"));
    await page.getByRole("button", { name: "New key" }).first().focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "New API key" }).waitFor();
    await page.keyboard.type("chat server");
    await page.keyboard.press("Enter");
    const shown = page.getByRole("dialog", { name: "API key chat server" });
    const key = (await shown.locator(".secret code").textContent()) ?? "";
    expect(key).toMatch(/^cgk_/);
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await shown.waitFor();
    await shown.getByRole("button", { name: "Done" }).click();
    await shown.waitFor({ state: "detached" });
    expect(await page.content()).not.toContain(key);
    await page.getByRole("row", { name: /chat server read, usage never mira@harbour.ai/ }).waitFor();
    const use = () =>
      fetch(`${scene.baseUrl}/api/v1/agents`, { headers: { "service-api-key": key } }).then(
        ({ status }) => status,
      );
    expect(await use()).toBe(200);
    await page.getByRole("button", { name: "Rotate chat server" }).click();
    await page.getByText(/The old key works until/).waitFor();
    await page.getByRole("button", { name: "Rotate key" }).click();
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("row", { name: /chat server .*Expires/ }).waitFor();
    await page.getByRole("button", { name: "Revoke chat server" }).last().click();
    await page.getByText("A gate without another key denies every request").waitFor();
    await picture(page, "revoke");
    await page.getByRole("button", { name: "Revoke key" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await use()).toBe(401);
    await page.getByRole("link", { name: "Show 1 inactive" }).click();
    await page.getByRole("row", { name: /chat server .*Revoked/ }).waitFor();
  });

  it("shows a reader no button that changes anything", async () => {
    const reader = await enter("rosa@harbour.ai", "read");
    const { page } = reader;
    await page.goto(at("agents"));
    await page.getByRole("heading", { name: "Price history of message" }).waitFor();
    const names = /New agent|New indicator|Edit agent|Change price|New key|Rotate|Revoke/;
    expect(await page.getByRole("button", { name: names }).count()).toBe(0);
    await page.goto(at("keys"));
    await page.getByRole("row", { name: /chat server/ }).waitFor();
    expect(await page.getByRole("button", { name: names }).count()).toBe(0);
    expect(reader.complaints).toEqual([]);
    await reader.context.close();
  });

  it.each(["light", "dark"] as const)(
    "has no serious accessibility finding in the %s theme, and fits 320 px",
    async (theme) => {
      const { page } = owner;
      await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
      for (const [path, row] of [
        ["agents?agent=chat", /Under v2/],
        ["keys", /chat server/],
      ] as const) {
        await page.setViewportSize({ width: 1440, height: 900 });
        await page.goto(at(path));
        await page.getByRole("row", { name: row }).first().waitFor();
        expect(await accessibilityFindings(page)).toEqual([]);
        await picture(page, `${path.split("?")[0]}-${theme}`);
        await page.setViewportSize({ width: 320, height: 800 });
        expect(await overflow(page)).toBe(0);
        expect(await accessibilityFindings(page)).toEqual([]);
        await picture(page, `${path.split("?")[0]}-phone-${theme}`);
      }
    },
  );

  it("has broken its policy nowhere, and met no error", () => {
    expect(owner.complaints).toEqual([]);
  });
});
