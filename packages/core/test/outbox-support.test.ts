import { createMemoryOutbox } from "@creditgate/core";
import { describe, expect, it } from "vitest";
import { outboxSettings } from "../src/delivery/outbox-support/absent.ts";
import type { GivenOutboxOptions } from "../src/delivery/outbox-support/outbox-settings.ts";

describe("a gate in a bundle for the edge", () => {
  it.each([
    ["outbox", { outbox: createMemoryOutbox() }],
    ["durableHolds", { durableHolds: true }],
    ["onOrphan", { onOrphan: "none" }],
    ["defaultUsage", { defaultUsage: { model: "m" } }],
    ["lagWatch", { lagWatch: true }],
    ["check", { check: true }],
  ] satisfies [string, GivenOutboxOptions][])(
    "refuses %s, which nothing there can heed",
    (option, options) => {
      const expected = `${option}: none at the edge`;
      expect(() => outboxSettings(options)).toThrow(expected);
    },
  );

  it("takes the options of a gate that delivers within its requests, or through a queue", () => {
    expect(outboxSettings({ lagWatch: false })).toMatchObject({
      outbox: undefined,
      lagWatch: false,
    });
  });
});
