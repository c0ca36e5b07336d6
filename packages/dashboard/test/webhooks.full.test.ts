import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserMissing } from "./browser.ts";
import { picture } from "./picture.ts";
import { accessibilityFindings, hostile, openScene, overflow, type Scene, type Visit } from "./scene.ts";

describe.skipIf(browserMissing)("webhooks", () => {
  let scene: Scene;
  let owner: Visit;
  let receiver: Server;
  /** The ids of what the endpoint has got. */
  const received: string[] = [];
  const webhooks = (rest = "") =>
    new URL(`/dashboard/organizations/${scene.admin.organizationId}/webhooks${rest}`, scene.baseUrl).href;

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      received.push(String(request.headers["webhook-id"]));
      request.resume();
      response.writeHead(500, { "content-type": "text/plain" }).end(`${hostile} is not ready`);
    });
    receiver.listen(0, "127.0.0.1");
    [scene] = await Promise.all([openScene(), once(receiver, "listening")]);
    owner = await scene.visit("mira@harbour.ai", "/webhooks", "owner");
  });
  afterAll(async () => {
    await scene?.close();
    receiver.close();
  });

  it("makes an endpoint for the events chosen, and shows its secret once", async () => {
    const { page } = owner;
    await page.getByText("No endpoints yet").waitFor();
    await picture(page, "webhooks-empty-light");
    await page.getByRole("button", { name: "New endpoint" }).first().click();
    const { port } = receiver.address() as AddressInfo;
    await page.getByLabel("Endpoint URL").fill("not an address");
    await page.getByText("Enter a URL, such as https://example.com/webhooks").waitFor();
    await page.getByLabel("Endpoint URL").fill(`http://127.0.0.1:${port}/hook`);
    await page.getByLabel("Description (optional)").fill(hostile);
    await page.getByLabel("Events to send").selectOption("some");
    expect(await page.getByRole("button", { name: "Create endpoint" }).isDisabled()).toBe(true);
    await page.getByLabel("wallet.topped_up").check();
    await picture(page, "endpoint-dialog-light");
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByRole("button", { name: "Create endpoint" }).click();
    const secret = page.getByRole("dialog", { name: "Endpoint created" });
    await secret.getByText(/^whsec_/).waitFor();
    await page.keyboard.press("Escape");
    expect(await secret.isVisible()).toBe(true);
    expect(await accessibilityFindings(page)).toEqual([]);
    await picture(page, "secret-light");
    await secret.getByRole("button", { name: "Done" }).click();
    await page.getByRole("row", { name: /wallet\.topped_up.*Enabled/ }).waitFor();
    expect(await page.content()).not.toContain("whsec_");
    const [endpoint] = await scene.admin.webhooks.list();
    expect(endpoint).toMatchObject({ events: ["wallet.topped_up"], description: hostile });
  });

  it("shows what was sent and what the endpoint answered, and sends it again", async () => {
    const { page } = owner;
    await page.getByRole("link", { name: /\/hook/ }).click();
    await page.getByRole("heading", { name: hostile }).waitFor();
    await page.getByText("No deliveries yet").waitFor();
    await scene.admin.wallets.topUp(
      { customer_id: "hostile", top_ups: [{ credit_currency_key: "ai_credits", credits: 7 }] },
      { idempotencyKey: "first" },
    );
    await page.getByRole("row", { name: /wallet\.topped_up hostile .* 500/ }).waitFor();
    await page.getByRole("button", { name: "wallet.topped_up" }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "wallet.topped_up" });
    await dialog.getByText(`${hostile} is not ready`).waitFor();
    await dialog.getByText('"customerId": "hostile"').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await picture(page, "delivery-light");
    const before = received.length;
    await dialog.getByRole("button", { name: "Resend" }).click();
    await page.getByText("Event queued again").waitFor();
    await expect.poll(() => received.length).toBeGreaterThan(before);
    expect(new Set(received).size).toBe(1);
    await page.getByRole("button", { name: "Send test event" }).click();
    await page.getByRole("row", { name: /webhook\.test/ }).waitFor();
    await page.getByLabel("Event", { exact: true }).selectOption("wallet.topped_up");
    await page.getByRole("row", { name: /webhook\.test/ }).waitFor({ state: "detached" });
    await page.getByLabel("Status", { exact: true }).selectOption("delivered");
    await page.getByText("No matching deliveries").waitFor();
    await page.getByRole("button", { name: "Resend events" }).click();
    await page.getByText(/kept for 30 days from when an endpoint first subscribes to them/).waitFor();
    await page.getByRole("button", { name: "Resend events" }).last().click();
    // The only one still waits: its endpoint has refused it.
    await page.getByText("No events to resend").waitFor();
    expect(await page.evaluate(() => "broken" in window)).toBe(false);
    expect(await page.locator("main img").count()).toBe(0);
  });

  it("rotates the secret, disables, enables and deletes the endpoint", async () => {
    const { page } = owner;
    await page.getByRole("button", { name: "Rotate secret" }).click();
    await page.getByLabel("Old secret stays valid").selectOption("0");
    await page.getByText(/The old secret ends now/).waitFor();
    await page.getByRole("button", { name: "Rotate secret" }).last().click();
    await page.getByText(/^whsec_/).waitFor();
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("button", { name: "Disable", exact: true }).click();
    await page.getByRole("button", { name: "Disable endpoint" }).click();
    await page.getByText("by an administrator").waitFor();
    await page.getByRole("button", { name: "Enable", exact: true }).click();
    await page.getByRole("button", { name: "Enable endpoint" }).click();
    await page.getByRole("button", { name: "Disable", exact: true }).waitFor();
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await page.getByLabel("Description (optional)").fill("Billing");
    await page.getByLabel("Events to send").selectOption("all");
    await page.getByRole("button", { name: "Save endpoint" }).click();
    await page.getByRole("heading", { name: "Billing" }).waitFor();
    await page.getByText("All events", { exact: true }).waitFor();
  });

  it("sets the threshold of the organization", async () => {
    const { page } = owner;
    await page.goto(webhooks());
    await page.getByRole("button", { name: "Edit threshold" }).click();
    await page.getByRole("textbox", { name: "Low-balance threshold" }).fill("2,500");
    await page.getByRole("button", { name: "Save threshold" }).click();
    await page.getByText("2,500.00 credits").waitFor();
  });

  it.each(["light", "dark"] as const)("is accessible in the %s theme, and fits 320 px", async (theme) => {
    const { page } = owner;
    const [endpoint] = await scene.admin.webhooks.list();
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    for (const [path, name] of [
      ["", "webhooks"],
      [`/${endpoint?.endpointId}`, "webhook"],
    ] as const) {
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.goto(webhooks(path));
      await page.getByRole("row").nth(1).waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
      await picture(page, `${name}-${theme}`);
      await page.setViewportSize({ width: 320, height: 800 });
      expect(await overflow(page)).toBe(0);
      await picture(page, `${name}-phone-${theme}`);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it("shows a reader what was sent, and no button that changes it", async () => {
    const reader = await scene.visit("rosa@harbour.ai", "/webhooks", "read");
    const { page } = reader;
    await page.getByRole("link", { name: /\/hook/ }).click();
    await page.getByRole("row", { name: /wallet\.topped_up/ }).waitFor();
    const changing = /^(New|Edit|Resend|Rotate|Disable|Delete|Send)/;
    expect(await page.getByRole("button", { name: changing }).count()).toBe(0);
    await page.getByRole("button", { name: "wallet.topped_up" }).click();
    await page.getByRole("dialog").getByText("Payload").waitFor();
    expect(await page.getByRole("button", { name: changing }).count()).toBe(0);
    expect(reader.complaints).toEqual([]);
    await reader.context.close();
  });

  it("deletes the endpoint, has broken its policy nowhere, and met no error", async () => {
    const { page } = owner;
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText(/A new endpoint has a new secret/).waitFor();
    await page.getByRole("button", { name: "Delete endpoint" }).click();
    await page.getByText("No endpoints yet").waitFor();
    expect(owner.complaints).toEqual([]);
  });
});
