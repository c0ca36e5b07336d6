import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserMissing } from "./browser.ts";
import { atRest, hostile, openScene, password, type Scene, type Visit } from "./scene.ts";

const formula = "=cmd|'/C calc'!A0";

/** A site of somebody else's, with one page. */
async function openForeignSite(): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Elsewhere</title>");
  });
  server.listen(0);
  await once(server, "listening");
  return { server, port: (server.address() as AddressInfo).port };
}

describe.skipIf(browserMissing)("attacks on the dashboard", () => {
  let scene: Scene;
  let owner: Visit;
  let foreign: { readonly server: Server; readonly port: number };
  const api = (path: string) =>
    `${scene.baseUrl}/admin/api/organizations/${scene.admin.organizationId}${path}`;
  const at = (path: string) =>
    new URL(`/dashboard/organizations/${scene.admin.organizationId}${path}`, scene.baseUrl).href;
  const topUp = { customer_id: "hostile", top_ups: [{ credit_currency_key: "ai_credits", credits: 666 }] };
  const available = async () => (await scene.admin.wallets.get("hostile", "ai_credits")).available;

  beforeAll(async () => {
    [scene, foreign] = await Promise.all([openScene(), openForeignSite()]);
    await scene.admin.customers.create({ externalId: "formula", name: formula, city: "@SUM(1+1)" });
    owner = await scene.visit("mira@harbour.ai", "/customers", "owner");
  });
  afterAll(async () => {
    await scene?.close();
    foreign?.server.close();
  });

  it("shows hostile names as text on every page", async () => {
    const { page } = owner;
    const { admin } = scene;
    const { orderId, invoices } = await admin.orders.create(
      {
        customerExternalId: "hostile",
        orderName: hostile,
        startDate: "2026-01-31",
        lineItems: [{ agentId: "chat", platformFee: { amount: 100, currency: "EUR" } }],
        paid: true,
      },
      { idempotencyKey: "hostile" },
    );
    const invoiceId = invoices[0]?.invoiceId ?? "";
    await admin.invoices.credit(invoiceId, { amount: 1, reason: hostile }, { idempotencyKey: "note" });
    await admin.wallets.correct(
      { customerId: "hostile", creditCurrencyKey: "ai_credits", credits: 1, reason: hostile },
      { idempotencyKey: "correction" },
    );
    const { endpointId } = await admin.webhooks.create({
      url: "http://127.0.0.1:9/%3Cimg src=x onerror=alert(1)%3E",
      description: hostile,
    });
    await scene.invite('"><img src=x onerror=broken=1>@harbour.ai', "read").catch(() => undefined);
    for (const path of [
      "/customers",
      "/customers/hostile",
      "/customers/hostile?show=orders",
      // Its days stand still; what is live has a connection that stays.
      "/usage?from=2026-01-01",
      "/usage?by=customer",
      "/orders",
      "/orders?show=orders",
      "/orders?show=credit-notes",
      `/orders?customer=${encodeURIComponent(hostile)}`,
      `/orders/${orderId}`,
      `/orders/invoices/${invoiceId}`,
      "/webhooks",
      `/webhooks/${endpointId}`,
      "/people",
      "/audit",
      "/account",
    ]) {
      await page.goto(at(path));
      await page.getByRole("heading", { level: 1 }).waitFor();
      await atRest(page);
      expect(await page.evaluate(() => "broken" in window), path).toBe(false);
      expect(await page.locator("img").count(), path).toBe(0);
    }
    expect(owner.complaints).toEqual([]);
  });

  it.each([
    ["the same site, at another port", "127.0.0.1"],
    ["another site", "localhost"],
  ])("refuses a form and a fetch from %s, though the browser has a session", async (_name, host) => {
    const page = await owner.context.newPage();
    await page.goto(`http://${host}:${foreign.port}/`);
    const before = await available();
    const url = api("/top-ups");
    const body = JSON.stringify(topUp);
    const outcome = await page.evaluate(
      ([target, text]) =>
        fetch(target, {
          ...{ method: "POST", mode: "no-cors", credentials: "include", body: text },
          signal: AbortSignal.timeout(10_000),
        }).then(
          ({ type }) => type,
          () => "failed",
        ),
      [url, body] as const,
    );
    expect(outcome).toMatch(/opaque|failed/);
    expect(await available()).toBe(before);
    const readable = await page.evaluate(
      (target) =>
        fetch(target, { credentials: "include", signal: AbortSignal.timeout(10_000) }).then(
          () => "read",
          () => "failed",
        ),
      api("/customers"),
    );
    expect(readable).toBe("failed");
    const navigated = page.waitForResponse((response) => response.url() === url);
    await page.evaluate(
      ([target, text]) => {
        const form = document.createElement("form");
        form.method = "post";
        form.enctype = "text/plain";
        form.action = target;
        const input = document.createElement("input");
        // Name and value make the JSON, but for the = between them, which stands in a text.
        input.name = `${text.slice(0, -1)},"ignored":"`;
        input.value = '"}';
        form.append(input);
        document.body.append(form);
        // When this has returned: what is evaluated must not wait for the page that comes.
        setTimeout(() => form.submit());
      },
      [url, body] as const,
    );
    expect([401, 403]).toContain((await navigated).status());
    // Chromium may never close a page whose next one is still on its way.
    await page.waitForURL(url);
    expect(await available()).toBe(before);
    await page.close();
  });

  it("stays empty in a frame of another origin", async () => {
    const page = await owner.context.newPage();
    await page.goto(`http://127.0.0.1:${foreign.port}/`);
    const loaded = page.waitForResponse((response) => response.url() === at("/customers"));
    await page.evaluate((src) => {
      const frame = document.createElement("iframe");
      frame.src = src;
      document.body.append(frame);
    }, at("/customers"));
    expect((await loaded).headers()["content-security-policy"]).toContain("frame-ancestors 'none'");
    await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/);
    expect(await textOf(page)).not.toContain("Customers");
    await page.close();
  });

  it("makes a new session at the sign-in, whatever cookie was there before", async () => {
    const attacker = await scene.visit("rosa@harbour.ai", "/customers", "read");
    const session = async ({ context }: typeof attacker) =>
      (await context.cookies()).find(({ name }) => name === "creditgate-session");
    const planted = await session(attacker);
    if (planted === undefined) throw new Error("There is no cookie.");
    const victim = await scene.open("/dashboard/sign-in");
    await victim.context.addCookies([planted]);
    await victim.page.getByLabel("Email").fill("mira@harbour.ai");
    await victim.page.getByLabel("Password").fill(password);
    await victim.page.getByRole("button", { name: "Sign in" }).click();
    await victim.page.getByRole("navigation", { name: "Main", exact: true }).waitFor();
    const names = (await victim.context.cookies()).map(({ name }) => name);
    expect(names.sort()).toEqual(["creditgate-device", "creditgate-session"]);
    const own = await session(victim);
    expect(own?.value).not.toBe(planted.value);
    const who = await fetch(`${scene.baseUrl}/admin/api/account`, {
      headers: { cookie: `${planted.name}=${planted.value}` },
    });
    // What the attacker knows is nobody's any more, or still the attacker's own.
    expect(await who.text()).not.toContain("mira@harbour.ai");
    await Promise.all([attacker.context.close(), victim.context.close()]);
  });

  it.each([
    ["another site", () => `http://localhost:${foreign.port}/`],
    ["another site, without a scheme", () => `//localhost:${foreign.port}/`],
    ["another site, behind what a browser drops", () => `/\t/localhost:${foreign.port}/`],
    ["another site, by a backslash", () => `/\\localhost:${foreign.port}/`],
    ["a script", () => "javascript:window.broken=true"],
  ])("does not lead to %s after the sign-in", async (_name, next) => {
    const visit = await scene.open(`/dashboard/sign-in?next=${encodeURIComponent(next())}`);
    const { page } = visit;
    await page.getByLabel("Email").fill("mira@harbour.ai");
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL((url) => url.pathname !== "/dashboard/sign-in");
    expect(new URL(page.url()).origin).toBe(scene.baseUrl);
    expect(await page.evaluate(() => "broken" in window)).toBe(false);
    await visit.context.close();
  });

  it.each([
    "/overview?period=none&by=constructor&currency=constructor",
    "/customers/hostile?show=constructor&wallet=constructor",
    "/budgets?customer=constructor&cursor=constructor",
    "/usage?by=constructor&outcome=constructor&from=2026-01-01",
    "/orders?show=constructor&status=constructor&type=constructor&from=0000-00-00",
    "/agents?agent=constructor&indicator=constructor",
    "/gates?period=constructor",
    "/keys?ended=constructor",
    "/books?show=constructor&period=constructor&from=constructor",
    "/audit?action=constructor&from=constructor",
  ])("shows a page whatever its address asks for: %s", async (path) => {
    const { page } = owner;
    await page.goto(at(path));
    await page.getByRole("heading", { level: 1 }).waitFor();
    await atRest(page);
    expect(await page.getByText("This page could not be displayed").count()).toBe(0);
    expect(owner.complaints).toEqual([]);
  });

  it("writes no formula into the file that a spreadsheet opens", async () => {
    const { page } = owner;
    await page.goto(at("/customers"));
    const started = page.waitForEvent("download");
    await page.getByRole("link", { name: "CSV" }).click();
    const download = await started;
    expect(download.suggestedFilename()).toMatch(/\.csv$/);
    const text = await readFile(await download.path(), "utf8");
    expect(text).toContain(`"'${formula}"`);
    expect(text).toContain(`"'@SUM(1+1)"`);
    expect(text).not.toMatch(/(^|[,\n"])[=@]/);
  });

  it("refuses what a reader forges", async () => {
    const reader = await scene.visit("sven@harbour.ai", "/orders", "read");
    const { admin } = scene;
    const [invoice] = (await admin.invoices.list()).invoices;
    const [order] = (await admin.orders.list()).orders;
    const [endpoint] = await admin.webhooks.list();
    const changes: readonly (readonly [string, unknown?])[] = [
      ["/top-ups", topUp],
      ["/orders", {}],
      [`/orders/${order?.orderId}/cancel`, { reason: "forged" }],
      [`/invoices/${invoice?.invoiceId}/mark-paid`],
      [`/invoices/${invoice?.invoiceId}/void`, { reason: "forged" }],
      [`/invoices/${invoice?.invoiceId}/credit-notes`, { reason: "forged" }],
      ["/close-period", { early: true }],
      ["/customers", { externalId: "forged", name: "Forged" }],
      ["/customers/hostile", { name: "Forged" }],
      ["/customers/hostile/erase"],
      ["/customers/hostile/wallets/ai_credits/limits", { overageLimit: 1_000_000 }],
      ["/webhook-endpoints", { url: "http://127.0.0.1:9/" }],
      [`/webhook-endpoints/${endpoint?.endpointId}/rotate-secret`, {}],
      [`/webhook-endpoints/${endpoint?.endpointId}/replay`, { since: "2026-01-01T00:00:00Z" }],
      [`/webhook-endpoints/${endpoint?.endpointId}/delete`],
      ["/settings", { lowThreshold: 1 }],
      ["/invitations", { email: "forged@harbour.ai", roles: ["owner"] }],
    ];
    const statuses = await reader.page.evaluate(
      (requests) =>
        Promise.all(
          requests.map(async ({ url, body }) => {
            const response = await fetch(url, {
              method: "POST",
              headers: { "content-type": "application/json", "idempotency-key": crypto.randomUUID() },
              ...(body === undefined ? {} : { body }),
            });
            return `${url.replace(/.*organizations\/\d+/, "")} ${response.status}`;
          }),
        ),
      changes.map(([path, body]) => ({
        url: api(path),
        body: body === undefined ? undefined : JSON.stringify(body),
      })),
    );
    expect(statuses.filter((line) => !line.endsWith(" 403"))).toEqual([]);
    expect(statuses).toHaveLength(changes.length);
    const seen = await reader.page.evaluate(async (url) => (await fetch(url)).status, api("/members"));
    expect(seen).toBe(403);
    await reader.context.close();
  });
});

/** What stands in the page and its frames. */
async function textOf(page: Page): Promise<string> {
  const texts = await Promise.all(page.frames().map((frame) => frame.locator("body").innerText()));
  return texts.join("\n");
}
