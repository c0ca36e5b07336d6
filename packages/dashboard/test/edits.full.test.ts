import { readdirSync, readFileSync } from "node:fs";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserMissing } from "./browser.ts";
import { picture } from "./picture.ts";
import { accessibilityFindings, openScene, type Scene, type Visit } from "./scene.ts";

const source = new URL("../src/", import.meta.url);

/** A dialog that edits a record, while someone else edits it by the API. */
interface Case {
  readonly file: string;
  readonly as?: "operator";
  readonly path: () => string;
  readonly open: (page: Page) => Promise<void>;
  /** What the person writes, which is another field than that of the other one. */
  readonly write?: (dialog: Locator) => Promise<void>;
  readonly action: string;
  readonly other: () => Promise<unknown>;
  /** What the dialog says of the other's edit. */
  readonly note: RegExp;
  /** The record after both edits. */
  readonly after: () => Promise<unknown>;
  readonly kept: object;
}

const press = (name: string) => async (page: Page) => page.getByRole("button", { name, exact: true }).click();
const choose = (menu: string, name: string) => async (page: Page) => {
  await page.getByRole("button", { name: menu }).click();
  await page.getByRole("menuitem", { name }).click();
};
const fill = (label: string, text: string) => async (dialog: Locator) =>
  dialog.getByLabel(label, { exact: true }).fill(text);

let scene: Scene;
let endpointId: string;
let userId: string;

const endpoint = async () => (await scene.admin.webhooks.list()).find((one) => one.endpointId === endpointId);
const jonas = async () => (await scene.operator.users.list()).find((one) => one.userId === userId);

const cases: readonly Case[] = [
  {
    file: "customer/wallet-panel.tsx",
    path: () => "/customers/greenline?wallet=ai_credits",
    open: press("Edit limits of ai_credits"),
    write: fill("Low-balance threshold", "3"),
    action: "Save limits",
    other: () => scene.admin.wallets.setLimits("greenline", "ai_credits", { overageLimit: 40 }),
    note: /Overage limit: 0 → 40 by admin token \w+, just now/,
    after: () => scene.admin.wallets.get("greenline", "ai_credits"),
    kept: { overageLimit: 40, lowThreshold: 3 },
  },
  {
    file: "customer/auto-top-up-dialog.tsx",
    path: () => "/customers/greenline?wallet=ai_credits",
    open: press("Auto top-up of ai_credits"),
    async write(dialog) {
      await fill("Top up below", "10")(dialog);
      await fill("Credits to add", "100")(dialog);
      await fill("Price", "5")(dialog);
    },
    action: "Save auto top-up",
    other: () => scene.admin.wallets.setLimits("greenline", "ai_credits", { overageLimit: 41 }),
    note: /Overage limit: 40 → 41/,
    after: () => scene.admin.wallets.get("greenline", "ai_credits"),
    kept: { overageLimit: 41, autoTopUp: { below: 10 } },
  },
  {
    file: "budgets/budget-dialogs.tsx",
    path: () => "/budgets",
    open: choose("More for member:1 of greenline", "Edit"),
    write: fill("Limit", "20"),
    action: "Save budget",
    other: () => scene.admin.budgets.set("greenline", "ai_credits", "member:1", { warnAt: 9 }),
    note: /Warn at: none → 9 by admin token/,
    after: () => scene.admin.budgets.get("greenline", "ai_credits", "member:1"),
    kept: { limit: 20, warnAt: 9 },
  },
  {
    file: "customer/customer-fields.tsx",
    path: () => "/customers/dovetail",
    open: choose("More for Dovetail Studio", "Edit customer"),
    write: fill("City (optional)", "Faro"),
    action: "Save changes",
    other: () => scene.admin.customers.edit("dovetail", { email: "new@dovetail.studio", country: "PT" }),
    note: /Email: billing@dovetail.studio → new@dovetail.studio.*Country: none → PT/s,
    after: () => scene.admin.customers.get("dovetail"),
    kept: { name: "Dovetail Studio", email: "new@dovetail.studio", country: "PT", city: "Faro" },
  },
  {
    file: "webhooks/endpoint-dialog.tsx",
    path: () => `/webhooks/${endpointId}`,
    open: press("Edit"),
    write: fill("Description (optional)", "Mine"),
    action: "Save endpoint",
    other: () => scene.admin.webhooks.edit(endpointId, { url: "https://example.com/theirs" }),
    note: /Endpoint URL: https:\/\/example.com\/ → https:\/\/example.com\/theirs/,
    after: endpoint,
    kept: { url: "https://example.com/theirs", description: "Mine" },
  },
  {
    file: "webhooks/webhook-page.tsx",
    path: () => `/webhooks/${endpointId}`,
    open: press("Disable"),
    action: "Disable endpoint",
    other: () => scene.admin.webhooks.edit(endpointId, { description: "Do not disable" }),
    note: /Description: Mine → Do not disable/,
    after: endpoint,
    kept: { status: "disabled", description: "Do not disable" },
  },
  {
    file: "webhooks/webhooks-page.tsx",
    path: () => "/webhooks",
    open: press("Edit threshold"),
    write: fill("Low-balance threshold", "5"),
    action: "Save threshold",
    other: () => scene.admin.configure({ lowThreshold: 100 }),
    note: /Low-balance threshold: none → 100/,
    after: async () =>
      (await scene.operator.organizations.list()).find(
        (one) => one.organizationId === scene.admin.organizationId,
      ),
    kept: { lowThreshold: 5 },
  },
  {
    file: "people/members.tsx",
    path: () => "/people",
    open: choose("More for jonas@example.com", "Edit roles"),
    write: (dialog) => dialog.getByLabel(/^Keys/).check(),
    action: "Save roles",
    other: () => scene.admin.members.edit(userId, { roles: ["read", "money"] }),
    note: /Roles: read → read, money/,
    after: async () => (await scene.admin.members.list()).find((one) => one.userId === userId),
    kept: { roles: ["read", "keys"] },
  },
  {
    file: "people/people-page.tsx",
    as: "operator",
    path: () => "/people",
    open: choose("More for the account jonas@example.com", "Disable account"),
    action: "Disable account",
    other: () => scene.operator.users.edit(userId, { operator: true }),
    note: /Operator: false → true/,
    after: jonas,
    kept: { operator: true, disabled: true },
  },
  {
    file: "agents/agent-dialog.tsx",
    path: () => "/agents?agent=chat",
    open: press("Edit agent"),
    write: fill("Type (optional)", "voice"),
    action: "Save agent",
    other: () => scene.admin.agents.edit("chat", { agentName: "Renamed" }),
    note: /Name: Support chat → Renamed/,
    after: () => scene.admin.agents.get("chat"),
    kept: { agentName: "Renamed", agentType: "voice" },
  },
  {
    file: "agents/agents-page.tsx",
    path: () => "/agents",
    open: press("Credit price"),
    write: fill("Price per credit", "0.50"),
    action: "Set 0.50 EUR per credit",
    other: () => scene.admin.currencies.set({ creditCurrencyKey: "ai_credits", name: "AI credits" }),
    note: /Name: none → AI credits/,
    after: async () =>
      (await scene.admin.currencies.list()).find((one) => one.creditCurrencyKey === "ai_credits"),
    kept: { name: "AI credits", unitPrice: { currency: "EUR" } },
  },
  {
    file: "agents/price-dialog.tsx",
    path: () => "/agents?agent=chat&indicator=message",
    open: press("Change price"),
    write: (dialog) => dialog.getByRole("textbox", { name: "Event" }).fill("2"),
    action: "Change price now",
    other: () =>
      scene.admin.indicators.setPrice("chat", "message", {
        billing: "CREDITS",
        currency: "ai_credits",
        price: { perEvent: 9 },
      }),
    note: /Version: 1 → 2/,
    after: async () => (await scene.admin.indicators.prices("chat", "message").list()).prices[0],
    kept: { version: 3, price: { perEvent: "2" } },
  },
];

/** Dialogs that make, end or do something, or only show it: they put nothing in the place of what someone else has set. */
const others = [
  ...["agents/agent-view.tsx", "audit/audit-page.tsx", "customers/customers-page.tsx"],
  ...["customer/customer-page.tsx", "customer/top-up-dialog.tsx", "customer/voice-list.tsx"],
  ...["customer/wallet-dialog.tsx", "keys/key-dialogs.tsx", "orders/order-page.tsx"],
  ...["orders/credit-note-dialog.tsx", "orders/invoice-dialogs.tsx", "orders/order-dialog.tsx"],
  ...["orders/orders-page.tsx", "parts/form-dialog.tsx", "people/account-page.tsx"],
  ...["people/invitations.tsx", "usage/report-table.tsx", "webhooks/action-dialogs.tsx"],
  "webhooks/delivery-log.tsx",
];

describe("the dialogs of the dashboard", () => {
  const files = readdirSync(source, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => ({ file, text: readFileSync(new URL(file, source), "utf8") }));

  it("are each known to edit a record, and tested below, or not to", () => {
    const dialogs = files
      .filter(({ text }) => /<(Form|Action|View)Dialog\b/.test(text))
      .map(({ file }) => file);
    expect(dialogs.toSorted()).toEqual([...cases.map(({ file }) => file), ...others].toSorted());
  });

  it("edit by useEdit alone", () => {
    const edits =
      /\.(edit|setLimits|setPrice|configure)\(|\.(limits|budgets)\.set\(|\.issuers\.set\(|unitPrice[ },]/;
    const components = files.flatMap(({ file, text }) =>
      text.split(/^(?=(?:export )?function )/m).map((component) => ({ file, text: component })),
    );
    const calling = components.filter(
      ({ file, text }) => file !== "api/edit.ts" && /\badmin\b|organization\./.test(text) && edits.test(text),
    );
    const wrong = calling.filter(
      ({ text }) => /useChange|useAction|<ActionDialog\b/.test(text) && !/useEdit/.test(text),
    );
    expect(wrong.map(({ file }) => file)).toEqual([]);
    for (const { file } of cases) {
      const text = files.find((one) => one.file === file)?.text ?? "";
      expect(text, file).toMatch(/useEdit[<(]/);
      expect(text, file).toContain("...seen");
    }
  });
});

describe.skipIf(browserMissing)("edits in a browser", () => {
  let owner: Visit;
  let operator: Visit;

  beforeAll(async () => {
    scene = await openScene();
    operator = await scene.openAsOperator("olga@example.com");
    owner = await scene.visit("mira@harbour.ai", "/customers", "owner");
    await (await scene.visit("jonas@example.com", "/customers", "read")).context.close();
    await scene.admin.budgets.set("greenline", "ai_credits", "member:1", { limit: 10 });
    endpointId = (await scene.admin.webhooks.create({ url: "https://example.com/" })).endpointId;
    userId =
      (await scene.operator.users.list()).find(({ email }) => email === "jonas@example.com")?.userId ?? "";
  });
  afterAll(() => scene?.close());

  const at = (path: string) =>
    new URL(`/dashboard/organizations/${scene.admin.organizationId}${path}`, scene.baseUrl).href;

  it.each(cases)("$file shows what someone else has changed, and keeps both", async (each) => {
    const { page } = each.as === "operator" ? operator : owner;
    await page.goto(at(each.path()));
    await each.open(page);
    const dialog = page.getByRole("dialog");
    await each.write?.(dialog);
    await each.other();
    const save = dialog.getByRole("button", { name: each.action, exact: true });
    await save.click();
    const note = dialog.getByRole("alert");
    await note.waitFor();
    expect(await note.innerText()).toMatch(each.note);
    expect(await accessibilityFindings(page)).toEqual([]);
    await picture(page, `conflict-${each.file.replaceAll(/\W/g, "-")}`);
    await save.click();
    await dialog.waitFor({ state: "detached" });
    expect(await each.after()).toMatchObject(each.kept);
  });

  it("of two operators at once: the first is kept, and the second takes it over", async () => {
    const path = "/customers/cobalt-freight?wallet=ai_credits";
    const second = await scene.visit("sara@harbour.ai", path, "money");
    await owner.page.goto(at(path));
    for (const { page } of [owner, second]) {
      await press("Edit limits of ai_credits")(page);
      await page.getByRole("dialog").getByLabel("Overage limit").waitFor();
    }
    const [first, other] = [owner.page.getByRole("dialog"), second.page.getByRole("dialog")];
    await fill("Overage limit", "0")(first);
    await press("Save limits")(owner.page);
    await first.waitFor({ state: "detached" });
    await fill("Low-balance threshold", "3")(other);
    await press("Save limits")(second.page);
    await other.getByText(/Overage limit: 50000 → 0 by mira@harbour.ai, just now/).waitFor();
    expect(await other.getByLabel("Overage limit").inputValue()).toBe("0.00");
    expect(await other.getByLabel("Low-balance threshold").inputValue()).toBe("3");
    await other.getByText("The limit does not change.").waitFor();
    await other.getByRole("button", { name: "Discard my changes" }).click();
    await other.getByRole("alert").waitFor({ state: "detached" });
    expect(await other.getByLabel("Low-balance threshold").inputValue()).toBe("");
    expect(await other.getByRole("button", { name: "Save limits" }).isDisabled()).toBe(true);
    expect(await scene.admin.wallets.get("cobalt-freight", "ai_credits")).toMatchObject({
      overageLimit: 0,
      lowThreshold: null,
    });
    await fill("Low-balance threshold", "4")(other);
    await press("Save limits")(second.page);
    await other.waitFor({ state: "detached" });
    expect(await scene.admin.wallets.get("cobalt-freight", "ai_credits")).toMatchObject({
      overageLimit: 0,
      lowThreshold: 4,
    });
  });
});
