import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { balancesOf } from "../src/books/balance.ts";
import { browserMissing } from "./browser.ts";
import { picture } from "./picture.ts";
import {
  accessibilityFindings,
  hostile,
  layoutShift,
  openScene,
  overflow,
  type Scene,
  type Visit,
} from "./scene.ts";

describe("the trial balance of a currency", () => {
  const account = (name: string, currency: string, debit: number, credit: number) => ({
    ...{ account: name, currency, debit, credit, balance: debit - credit },
  });

  it("is written with the decimals of the currency, and sums up without rounding", () => {
    const accounts = [
      ...[account("cash", "EUR", 1_234_567, 0), account("receivables", "EUR", 0, 1_234_567)],
      ...[account("cash", "JPY", 500, 0), account("revenue", "JPY", 0, 500)],
    ];
    const [euros, yen] = balancesOf({ journal: "money", accounts });
    expect(euros).toMatchObject({ currency: "EUR", addsUp: true });
    expect(euros?.total).toEqual({ debit: "12,345.67", credit: "12,345.67", balance: "0.00" });
    expect(yen?.accounts[1]).toEqual({ account: "revenue", debit: "0", credit: "500", balance: "−500" });
  });

  it("has the same decimals in a whole column: as many as the amounts need", () => {
    const accounts = [
      ...[account("consumed", "ai_credits", 0, 0.3), account("issued", "ai_credits", 0.1, 0)],
      account("opening", "ai_credits", 0.2, 0),
    ];
    const [credits] = balancesOf({ journal: "credits", accounts });
    expect(credits?.addsUp).toBe(true);
    expect(credits?.accounts.map(({ balance }) => balance)).toEqual(["−0.30", "0.10", "0.20"]);
    const finer = balancesOf({ journal: "credits", accounts: [account("consumed", "x", 1, 1.0005)] });
    expect(finer[0]?.accounts[0]).toMatchObject({ debit: "1.0000", balance: "−0.0005" });
  });

  it("says so where debit is not credit", () => {
    const [euros] = balancesOf({ journal: "money", accounts: [account("cash", "EUR", 1, 0)] });
    expect(euros).toMatchObject({ addsUp: false, total: { balance: "0.01" } });
  });
});

describe.skipIf(browserMissing)("the books", () => {
  let scene: Scene;
  let reader: Visit;
  const path = (search = "") =>
    new URL(`/dashboard/organizations/${scene.admin.organizationId}/books${search}`, scene.baseUrl).href;
  const row = (name: string | RegExp) => reader.page.getByRole("row", { name });

  beforeAll(async () => {
    scene = await openScene();
    const { admin } = scene;
    await admin.issuers.set({
      legalName: "Harbour AI",
      addressLines: ["Rua do Ouro 12"],
      taxes: [{ name: hostile, basisPoints: 2_500 }],
    });
    const order = (customerExternalId: string, amount: number, currency: string, paid: boolean) =>
      admin.orders.create(
        {
          ...{ customerExternalId, orderName: "Plus", startDate: "2026-01-31", paid },
          lineItems: [
            {
              agentId: "chat",
              platformFee: { amount, currency },
              creditBenefits: [{ credit_currency_key: "ai_credits", credits: 100 }],
            },
          ],
        },
        { idempotencyKey: customerExternalId },
      );
    await order("cobalt-freight", 125_000, "EUR", true);
    await order("dovetail", 25_000, "EUR", false);
    await order("greenline", 5_000, "JPY", true);
    reader = await scene.visit("rosa@harbour.ai", "/customers", "read");
  });
  afterAll(() => scene?.close());

  it("is found by a few letters, and by its key", async () => {
    const { page } = reader;
    await page.getByRole("row", { name: /Kestrel/ }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "A page or a customer" }).fill("boo");
    await page.getByRole("option", { name: /Books/, selected: true }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Books", level: 1 }).waitFor();
    await page.getByRole("link", { name: "Customers" }).click();
    await page.getByRole("heading", { name: "Customers", level: 1 }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("b");
    await page.getByRole("heading", { name: "Books", level: 1 }).waitFor();
  });

  it("adds up in each currency of money, account by account", async () => {
    await row(/^cash .* 1,250\.00 0\.00 1,250\.00$/).waitFor();
    await row(/^receivables .* 1,500\.00 1,250\.00 250\.00$/).waitFor();
    await row(/^revenue .* 0\.00 1,200\.00 −1,200\.00$/).waitFor();
    await row(/^tax:<img .* 0\.00 300\.00 −300\.00$/).waitFor();
    await row("Total 2,750.00 2,750.00 0.00").waitFor();
    await row("EUR Balanced").waitFor();
    await row("JPY Balanced").waitFor();
    await row("Total 10,000 10,000 0").waitFor();
    const { page } = reader;
    expect(await page.evaluate(() => "broken" in window)).toBe(false);
  });

  it("shows what the API sums up of the credits, and adds up to nothing less", async () => {
    const { page } = reader;
    const journals = page.getByRole("navigation", { name: "Journals" });
    await journals.getByRole("link", { name: "Credits" }).click();
    await row("ai_credits Balanced").waitFor();
    await row("voice_minutes Balanced").waitFor();
    const { accounts } = await scene.admin.books.balance({ journal: "credits" });
    expect(await page.getByRole("rowheader").count()).toBe(accounts.length + 2 * 2);
    const issued = accounts.find(({ account }) => account === "issued");
    expect(issued?.debit).toBe(300);
    await row(/^issued .* 300\.00 0\.00 300\.00$/).waitFor();
  });

  it("is of the period that is chosen, by name or by days, in both journals", async () => {
    const { page } = reader;
    await page.getByLabel("Period").selectOption("Last year");
    await page.getByText("No postings in this period").waitFor();
    const year = new Date().getUTCFullYear() - 1;
    expect(await page.getByLabel("Posted from").inputValue()).toBe(`${year}-01-01`);
    expect(await page.getByLabel("Posted to").inputValue()).toBe(`${year}-12-31`);
    await page.getByRole("link", { name: "Money" }).click();
    await page.getByText("Invoices, payments").waitFor();
    await page.getByLabel("Posted to").fill("");
    await row("Total 2,750.00 2,750.00 0.00").waitFor();
    expect(await page.getByLabel("Period").inputValue()).toBe("days");
    await page.getByLabel("Period").selectOption("All time");
    await page.getByText("the accounts’ current state").waitFor();
    await row("Total 2,750.00 2,750.00 0.00").waitFor();
  });

  it.each([
    ["money", ""],
    ["credits", "&show=credits"],
  ])("has the journal of %s as a file, of the same period", async (journal, show) => {
    const { page } = reader;
    await page.goto(path(`?period=year${show}`));
    await row(/^Total/)
      .first()
      .waitFor();
    const started = page.waitForEvent("download");
    await page.getByRole("link", { name: `CSV of the journal of ${journal}` }).click();
    const download = await started;
    expect(download.suggestedFilename()).toContain(`${journal}-journal`);
    const [head, ...rows] = (await readFile(await download.path(), "utf8")).trim().split("\r\n");
    expect(head).toContain('"account","customerId","debit","credit","currency"');
    expect(rows.length).toBeGreaterThan(5);
    await page.goto(path(`?period=last-year${show}`));
    await page.getByText("No postings in this period").waitFor();
    const file = await page.getByRole("link", { name: /^CSV/ }).getAttribute("href");
    expect(file).toMatch(new RegExp(`/books/${journal}\\.csv\\?from=\\d{4}-01-01T.*&to=\\d{4}-01-01T`));
  });

  it("says what has failed, and tries again", async () => {
    const { page } = reader;
    const answer = "**/books/balance?*";
    await page.route(answer, (route) => route.fulfill({ status: 400, body: "{}" }));
    await page.goto(path());
    await page.getByText("The trial balance could not be loaded.").waitFor();
    await page.unroute(answer);
    await page.getByRole("button", { name: "Try again" }).click();
    await row("EUR Balanced").waitFor();
  });

  it.each(["light", "dark"] as const)(
    "is accessible in the %s theme, fits 320 px, and moves nothing",
    async (theme) => {
      const { page } = reader;
      await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
      for (const show of ["", "?show=credits"]) {
        await page.setViewportSize({ width: 1440, height: 900 });
        await page.goto(path(show));
        await row(/Balanced/)
          .first()
          .waitFor();
        expect(await layoutShift(page)).toBeLessThanOrEqual(0.05);
        expect(await accessibilityFindings(page)).toEqual([]);
        await picture(page, `books${show.replace("?show=", "-")}-${theme}`);
        await page.setViewportSize({ width: 320, height: 800 });
        expect(await overflow(page)).toBe(0);
        expect(await accessibilityFindings(page)).toEqual([]);
        await picture(page, `books${show.replace("?show=", "-")}-phone-${theme}`);
      }
    },
  );

  it("has broken its policy nowhere, and met no error", () => {
    expect(reader.complaints).toEqual([]);
  });
});
