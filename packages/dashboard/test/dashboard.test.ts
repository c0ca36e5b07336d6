import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserMissing } from "./browser.ts";
import { picture } from "./picture.ts";
import {
  accessibilityFindings,
  expectAccessible,
  hostile,
  openScene,
  password,
  type Scene,
  type Visit,
} from "./scene.ts";

describe.skipIf(browserMissing)("the dashboard in a browser", () => {
  let scene: Scene;
  let owner: Visit;
  let reader: Visit;
  const customers = () => `/dashboard/organizations/${scene.admin.organizationId}/customers`;

  beforeAll(async () => {
    scene = await openScene();
  });
  afterAll(() => scene?.close());

  it("serves its pages with a strict policy, and caches for ever what has a hash in its name", async () => {
    const page = await fetch(`${scene.baseUrl}/dashboard/organizations/1/customers`);
    const html = await page.text();
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.headers.get("cache-control")).toBe("no-cache");
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe");
    expect(page.headers.get("x-content-type-options")).toBe("nosniff");
    expect(page.headers.get("referrer-policy")).toBe("no-referrer");
    const script = /src="(\/dashboard\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? "";
    const asset = await fetch(scene.baseUrl + script);
    expect(asset.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(asset.headers.get("content-type")).toContain("javascript");
    await asset.body?.cancel();
    for (const path of ["assets/gone.js", ".vite/manifest.json", "..%2f..%2fpackage.json"]) {
      const response = await fetch(`${scene.baseUrl}/dashboard/${path}`);
      expect(await response.text()).not.toContain('"dependencies"');
      expect(response.headers.get("content-type")).not.toContain("javascript");
      if (path.startsWith("assets/")) expect(response.status).toBe(404);
    }
  });

  it("is found from the address of the server, as are the references", async () => {
    const { page } = await scene.open("/");
    await page.getByRole("link", { name: "Admin API reference" }).click();
    await page.getByRole("heading", { name: "Creditgate admin API" }).waitFor();
    // The policy lets the style sheet of the page in.
    expect(await page.locator("body").evaluate((body) => getComputedStyle(body).display)).toBe("grid");
    await page.goto(scene.baseUrl);
    await page.getByRole("link", { name: "Dashboard" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
  });

  it("makes the first account by the link that the server prints, and signs it in", async () => {
    owner = await scene.open(scene.plane.firstOwnerLink ?? "");
    const { page } = owner;
    await page.getByRole("heading", { name: "Create the first account" }).waitFor();
    await picture(page, "welcome");
    await page.getByLabel("Email").fill("mira@harbour.ai");
    await page.getByLabel("Your name").fill("Mira Okafor");
    await page.getByLabel("Password").fill("password1234");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("alert").waitFor();
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await page.getByText("Mira Okafor").waitFor();
    expect(page.url()).not.toContain("token");
    const cookies = await owner.context.cookies();
    expect(cookies.map(({ name }) => name).sort()).toEqual(["creditgate-device", "creditgate-session"]);
    for (const cookie of cookies) expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict" });
  });

  it("signs out, keeps the page for after the sign-in, and refuses a wrong password", async () => {
    const { page } = owner;
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in to Creditgate" }).waitFor();
    await page.goto(new URL(`${customers()}/dovetail`, scene.baseUrl).href);
    await page.getByLabel("Email").fill("mira@harbour.ai");
    await page.getByLabel("Password").fill("not the sentence");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("The email or the password is wrong.").waitFor();
    await picture(page, "sign-in");
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Dovetail Studio" }).waitFor();
  });

  it("lists customers with their zero lines, and finds them by the beginning of a word", async () => {
    const { page } = owner;
    await page.getByRole("link", { name: "Customers", exact: true }).first().click();
    await page
      .getByRole("row", { name: /Kestrel Media/ })
      .getByText("Exhausted")
      .last()
      .waitFor();
    await page
      .getByRole("row", { name: /Eastgate/ })
      .getByText("1,482,104.00")
      .waitFor();
    await page
      .getByRole("row", { name: /Dovetail/ })
      .getByText("−120.00")
      .waitFor();
    await picture(page, "customers-light");
    await page.getByRole("searchbox").fill("stud");
    await page.waitForURL(/search=stud/);
    await page.getByRole("row", { name: /Kestrel/ }).waitFor({ state: "detached" });
    expect(await page.getByRole("row").count()).toBe(2);
    await page.getByRole("searchbox").fill("nobody-at-all");
    await page.getByText("No matching customers").waitFor();
    await page.getByRole("searchbox").fill("");
    await page.getByRole("row", { name: /Kestrel/ }).waitFor();
  });

  it("shows a name that is markup as what it is", async () => {
    const { page } = owner;
    await page.getByRole("link", { name: hostile }).click();
    await page.getByRole("heading", { name: hostile }).waitFor();
    expect(await page.evaluate(() => "broken" in window)).toBe(false);
    expect(await page.locator("main img").count()).toBe(0);
  });

  it("tops up once, by keyboard alone, and says before what it will do", async () => {
    const { page } = owner;
    await page.goto(new URL(`${customers()}/dovetail`, scene.baseUrl).href);
    await page.getByRole("heading", { name: /Statement of/ }).waitFor();
    await page.getByText("Balanced").waitFor();
    await picture(page, "customer-light");
    await page.getByRole("button", { name: "Top up" }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Top up Dovetail Studio" });
    await dialog.waitFor();
    await page.keyboard.type("5,000");
    await dialog.getByRole("textbox", { name: "Reason" }).fill("Paid by bank transfer");
    await dialog.getByRole("row", { name: /Overage used 120.00 −120.00 0.00/ }).waitFor();
    await dialog.getByRole("row", { name: /Available 0.00 \+4,880.00 4,880.00/ }).waitFor();
    await picture(page, "top-up-light");
    expect(await accessibilityFindings(page)).toEqual([]);
    const sent = page.waitForRequest((request) => request.url().endsWith("/top-ups"));
    await page.keyboard.press("Enter");
    expect((await sent).headers()["idempotency-key"]).toMatch(/^[0-9a-f-]{36}$/);
    expect((await sent).headers().authorization).toBeUndefined();
    expect((await sent).postDataJSON()).toMatchObject({ reason: "Paid by bank transfer" });
    await page.getByText("Dovetail Studio now has 4,880.00 ai_credits.").waitFor();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("row", { name: /Top-up .*\+5,000.00/ }).waitFor();
    await page.getByText("Balanced").waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("Top up");
    const { available, overageUsed } = await scene.admin.wallets.get("dovetail", "ai_credits");
    expect({ available, overageUsed }).toEqual({ available: 4_880, overageUsed: 0 });
  });

  it("creates a customer with a postpaid wallet, and sets its limit", async () => {
    const { page } = owner;
    await page.goto(new URL(customers(), scene.baseUrl).href);
    await page.getByRole("button", { name: "New customer" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Lumen Schools");
    await page.getByLabel("ID", { exact: true }).fill("lumen");
    await page.keyboard.press("Enter");
    await page.getByText("No wallets yet").waitFor();
    await page.getByRole("button", { name: "New wallet" }).click();
    await page.getByLabel("Currency").fill("page_credits");
    await page.getByLabel("Kind").selectOption("postpaid");
    await page.getByLabel("Limit per period").fill("1,000.5");
    await page.getByRole("button", { name: "Create wallet" }).click();
    await page.getByText("credits used of 1,000.50").waitFor();
    await page.getByRole("button", { name: "Edit limits of page_credits" }).click();
    await page.getByLabel("Limit per period").fill("2,000");
    await page.getByText("The limit changes from 1,000.50 to 2,000.00 credits immediately.").waitFor();
    await page.getByRole("button", { name: "Save limits" }).click();
    await page.getByText("credits used of 2,000.00").waitFor();
  });

  it("shows a reader no button that changes anything, and the service refuses such a request", async () => {
    const link = await scene.invite("rosa@harbour.ai", "read");
    reader = await scene.open(link);
    const { page } = reader;
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await page.getByRole("link", { name: "Customers", exact: true }).first().click();
    await page.getByRole("row", { name: /Kestrel/ }).waitFor();
    expect(await page.getByRole("button", { name: "New customer" }).count()).toBe(0);
    await page.getByRole("link", { name: "Kestrel Media" }).click();
    await page.getByRole("heading", { name: "Kestrel Media" }).waitFor();
    for (const name of [/Top up/, /New wallet/, /Edit limits/, /Auto top-up/]) {
      expect(await page.getByRole("button", { name }).count()).toBe(0);
    }
    const status = await page.evaluate(
      async (id) =>
        (
          await fetch(`/admin/api/organizations/${id}/top-ups`, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({
              customer_id: "kestrel",
              top_ups: [{ credit_currency_key: "ai_credits", credits: 1 }],
            }),
          })
        ).status,
      scene.admin.organizationId,
    );
    expect(status).toBe(403);
  });

  // In the dark theme in `customer.full.test.ts`.
  it("has no serious accessibility finding in the light theme, and fits 320 px", () =>
    expectAccessible(scene, owner, "light"));

  it("has broken its policy nowhere, and met no error", () => {
    expect(owner.complaints).toEqual([]);
    expect(reader.complaints).toEqual([]);
  });
});
