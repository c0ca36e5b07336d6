import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserMissing } from "./browser.ts";
import { picture } from "./picture.ts";
import { accessibilityFindings, hostile, openScene, overflow, type Scene, type Visit } from "./scene.ts";

describe.skipIf(browserMissing)("orders and invoices", () => {
  let scene: Scene;
  let owner: Visit;
  const voicePrice = { amount: "20", currency: "EUR" };
  const orders = (rest = "") =>
    new URL(`/dashboard/organizations/${scene.admin.organizationId}/orders${rest}`, scene.baseUrl).href;

  beforeAll(async () => {
    scene = await openScene();
    const { admin } = scene;
    await admin.currencies.set({
      creditCurrencyKey: "voice_minutes",
      unitPrice: voicePrice,
    });
    const order = (customer: string, orderName: string, amount: number, credits: number, paid = false) =>
      admin.orders.create(
        {
          customerExternalId: customer,
          orderName,
          startDate: "2026-01-31",
          lineItems: [
            {
              agentId: "chat",
              platformFee: { amount, currency: "EUR" },
              creditBenefits: [{ credit_currency_key: "ai_credits", credits }],
            },
          ],
          paid,
        },
        { idempotencyKey: customer },
      );
    await order("cobalt-freight", "Starter", 45_000, 5_000, true);
    await order("dovetail", "Plus extra", 18_000, 2_000);
    await order("greenline", "Not wanted", 9_900, 100);
    await order("hostile", hostile, 100, 1);
    owner = await scene.visit("mira@harbour.ai", "/orders", "owner");
  });
  afterAll(() => scene?.close());

  it("lists invoices, orders and credit notes, by customer, state and day, with the file of the same", async () => {
    const { page } = owner;
    const open = page.getByRole("row", { name: /dovetail/ });
    await open.getByText("€180.00").waitFor();
    expect(await page.getByRole("row").count()).toBe(5);
    await page.getByLabel("Status").selectOption("paid");
    await open.waitFor({ state: "detached" });
    await page.getByRole("row", { name: /cobalt-freight/ }).waitFor();
    await page.getByLabel("Issued to").fill("2020-01-01");
    await page.getByText("No matching invoices").waitFor();
    const file = await page.getByRole("link", { name: "CSV" }).getAttribute("href");
    expect(file).toMatch(/\/invoices\.csv\?status=paid&to=2020-01-02T00%3A00%3A00\.000Z$/);
    await page.getByRole("navigation", { name: "Lists" }).getByRole("link", { name: "Orders" }).click();
    await page.getByRole("row", { name: /Plus extra/ }).waitFor();
    await page.getByLabel("Customer").fill("greenline");
    await page.keyboard.press("Enter");
    await page.getByRole("row", { name: /Plus extra/ }).waitFor({ state: "detached" });
    await page.getByRole("row", { name: /Not wanted/ }).waitFor();
    await page.getByRole("link", { name: "Credit notes" }).click();
    await page.getByText("No credit notes yet").waitFor();
  });

  it("marks an invoice paid once it has said what that gives and starts", async () => {
    const { page } = owner;
    await page.goto(orders());
    await page
      .getByRole("row", { name: /dovetail/ })
      .getByRole("link", { name: /INV-/ })
      .click();
    await page.getByRole("heading", { name: /INV-/ }).waitFor();
    await page.getByRole("link", { name: "Dovetail Studio" }).waitFor();
    await page.getByText("2,000.00 ai_credits").waitFor();
    await picture(page, "invoice-light");
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByRole("button", { name: "Mark as paid" }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("row", { name: /Pending 4,000.00 −2,000.00 2,000.00/ }).waitFor();
    await dialog.getByRole("row", { name: /Overage used 120.00 −120.00 0.00/ }).waitFor();
    await dialog.getByRole("row", { name: /Available 0.00 \+1,880.00 1,880.00/ }).waitFor();
    await dialog.getByText(/Dovetail Studio no longer owes €180.00/).waitFor();
    await dialog.getByText(/This cannot be undone/).waitFor();
    await picture(page, "mark-paid-light");
    expect(await accessibilityFindings(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Mark €180.00 as paid" }).click();
    await page.getByText("2,000.00 ai_credits available.").waitFor();
    await dialog.waitFor({ state: "detached" });
    expect(await page.getByRole("button", { name: "Mark as paid" }).count()).toBe(0);
    const wallet = await scene.admin.wallets.get("dovetail", "ai_credits");
    expect(wallet).toMatchObject({ available: 1_880, overageUsed: 0, pending: 2_000 });
  });

  it("takes back by a credit note at most what is left, once", async () => {
    const { page } = owner;
    await page.getByRole("button", { name: "Credit note" }).click();
    const dialog = page.getByRole("dialog");
    const amount = dialog.getByLabel("Refund amount");
    expect(await amount.inputValue()).toBe("180.00");
    await amount.fill("180.01");
    await dialog.getByText("Enter at most €180.00").waitFor();
    await amount.fill("90");
    const credits = dialog.getByLabel("Credits to remove, ai_credits");
    expect(await credits.inputValue()).toBe("1,880.00");
    await credits.fill("1,000");
    await dialog.getByLabel("Reason").fill("Half of it was not wanted");
    await dialog.getByRole("row", { name: /Available 1,880.00 −1,000.00 880.00/ }).waitFor();
    await dialog.getByText(/Refund €90.00/).waitFor();
    await picture(page, "credit-note-light");
    const sent = page.waitForRequest((request) => request.url().endsWith("/credit-notes"));
    await dialog.getByRole("button", { name: "Credit €90.00" }).click();
    expect((await sent).headers()["idempotency-key"]).toMatch(/^[0-9a-f-]{36}$/);
    await page.getByRole("row", { name: /CN-1 .*€90.00/ }).waitFor();
    const { available } = await scene.admin.wallets.get("dovetail", "ai_credits");
    expect(available).toBe(880);
  });

  it("cancels an order, and voids an invoice whose name is markup, with a reason", async () => {
    const { page } = owner;
    await page.goto(orders("?show=orders"));
    await page.getByRole("link", { name: "Not wanted" }).click();
    await page.getByRole("button", { name: "Cancel order" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("row", { name: /Pending 100,100.00 −100.00 100,000.00/ }).waitFor();
    const confirm = dialog.getByRole("button", { name: "Cancel order" });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByLabel("Reason").fill("Ordered by mistake");
    await confirm.click();
    await page.getByText("Cancelled", { exact: true }).first().waitFor();
    await page.getByRole("row", { name: /INV-.*Void/ }).waitFor();

    await page.goto(orders("?show=orders&customer=hostile"));
    await page.getByRole("link", { name: hostile }).click();
    await page.getByRole("heading", { name: hostile }).waitFor();
    await page.getByRole("link", { name: /INV-/ }).click();
    await page.getByRole("button", { name: "Void" }).click();
    await dialog.getByLabel("Reason").fill(hostile);
    await dialog.getByText(/is cancelled/).waitFor();
    await dialog.getByRole("button", { name: /Void INV-/ }).click();
    await page.getByText("Voided", { exact: true }).waitFor();
    expect(await page.evaluate(() => "broken" in window)).toBe(false);
    expect(await page.locator("main img").count()).toBe(0);
  });

  it("says before a period is closed which credits have no price in money, and leads to where one is set", async () => {
    const { page } = owner;
    await scene.admin.currencies.set({ creditCurrencyKey: "voice_minutes", unitPrice: null });
    await page.goto(orders());
    await page.getByRole("button", { name: "Close periods" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Periods").selectOption("running");
    await dialog.getByRole("row", { name: /voice_minutes 1 312.75 no price/ }).waitFor();
    await dialog
      .getByText(/voice_minutes has no credit price, so its usage is invoiced in credits/)
      .waitFor();
    await dialog.getByText(/first set the credit price on .*It also applies to earlier usage/).waitFor();
    await dialog.getByRole("link", { name: "Agents and prices" }).click();
    await page.getByRole("button", { name: "Credit price" }).click();
    await dialog.getByLabel("Credit currency").selectOption("voice_minutes");
    await dialog.getByText("No price in money yet.").waitFor();
    await dialog.getByLabel("Price per credit").fill("0.2");
    await dialog.getByText(/and for earlier usage that is not invoiced yet/).waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Set 0.2 EUR per credit" }).click();
    await page.getByText("Credit price of voice_minutes set to 0.2 EUR").waitFor();
    const known = await scene.admin.currencies.list();
    expect(known.find((one) => one.creditCurrencyKey === "voice_minutes")?.unitPrice).toEqual(voicePrice);
  });

  it("closes the running period, and voids what it has made so that it is billed again", async () => {
    const { page } = owner;
    await page.goto(orders());
    await page.getByRole("button", { name: "Close periods" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Periods").selectOption("running");
    await dialog.getByRole("row", { name: /voice_minutes 1 312.75 €62.55/ }).waitFor();
    await dialog.getByText(/a new period starts/).waitFor();
    await picture(page, "close-periods-light");
    expect(await accessibilityFindings(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Close current period" }).click();
    await page.getByText(/invoices issued/).waitFor();
    await page
      .getByRole("row", { name: /€62.55/ })
      .getByRole("link", { name: /INV-/ })
      .click();
    await page.getByRole("button", { name: "Void" }).click();
    await dialog.getByRole("row", { name: /Used, not invoiced 0.00 \+312.75 312.75/ }).waitFor();
    await dialog.getByLabel("Reason").fill("The price was wrong");
    await dialog.getByRole("button", { name: /Void INV-/ }).click();
    await page.getByText("Voided", { exact: true }).waitFor();
    await page.getByText("Billed on the next invoice", { exact: true }).waitFor();
    const { postpaidUsed } = await scene.admin.wallets.get("dovetail", "voice_minutes");
    expect(postpaidUsed).toBe(312.75);
  });

  it("makes an order once, which is paid already", async () => {
    const { page } = owner;
    await page.goto(orders("?show=orders"));
    await page.getByRole("button", { name: "New order" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Customer").fill("cobalt-freight");
    await dialog.getByLabel("Order name").fill("Plus, by hand");
    await dialog.getByLabel("Fee").fill("450");
    await dialog.getByLabel("Included credits").fill("5,000");
    await dialog.getByLabel("Payment").selectOption("paid");
    await dialog.getByText("A paid invoice of €450.00 is issued.", { exact: false }).waitFor();
    await picture(page, "order-dialog-light");
    expect(await accessibilityFindings(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Create order" }).click();
    await page.getByRole("heading", { name: "Plus, by hand" }).waitFor();
    await page.getByText("Active", { exact: true }).first().waitFor();
    await picture(page, "order-light");
  });

  it("makes an order whose credits recur, once it has said when, and shows what is refused at its field", async () => {
    const { page } = owner;
    await page.goto(orders("?show=orders"));
    await page.getByRole("button", { name: "New order" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Customer").fill("nobody");
    await dialog.getByLabel("Order name").fill("Pro");
    await dialog.getByLabel("Included credits").fill("100");
    await dialog.getByLabel("Payment").selectOption("paid");
    const make = dialog.getByRole("button", { name: "Create order" });
    await dialog.getByLabel("Validity").selectOption("days");
    await dialog.getByLabel("Expires after").fill("0");
    await dialog.getByText("Enter 1 to 36,500 days").waitFor();
    expect(await make.isDisabled()).toBe(true);
    await dialog.getByLabel("Expires after").fill("30");
    await dialog.getByText(/100.00 ai_credits are available immediately and expire on \d/).waitFor();
    await dialog.getByLabel("Validity").selectOption("month");
    await dialog.getByLabel("Rollover").fill("50");
    await make.click();
    const customer = dialog.locator(".field", { hasText: "Customer" });
    await customer.getByText('Expected one that exists, received "nobody".').waitFor();
    await customer.getByRole("combobox").fill("cobalt-freight");
    await customer.getByText(/Expected one/).waitFor({ state: "detached" });
    const said = dialog.getByText(/up to 50.00 unused credits roll over for one month/);
    await picture(page, "order-recurring-light");
    expect(await accessibilityFindings(page)).toEqual([]);
    const text = await said.textContent();
    await make.click();
    await page.getByRole("heading", { name: "Pro", exact: true }).waitFor();
    await page.getByText("each month, up to 50.00 roll over").waitFor();
    const { allowances } = await scene.admin.allowances.list({ customerId: "cobalt-freight" });
    expect(allowances).toMatchObject([{ credits: 100, every: "month", rollover: 50 }]);
    const nextAt = new Date(allowances[0]?.nextAt ?? "");
    const day = nextAt.toLocaleDateString("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
    // With its year if that is another one.
    expect(text).toMatch(new RegExp(`then 100.00 each month from ${day}( \\d{4})? on`));
  });

  it("leads to the invoice on paper, where somebody issues it", async () => {
    const { page, context } = owner;
    const [invoice] = (await scene.admin.invoices.list({ customerId: "dovetail" })).invoices;
    const address = `${orders()}/invoices/${invoice?.invoiceId}`;
    await page.goto(address);
    await page.getByRole("heading", { name: /INV-/ }).waitFor();
    expect(await page.getByRole("link", { name: /Print/ }).count()).toBe(0);
    await scene.admin.issuers.set({ legalName: "Harbour AI GmbH", addressLines: ["Kai 1", "20457 Hamburg"] });
    await page.goto(address);
    const opened = context.waitForEvent("page");
    await page.getByRole("link", { name: "Print (a new tab)" }).click();
    const paper = await opened;
    await paper.getByText("Harbour AI GmbH").first().waitFor();
    await paper.close();
    expect(await accessibilityFindings(page)).toEqual([]);
  });

  it.each([
    ["HUF", 100_000, "HUF 1,000.00", "1,000.00"],
    ["IQD", 1_000_000, "IQD 1,000.000", "1,000.000"],
    ["JPY", 1_000, "¥1,000", "1,000"],
  ])(
    "makes due as much of %s as was written, as the paper has it",
    async (currency, amount, shown, printed) => {
      const { page } = owner;
      const { admin } = scene;
      await page.goto(orders("?show=orders"));
      await page.getByRole("button", { name: "New order" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Customer").fill("brightwater");
      await dialog.getByLabel("Order name").fill(`In ${currency}`);
      await dialog.getByLabel("Fee").fill("1,000");
      await dialog.getByLabel("Currency", { exact: true }).fill(currency);
      await dialog.getByText(`An open invoice of ${shown} is issued.`).waitFor();
      await dialog.getByRole("button", { name: "Create order" }).click();
      await page.getByRole("heading", { name: `In ${currency}` }).waitFor();
      const [invoice] = (await admin.invoices.list({ customerId: "brightwater" })).invoices;
      expect(invoice?.amount).toBe(amount);
      await page.goto(orders(`/invoices/${invoice?.invoiceId}`));
      await page.getByText(shown).first().waitFor();
      await page.goto(
        `${scene.baseUrl}/admin/api/organizations/${admin.organizationId}/invoices/${invoice?.invoiceId}/print`,
      );
      await page.getByText(`${currency} ${printed}`).waitFor();
    },
  );

  it("shows a reader what there is, and no button that changes it", async () => {
    const reader = await scene.visit("rosa@harbour.ai", "/orders", "read");
    const { page } = reader;
    await page
      .getByRole("row", { name: /dovetail/ })
      .first()
      .waitFor();
    expect(await page.getByRole("button", { name: /New order|Close periods/ }).count()).toBe(0);
    await page
      .getByRole("row", { name: /dovetail/ })
      .getByRole("link", { name: /INV-/ })
      .last()
      .click();
    await page.getByRole("heading", { name: /INV-/ }).waitFor();
    expect(await page.getByRole("button", { name: /paid|Void|Credit/ }).count()).toBe(0);
    expect(reader.complaints).toEqual([]);
    await reader.context.close();
  });

  it.each(["light", "dark"] as const)("is accessible in the %s theme, and fits 320 px", async (theme) => {
    const { page } = owner;
    const customerId = "dovetail";
    const [order] = (await scene.admin.orders.list({ customerId })).orders;
    const [invoice] = (await scene.admin.invoices.list({ customerId, status: "paid" })).invoices;
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    for (const [path, name] of [
      ["", "invoices"],
      ["?show=orders", "orders"],
      ["?show=credit-notes", "credit-notes"],
      [`/${order?.orderId}`, "order"],
      [`/invoices/${invoice?.invoiceId}`, "invoice"],
    ] as const) {
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.goto(orders(path));
      await page.getByRole("row").nth(1).waitFor();
      expect(await accessibilityFindings(page)).toEqual([]);
      await picture(page, `${name}-${theme}`);
      await page.setViewportSize({ width: 320, height: 800 });
      expect(await overflow(page)).toBe(0);
      await picture(page, `${name}-phone-${theme}`);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it("has broken its policy nowhere, and met no error", () => {
    expect(owner.complaints).toEqual([]);
  });
});
