import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLeastRecentlyUsed as cached } from "../src/values/lru/cached.ts";
import { createLeastRecentlyUsed as small } from "../src/values/lru/small.ts";

const max = 4;

const key = fc.integer({ min: 0, max: 5 });
const command = fc.oneof(
  fc.record({ do: fc.constantFrom("get" as const, "peek" as const, "delete" as const), key }),
  fc.record({ do: fc.constant("set" as const), key, value: fc.integer() }),
);

describe.each([
  { name: "on lru-cache", create: cached },
  { name: "at the edge", create: small },
])("createLeastRecentlyUsed, $name", ({ create }) => {
  it("is a bounded map whose oldest key is the one least recently set or got", () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 50 }), (commands) => {
        const map = create<number, number>(max);
        // The model: pairs from the oldest to the newest.
        let pairs: (readonly [number, number])[] = [];
        for (const one of commands) {
          const known = pairs.find(([of]) => of === one.key);
          const others = pairs.filter(([of]) => of !== one.key);
          if (one.do === "peek") expect(map.peek(one.key)).toBe(known?.[1]);
          if (one.do === "delete") {
            map.delete(one.key);
            pairs = others;
          }
          if (one.do === "set") {
            map.set(one.key, one.value);
            pairs = [...others, [one.key, one.value] as const].slice(-max);
          }
          if (one.do === "get") {
            expect(map.get(one.key)).toBe(known?.[1]);
            if (known !== undefined) pairs = [...others, known];
          }
          expect(map.size).toBe(pairs.length);
          expect(map.oldest()).toBe(pairs[0]?.[0]);
        }
      }),
    );
  });
});
