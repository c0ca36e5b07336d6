import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserMissing } from "./browser.ts";
import { type PdfText, readPdf } from "./pdf-text.ts";
import { openScene, type Scene, type Visit } from "./scene.ts";

describe.skipIf(browserMissing)("documents on paper", () => {
  let scene: Scene;
  let visit: Visit;
  beforeAll(async () => {
    scene = await openScene();
    await scene.admin.issuers.set({
      legalName: "Harbour AI Ltd.",
      addressLines: ["1 Quay Street", "Dublin"],
      taxes: [
        { name: "GST", basisPoints: 500 },
        { name: "PST", basisPoints: 700 },
      ],
      footer: "IBAN IE29 AIBK 9311 5212 3456 78",
    });
    visit = await scene.visit("mira@harbour.ai", "/orders", "owner");
  });
  afterAll(() => scene?.close());

  /** An invoice with as many lines, each for a fee in minor units. */
  async function invoice(fees: readonly number[], paid = false): Promise<string> {
    const { invoices } = await scene.admin.orders.create(
      {
        customerExternalId: "cobalt-freight",
        orderName: "Plan",
        startDate: "2026-01-31",
        lineItems: fees.map((amount) => ({ agentId: "chat", platformFee: { amount, currency: "EUR" } })),
        paid,
      },
      { idempotencyKey: crypto.randomUUID() },
    );
    return invoices[0]?.invoiceId ?? "";
  }

  /** Prints as a person would, who has signed in. */
  async function print(path: string): Promise<PdfText> {
    const { page } = visit;
    const { organizationId } = scene.admin;
    await page.goto(new URL(`/admin/api/organizations/${organizationId}${path}/print`, scene.baseUrl).href);
    return readPdf(await page.pdf({ preferCSSPageSize: true }));
  }

  it("have what is to be paid and the taxes in it, on one page that is called by its number", async () => {
    const { title, pages } = await print(`/invoices/${await invoice([500_000, 60_000])}`);
    expect(title).toBe("Invoice INV-1 - Harbour AI Ltd.");
    expect(pages).toHaveLength(1);
    for (const text of ["Invoice INV-1", "Cobalt Freight", "Support chat", "5,000.00", "600.00"])
      expect(pages[0]).toContain(text);
    expect(pages[0]).toMatch(/Net 5,000\.00 GST 5\s%\s250\.00 PST 7\s%\s350\.00 Total EUR 5,600\.00/);
    expect(pages[0]).toContain("IBAN IE29 AIBK 9311 5212 3456 78");
    expect(visit.complaints).toEqual([]);
  });

  it("have their totals on the last of several pages, and the head of the table on each", async () => {
    const { pages } = await print(`/invoices/${await invoice(Array.from({ length: 90 }, () => 11_200))}`);
    expect(pages.length).toBeGreaterThan(1);
    for (const page of pages) expect(page).toContain("Amount (EUR)");
    const totals = pages.map((page) => page.includes("Total EUR 10,080.00"));
    expect(totals).toEqual(pages.map((_, index) => index === pages.length - 1));
    expect(pages.join(" ").match(/Support chat/g)).toHaveLength(90);
  });

  it("take a line along where the totals need another page", async () => {
    let lines = 10;
    let pages: readonly string[] = [""];
    for (; pages.length === 1; lines += 1)
      ({ pages } = await print(`/invoices/${await invoice(Array.from({ length: lines }, () => 100))}`));
    expect(pages).toHaveLength(2);
    expect(pages[1]).toMatch(/Support chat.* Total EUR/);
    expect(pages[1]).toContain("2 / 2");
    expect(pages[0]).not.toContain("Total EUR");
  });

  it("say what was credited, and what is void", async () => {
    const paid = await invoice([11_200], true);
    const reason = "late";
    const note = await scene.admin.invoices.credit(paid, { amount: 5_600, reason }, { idempotencyKey: paid });
    const credited = await print(`/credit-notes/${note.creditNoteId}`);
    expect(credited.title).toBe("Credit note CN-1 - Harbour AI Ltd.");
    expect(credited.pages.join("\f")).toMatch(
      /Net 50\.00 GST 5\s%\s2\.50 PST 7\s%\s3\.50 Credited EUR 56\.00/,
    );
    const open = await invoice([11_200]);
    await scene.admin.invoices.void(open, { reason });
    expect((await print(`/invoices/${open}`)).pages.join("\f")).toMatch(/VOID|Void/);
  });
});
