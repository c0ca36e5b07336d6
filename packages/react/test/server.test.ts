import { Balance, type BalanceProps, CreditsProvider, Paywall, useCredits } from "@creditgate/react";
import { createElement, version } from "react";
import { renderToString } from "react-dom/server";
import { describe, expect, it } from "vitest";

describe(`on a server, React ${version}`, () => {
  it("renders the balance that the server has read, in an exact sum, and no paywall", () => {
    const initial = { balance: 12.29, held: 2 };
    const page = createElement(
      CreditsProvider,
      { initial },
      createElement(Balance),
      createElement(Balance, { show: "available" }),
      createElement(Paywall),
    );
    expect(renderToString(page)).toBe(
      '<span class="creditgate-balance" data-state="current">12.29 credits</span>' +
        '<span class="creditgate-balance" data-state="current">10.29 credits</span>',
    );
  });

  it("renders what expires next, of what is shown, in words or in those of the application", () => {
    const expiring = [
      { at: "2026-12-03T00:00:00.000Z", credits: 20 },
      { at: "2027-01-01T00:00:00.000Z", credits: 5 },
    ];
    const page = (balance: number, props?: BalanceProps) =>
      renderToString(
        createElement(
          CreditsProvider,
          { initial: { balance, held: 2, expiring } },
          createElement(Balance, props),
        ),
      );
    const note = (text: string) => `<span data-expiring="">${text}</span></span>`;
    expect(page(100)).toContain(`100.00 credits${note("20.00 of these expire on 3 December 2026")}`);
    expect(page(12, { show: "available" })).toContain(note("10.00 of these expire on 3 December 2026"));
    const formatExpiring: BalanceProps["formatExpiring"] = ({ credits }, all) => `${credits}, ${all.length}`;
    expect(page(100, { formatExpiring })).toContain(note("20, 2"));
    for (const plain of [page(100, { formatExpiring: () => null }), page(100, { show: "held" }), page(-1)])
      expect(plain).not.toContain("data-expiring");
  });

  it("renders what is not known, and what has no limit", () => {
    const page = (initial?: { balance: null; held: number }) =>
      renderToString(createElement(CreditsProvider, { initial }, createElement(Balance)));
    expect(page()).toContain('data-state="loading">–<');
    expect(page({ balance: null, held: 0 })).toContain(">unlimited<");
  });

  it("says that a provider is missing", () => {
    const Lost = () => String(useCredits().balance);
    expect(() => renderToString(createElement(Lost))).toThrow("useCredits: expected a <CreditsProvider>");
  });
});
