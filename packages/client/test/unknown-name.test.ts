import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nearestName } from "../src/errors/nearest-name.ts";
import { unknownName } from "../src/errors/unknown-name.ts";

const known = { price: true, currency: true, ttlMs: true, maxStaleMs: true, outbox: true };
const names = Object.keys(known);

describe("unknownName", () => {
  it.each([
    [{ prise: 1 }, 'prise: unknown option; did you mean "price"?'],
    [{ max_stale_ms: 1 }, 'max_stale_ms: unknown option; did you mean "maxStaleMs"?'],
    [{ TTLMS: 1 }, 'TTLMS: unknown option; did you mean "ttlMs"?'],
    [{ ttl: 1 }, 'ttl: unknown option; did you mean "ttlMs"?'],
    [{ outbx: 1 }, 'outbx: unknown option; did you mean "outbox"?'],
    [{ colour: 1 }, "colour: unknown option; expected one of price, currency, ttlMs, maxStaleMs, outbox"],
    [
      { constructor: 1 },
      "constructor: unknown option; expected one of price, currency, ttlMs, maxStaleMs, outbox",
    ],
  ])("says of %j: %s", (given, message) => {
    expect(unknownName(given, known)).toBe(message);
  });

  it("says nothing of names that are known, nor of one without a value", () => {
    expect(unknownName({ price: 1, outbox: undefined, colour: undefined }, known)).toBeUndefined();
  });

  it("says nothing of a name that is inherited, such as one that a library has put on Object.prototype", () => {
    expect(unknownName(Object.create({ prise: 1 }), known)).toBeUndefined();
  });

  it("shows a long name cut, and a strange one quoted", () => {
    const message = unknownName({ [`a\n${"b".repeat(500)}`]: 1 }, known) ?? "";
    expect(message).toMatch(/^a\\nb{62}: unknown option; /);
  });
});

describe("nearestName", () => {
  const word = fc.stringMatching(/^[a-z]{5,20}$/);

  it("finds a name again after any one letter was dropped, added or replaced", () => {
    fc.assert(
      fc.property(word, fc.nat(), fc.constantFrom("drop", "add", "replace"), (name, where, how) => {
        const at = where % name.length;
        const misspelt =
          name.slice(0, at) + (how === "drop" ? "" : "x") + name.slice(how === "add" ? at : at + 1);
        expect(nearestName(misspelt, ["0123456789", name])).toBe(name);
      }),
    );
  });

  it("gives a name that is known, and never one that is nearer to another", () => {
    fc.assert(
      fc.property(word, fc.array(word), (name, others) => {
        const nearest = nearestName(name, others);
        if (others.includes(name)) expect(nearest).toBe(name);
        else if (nearest !== undefined) expect(others).toContain(nearest);
      }),
    );
  });

  it("gives none where every letter is another", () => {
    expect(nearestName("zzzzzz", names)).toBeUndefined();
    expect(nearestName("", names)).toBeUndefined();
  });
});
