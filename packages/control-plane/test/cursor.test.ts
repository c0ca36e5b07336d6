import { describe, expect, it } from "vitest";
import { readCursor, writeCursor } from "../src/lists/keyset.ts";

const types = ["timestamptz", "uuid"] as const;
const place = ["2026-01-01T00:00:00.000123Z", "0b2d3f4a-5c6e-4f70-8a9b-0c1d2e3f4a5b"];
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

describe("a cursor", () => {
  it("brings back the keys that it was made of, in letters that need no encoding in a URL", () => {
    const cursor = writeCursor(place);
    expect(cursor).toMatch(/^[\w-]+$/);
    expect(readCursor(cursor, types)).toEqual(place);
    const long = ["ä".repeat(128), "b".repeat(256)];
    expect(readCursor(writeCursor(long), ["text", "text"])).toEqual(long);
  });

  it.each([
    ["text that is no JSON", "eA"],
    ["one of a list with fewer keys", encode(["2026-01-01T00:00:00Z"])],
    ["one of a list with other keys", encode(["1", "2"])],
    ["an instant that is none", encode(["2026-02-30T00:00:00Z", place[1]])],
    ["the year 0", encode(["0000-01-01T00:00:00Z", place[1]])],
    ["numbers", encode([1, 2])],
    ["an object", encode({ length: 2 })],
  ])("is refused where it is %s", (_, cursor) => {
    expect(() => readCursor(cursor, types)).toThrow(
      `cursor: expected the next of an answer, received "${cursor}"`,
    );
  });

  it.each(["\u0000", "\ud800", "a".repeat(257)])(
    "is refused where a key is one that PostgreSQL has not: %j",
    (key) => {
      expect(() => readCursor(encode([key]), ["text"])).toThrow("cursor: expected");
    },
  );
});
