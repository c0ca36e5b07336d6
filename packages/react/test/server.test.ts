import { Balance, CreditsProvider, Paywall, useCredits } from "@creditgate/react";
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
