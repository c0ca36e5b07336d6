import type { Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserMissing } from "./browser.ts";
import { layoutShift, openScene, type Scene, toured, type Visit } from "./scene.ts";

/** As Chromium calls a page good is 0.1; ours is half of it. */
const most = 0.05;

describe.skipIf(browserMissing)("what comes late", () => {
  let scene: Scene;
  let owner: Visit;
  let answers: Answers;
  const ids = { order: "", invoice: "" };

  beforeAll(async () => {
    scene = await openScene();
    const { admin } = scene;
    await admin.indicators.create("chat", { name: "image", billing: "FREE" });
    const { orderId, invoices } = await admin.orders.create(
      {
        ...{ customerExternalId: "dovetail", orderName: "Plus", startDate: "2026-01-31", paid: true },
        lineItems: [
          {
            agentId: "chat",
            platformFee: { amount: 18_000, currency: "EUR" },
            creditBenefits: [{ credit_currency_key: "ai_credits", credits: 2_000 }],
          },
        ],
      },
      { idempotencyKey: "plus" },
    );
    Object.assign(ids, { order: orderId, invoice: invoices[0]?.invoiceId });
    await admin.webhooks.create({ url: "http://127.0.0.1:9/hook" });
    owner = await scene.visit("mira@harbour.ai", "/customers", "owner");
    await owner.page.getByRole("row", { name: /Kestrel/ }).waitFor();
    answers = new Answers(owner.page);
    await owner.page.route("**/admin/api/**", (route) => answers.add(route));
  });
  afterAll(() => scene?.close());

  const pages = [
    ["/overview", "Overview"],
    ["/customers", "Customers"],
    ["/customers/dovetail", "Dovetail Studio"],
    ["/budgets", "Budgets"],
    ["/usage?from=2026-01-01", "Usage"],
    ["/orders", "Orders and invoices"],
    ["/orders/:order", "Plus"],
    ["/orders/invoices/:invoice", /INV-/],
    ["/books", "Books"],
    ["/agents", "Agents and prices"],
    ["/agents?agent=chat&indicator=image", "Agents and prices"],
    ["/gates", "Gates"],
    ["/keys", "API keys"],
    ["/webhooks", "Webhooks"],
    ["/people", "Users and roles"],
    ["/audit", "Audit log"],
    ["/account", "Your account"],
  ] as const;
  it.each(toured("layout", pages))(
    "moves nothing of %s, also where each answer comes after the other",
    async (path, name) => {
      const { page } = owner;
      const place = path.replace(":order", ids.order).replace(":invoice", ids.invoice);
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: width < 500 ? 844 : 900 });
        await page.goto(`${scene.baseUrl}/dashboard/organizations/${scene.admin.organizationId}${place}`);
        await page.getByRole("heading", { level: 1, name }).waitFor();
        await page.waitForFunction(
          () => document.querySelector("main .bone, main [aria-busy=true]") === null,
        );
        await answers.all();
        expect([width, await layoutShift(page)]).toEqual([
          width,
          expect.toSatisfy((shift: number) => shift <= most),
        ]);
      }
    },
  );
});

/** The answers of the admin API, of which each is drawn before the next comes. */
class Answers {
  readonly #page: Page;
  #last: Promise<void> = Promise.resolve();
  constructor(page: Page) {
    this.#page = page;
  }

  add(route: Route): void {
    this.#last = this.#last.then(() => this.#pass(route)).catch(() => undefined);
  }

  /** Resolves once there is none under way. */
  async all(): Promise<void> {
    for (let last: Promise<void> | undefined; last !== this.#last; ) {
      last = this.#last;
      await last;
      await drawn(this.#page);
    }
  }

  async #pass(route: Route): Promise<void> {
    const response = await route.fetch();
    await route.fulfill({ response });
    await drawn(this.#page);
  }
}

async function drawn(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}
