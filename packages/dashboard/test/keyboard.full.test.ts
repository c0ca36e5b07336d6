import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserMissing } from "./browser.ts";
import { Keyboard } from "./keyboard.ts";
import { isAll, openScene, password, type Scene, toured, type Visit } from "./scene.ts";

describe.skipIf(browserMissing)("every page by keyboard alone", () => {
  let scene: Scene;
  let owner: Visit;
  let keyboard: Keyboard;

  beforeAll(async () => {
    scene = await openScene();
    await scene.admin.orders.create(
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
      { idempotencyKey: "first" },
    );
    owner = await scene.visit("mira@harbour.ai", "/customers", "owner");
    keyboard = new Keyboard(owner.page);
  });
  afterAll(() => scene?.close());

  const at = (path: string) =>
    `${scene.baseUrl}/dashboard/organizations/${scene.admin.organizationId}${path}`;
  const button = (name: string | RegExp) => owner.page.getByRole("button", { name, exact: true }).first();
  const dialog = () => owner.page.getByRole("dialog");

  async function show(path: string, heading: string): Promise<void> {
    const { page } = owner;
    await page.goto(at(path));
    await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
    await page.waitForFunction(() => document.querySelector("main .bone, main [aria-busy=true]") === null);
  }

  /** Opens the dialog of a button, goes round in it, leaves it, and is where it was. Then opens it again. */
  async function open(name: string | RegExp): Promise<void> {
    await keyboard.activate(button(name));
    expect(await keyboard.round(dialog())).toEqual([]);
    await keyboard.press("Escape");
    await dialog().waitFor({ state: "detached" });
    await expect.poll(() => button(name).evaluate((one) => one === document.activeElement)).toBe(true);
    await keyboard.press("Enter");
    await dialog().waitFor();
  }

  async function closed(): Promise<void> {
    await dialog().waitFor({ state: "detached" });
    await keyboard.hasFocus();
  }

  const pages = [
    ["/overview", "Overview"],
    ["/customers", "Customers"],
    ["/customers/dovetail", "Dovetail Studio"],
    ["/customers/dovetail?show=budgets", "Dovetail Studio"],
    ["/budgets", "Budgets"],
    ["/usage", "Usage"],
    ["/usage?from=2026-01-01", "Usage"],
    ["/usage?by=agent", "Usage"],
    ["/audit", "Audit log"],
    ["/orders", "Orders and invoices"],
    ["/orders?show=orders", "Orders and invoices"],
    ["/books", "Books"],
    ["/books?show=credits", "Books"],
    ["/agents", "Agents and prices"],
    ["/gates", "Gates"],
    ["/keys", "API keys"],
    ["/webhooks", "Webhooks"],
    ["/people", "Users and roles"],
    ["/account", "Your account"],
    ["/start", "Set up your first gated request"],
  ] as const;
  it.each(toured("keyboard", pages))(
    "reaches by Tab all that can be pressed in %s, and shows where it is",
    async (path, heading) => {
      await show(path, heading);
      const { stops, unseen, missed } = await keyboard.tour();
      expect(stops[0]).toBe("a Skip to content");
      expect(stops.length).toBeGreaterThan(12);
      expect(unseen).toEqual([]);
      expect(missed).toEqual([]);
    },
  );

  it("signs in", async () => {
    const visit = await scene.open("/dashboard/sign-in");
    const { page } = visit;
    const hands = new Keyboard(page);
    await hands.to(page.getByLabel("Email"));
    await hands.type("mira@harbour.ai");
    await hands.press("Tab");
    await hands.type(password);
    await hands.press("Enter");
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await visit.context.close();
  });

  it("skips the navigation, opens a customer from the list, and tops up", async () => {
    const { page } = owner;
    await show("/customers", "Customers");
    await keyboard.activate(page.getByRole("link", { name: "Skip to content" }));
    await keyboard.to(page.getByRole("link", { name: "Kestrel Media" }));
    await keyboard.press("Enter");
    await page.getByRole("heading", { name: "Kestrel Media", level: 1 }).waitFor();
    await keyboard.hasFocus();
    await open("Top up");
    await keyboard.type("12");
    await keyboard.press("Enter");
    await page.getByText("Kestrel Media now has").waitFor();
    await closed();
  });

  it("marks an invoice paid", async () => {
    const { page } = owner;
    await show("/orders", "Orders and invoices");
    await keyboard.activate(page.getByRole("link", { name: /INV-/ }).first());
    await page.getByRole("heading", { name: /INV-/ }).waitFor();
    await keyboard.hasFocus();
    await open("Mark as paid");
    await keyboard.activate(dialog().getByRole("button", { name: /paid/ }));
    await closed();
    await button("Mark as paid").waitFor({ state: "detached" });
    await keyboard.hasFocus();
  });

  it.runIf(isAll)("goes round the page of an order, and cancels it", async () => {
    const { page } = owner;
    await scene.admin.orders.create(
      {
        ...{ customerExternalId: "greenline", orderName: "Not wanted", startDate: "2026-01-31" },
        lineItems: [{ agentId: "chat", platformFee: { amount: 9_900, currency: "EUR" } }],
      },
      { idempotencyKey: "second" },
    );
    await show("/orders?show=orders", "Orders and invoices");
    await keyboard.activate(page.getByRole("link", { name: "Not wanted" }));
    await page.getByRole("heading", { name: "Not wanted", level: 1 }).waitFor();
    await keyboard.hasFocus();
    const { unseen, missed } = await keyboard.tour();
    expect([unseen, missed]).toEqual([[], []]);
    await open("Cancel order");
    await keyboard.to(dialog().getByRole("textbox"));
    await keyboard.type("Ordered twice");
    await keyboard.activate(dialog().getByRole("button", { name: "Cancel order" }));
    await closed();
    await page.getByText("Not wanted cancelled").waitFor();
    await button("Cancel order").waitFor({ state: "detached" });
    await keyboard.hasFocus();
  });

  it.each([
    ["an API key", "/keys", "API keys", "New key"],
    ...(isAll ? [["a token of one's own", "/account", "Your account", "New token"] as const] : []),
  ] as const)("makes %s, and revokes it", async (_what, path, title, action) => {
    const { page } = owner;
    await show(path, title);
    await open(action);
    await keyboard.to(dialog().getByRole("textbox").first());
    await keyboard.type("laptop");
    await keyboard.press("Enter");
    await keyboard.activate(button("Done"));
    await closed();
    await keyboard.activate(page.getByRole("button", { name: "Revoke laptop" }));
    await keyboard.activate(dialog().getByRole("button", { name: /Revoke/ }));
    await closed();
    await page.getByRole("button", { name: "Revoke laptop" }).waitFor({ state: "detached" });
    await keyboard.hasFocus();
  });

  it.runIf(isAll)("makes an agent", async () => {
    await show("/agents", "Agents and prices");
    await open("New agent");
    await keyboard.to(dialog().getByRole("textbox").first());
    await keyboard.type("Phone");
    await keyboard.to(dialog().getByLabel("ID", { exact: true }));
    await keyboard.type("phone");
    await keyboard.activate(dialog().getByRole("button", { name: "Create agent" }));
    await closed();
  });

  it("makes an endpoint of webhooks", async () => {
    const { page } = owner;
    await show("/webhooks", "Webhooks");
    await open("New endpoint");
    await keyboard.to(dialog().getByLabel("Endpoint URL"));
    await keyboard.type("http://127.0.0.1:9/hook");
    await keyboard.press("Enter");
    await keyboard.activate(button("Done"));
    await closed();
    await keyboard.activate(page.getByRole("link", { name: /9\/hook/ }));
    await page.getByRole("heading", { level: 1, name: "127.0.0.1:9" }).waitFor();
    await keyboard.hasFocus();
    const { unseen, missed } = await keyboard.tour();
    expect([unseen, missed]).toEqual([[], []]);
  });

  it("invites a person, and takes the invitation back from its menu", async () => {
    const { page } = owner;
    await show("/people", "Users and roles");
    await open("Invite");
    await keyboard.to(dialog().getByLabel("Email"));
    await keyboard.type("max@harbour.ai");
    await keyboard.press("Enter");
    await keyboard.activate(button("Done"));
    await closed();
    await keyboard.activate(button("More for max@harbour.ai"));
    await page.getByRole("menuitem", { name: "Revoke" }).waitFor();
    await keyboard.press("Enter");
    await keyboard.activate(dialog().getByRole("button", { name: "Revoke" }));
    await closed();
    await page.getByRole("row", { name: /max@harbour.ai/ }).waitFor({ state: "detached" });
    await keyboard.hasFocus();
  });

  it("takes another period of the overview with Space", async () => {
    const { page } = owner;
    await show("/overview", "Overview");
    const period = page.getByRole("group", { name: "Period" }).getByRole("button").first();
    await keyboard.activate(period, "Space");
    await expect.poll(() => period.getAttribute("aria-pressed")).toBe("true");
    await keyboard.hasFocus();
  });

  it("signs out, and could sign in again at once", async () => {
    const visit = await scene.open("/dashboard/sign-in");
    await scene.signIn(visit, "mira@harbour.ai");
    const { page } = visit;
    const hands = new Keyboard(page);
    await hands.activate(page.getByRole("button", { name: "Sign out" }));
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    await hands.hasFocus();
    await hands.to(page.getByLabel("Email"));
    expect(await page.getByRole("navigation").count()).toBe(0);
    expect(visit.complaints).toEqual([]);
    await visit.context.close();
  });

  it("has broken the policy nowhere, and met no error", () => {
    expect(owner.complaints).toEqual([]);
  });
});
