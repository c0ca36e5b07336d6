import { usageParts, usageReportRequest } from "@creditgate/client";
import { describe, expect, it } from "vitest";
import { plainReport } from "../src/usage/plain-report.ts";

const names = [
  "chat",
  "",
  "a b",
  " ~",
  "x".repeat(256),
  "x".repeat(257),
  "é",
  "\u0000",
  "\ud800",
  1,
  null,
  undefined,
];
const counts = [0, 1, -0, -1, 1.5, Number.MAX_SAFE_INTEGER, 2 ** 53, Number.NaN, "1", null, undefined, true];
const usages = [
  ...names.flatMap((text) => [{ provider: text }, { model: text }, { plan: text }]),
  ...counts.flatMap((count) => [{ inputTokens: count }, { outputTokens: count }]),
  ...Object.keys(usageParts).flatMap((part) => counts.map((count) => ({ inputTokens: 9, [part]: count }))),
  { other: { deep: [1] }, inputTokens: 3 },
  [],
  null,
  "text",
  undefined,
];

const report = { agentId: "chat", customerId: "alice", indicator: "message", rawUsage: { inputTokens: 1 } };
const bodies: readonly unknown[] = [
  report,
  { ...report, key: "k", more: 1 },
  ...Object.keys(report).flatMap((field) => names.map((name) => ({ ...report, [field]: name }))),
  ...usages.map((rawUsage) => ({ ...report, rawUsage })),
  null,
  [],
  "text",
  1,
];

describe("plainReport", () => {
  it("takes nothing that the schema refuses, and tells the same of what it takes", () => {
    for (const body of bodies) {
      const taken = plainReport(body);
      if (taken !== undefined) expect(taken).toEqual(usageReportRequest.parse(body));
    }
  });

  it("leaves usage with a __proto__ to the schema, which drops it", () => {
    const body = { ...report, rawUsage: JSON.parse('{ "__proto__": {}, "inputTokens": 1 }') };
    expect(plainReport(body)).toBeUndefined();
    expect(JSON.stringify(usageReportRequest.parse(body))).toBe(JSON.stringify(report));
  });

  it("takes what nearly all reports are, without what is beside them", () => {
    expect(plainReport({ ...report, key: "k" })).toEqual(report);
    expect(bodies.filter((body) => plainReport(body) !== undefined).length).toBeGreaterThan(20);
  });
});
