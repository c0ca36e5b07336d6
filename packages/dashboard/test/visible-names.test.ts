import { expect, it } from "vitest";
import { visible } from "../src/parts/visible.ts";

it.each([
  ["Acme\u202Egnp.exe", "Acme[U+202E]gnp.exe"],
  ["\u2066a\u2069", "[U+2066]a[U+2069]"],
  ["zero\u200Bwidth\uFEFF", "zero[U+200B]width[U+FEFF]"],
  ["a\nb\u0007", "a[U+000A]b[U+0007]"],
  ["שלום", "שלום"],
  ["👩‍👩‍👧‍👦", "👩‍👩‍👧‍👦"],
  ["می‌خواهم", "می‌خواهم"],
])("%j is shown as %j", (name, shown) => {
  expect(visible(name)).toBe(shown);
});
