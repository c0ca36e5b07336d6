import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { createRefusedConnections } from "../src/http/connection-limits.ts";
import { createMetrics } from "../src/metrics/metrics.ts";
import { defaultPeriodSettings } from "../src/periods/settings.ts";
import { acme } from "./fixture.ts";
import { selectorsOf } from "./prom-query.ts";
import { openScene, type Scene } from "./scene.ts";

const fileOf = (name: string) => fileURLToPath(new URL(`../operations/${name}`, import.meta.url));
const textOf = (name: string) => readFileSync(fileOf(name), "utf8");

/** The labels that Prometheus adds to each series of a target. */
const ofTarget = ["job", "instance"];

/** Each series of the real exposition, with its labels. */
let scene: Scene;
const labelsOf = new Map<string, Set<string>>();
beforeAll(async () => {
  scene = await openScene(acme);
  const pools = { requests: scene.pool };
  const metrics = createMetrics({ ...scene, pools, periodSettings: defaultPeriodSettings });
  // What labels them happens elsewhere: here once for each.
  metrics.settled.inc({ outcome: "debited" });
  metrics.refusedRequests.inc({ code: "overloaded", status: "503" });
  metrics.webhookAttempts.inc({ outcome: "given_up" });
  metrics.autoTopUps.inc({ outcome: "failed" });
  metrics.requestDuration.observe({ method: "GET", route: "other", status: "200" }, 1);
  metrics.settlementLag.observe(1);
  createRefusedConnections(
    metrics.refusedConnections,
    scene.clock,
    () => undefined,
  )({ reason: "all", address: "192.0.2.1" });
  for (const [, name = "", labels = ""] of (await metrics.render()).matchAll(/^([a-z_]+)(?:\{(.*)\})? /gm)) {
    const known = labelsOf.get(name) ?? new Set(ofTarget);
    for (const [, label = ""] of labels.matchAll(/(\w+)="/g)) known.add(label);
    labelsOf.set(name, known);
  }
});
afterAll(() => scene.close());

/** Fails for a query that Prometheus could not read, or that asks for what nothing tells. */
function expectToRead(query: string): void {
  const selectors = selectorsOf(query);
  expect(selectors.length, query).toBeGreaterThan(0);
  for (const { metric } of selectors) expect([...labelsOf.keys()]).toContain(metric);
  // Labels that are grouped by need not be on all of the metrics.
  const told = new Set(selectors.flatMap(({ metric }) => [...(labelsOf.get(metric) ?? [])]));
  for (const label of selectors.flatMap(({ labels }) => labels)) expect([...told], query).toContain(label);
}

const duration = z.string().regex(/^\d+[smhd]$/);
const rule = z.strictObject({
  alert: z.string().regex(/^Creditgate[A-Za-z]+$/),
  expr: z.string(),
  for: duration.optional(),
  labels: z.strictObject({ severity: z.enum(["critical", "warning"]) }),
  annotations: z.strictObject({ summary: z.string(), description: z.string(), runbook: z.string() }),
});
const rules = z.strictObject({
  groups: z.array(z.strictObject({ name: z.string().regex(/^creditgate-/), rules: z.array(rule).min(1) })),
});

describe("selectorsOf", () => {
  it("finds metrics and labels, and refuses what is no query", () => {
    expect(selectorsOf('sum by (a) (rate(x_total{b="1"}[5m])) / y > 1')).toEqual([
      { metric: "x_total", labels: ["b", "a"] },
      { metric: "y", labels: ["a"] },
    ]);
    for (const query of ["sum(rate(x[5m])", "x{a=1}", "x >", "rate(x[5 minutes])"]) {
      expect(() => selectorsOf(query), query).toThrow("PromQL");
    }
  });
});

describe("alerts.yaml", () => {
  const { groups } = rules.parse(parse(textOf("alerts.yaml")));
  const all = groups.flatMap(({ rules }) => rules);

  it("has each alert once, and asks for what the exposition tells", () => {
    const names = all.map(({ alert }) => alert);
    expect(new Set(names).size).toBe(names.length);
    for (const { expr } of all) expectToRead(expr);
  });

  it("names the section of each alert in the runbooks, which have no others", () => {
    const file = "docs/control-plane/runbooks.md";
    const text = readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8");
    const sections = [...text.matchAll(/^### (\w+)$/gm)].map(([, name]) => name);
    expect(all.map(({ alert }) => alert).toSorted()).toEqual(sections.toSorted());
    for (const { alert, labels, annotations } of all) {
      expect(annotations.runbook).toBe(`${file}#${alert.toLowerCase()}`);
      const [, section = ""] = new RegExp(`^### ${alert}\n\n(.+)$`, "m").exec(text) ?? [];
      expect(section.startsWith("Critical. "), alert).toBe(labels.severity === "critical");
    }
  });

  it("waits for each queue: its age, or what is stuck in it", () => {
    const asked = new Set(all.flatMap(({ expr }) => selectorsOf(expr).map(({ metric }) => metric)));
    const ages = [...labelsOf.keys()].filter((name) => /_(overdue|oldest)_seconds$|_failures$/.test(name));
    expect(ages).toHaveLength(6);
    for (const name of ages) expect([...asked]).toContain(name);
  });

  it("tells in its words only labels that its expression leaves", () => {
    for (const { alert, expr, annotations } of all) {
      const [, by] = /^(?:sum|max|count) by \(([^)]*)\)/.exec(expr) ?? [];
      const isSum = /^(sum|max|count|absent|histogram_quantile)\b/.test(expr);
      const left =
        by?.split(", ") ?? (isSum ? [] : [...(labelsOf.get(selectorsOf(expr)[0]?.metric ?? "") ?? [])]);
      for (const [, label] of JSON.stringify(annotations).matchAll(/\$labels\.(\w+)/g)) {
        expect(left, alert).toContain(label);
      }
    }
  });

  it("is what promtool takes, where it is installed", ({ skip }) => {
    const { error, status, stderr } = spawnSync("promtool", ["check", "rules", fileOf("alerts.yaml")], {
      encoding: "utf8",
    });
    const why = "promtool is missing: apt-get install -y --no-install-recommends prometheus";
    if (process.env.CI !== "true") skip(error !== undefined, why);
    expect(error, why).toBeUndefined();
    expect(stderr).toBe("");
    expect(status).toBe(0);
  });
});

const box = z.object({ h: z.int(), w: z.int(), x: z.int(), y: z.int() });
const panel = z.object({
  id: z.int(),
  title: z.string().min(1),
  type: z.enum(["row", "stat", "timeseries"]),
  gridPos: box,
  datasource: z
    .object({ type: z.literal("prometheus"), uid: z.string().regex(/^\$\{datasource\}$/) })
    .optional(),
  targets: z.array(z.object({ refId: z.string(), expr: z.string(), legendFormat: z.string() })).default([]),
});
const dashboard = z.object({
  uid: z.string(),
  title: z.string(),
  schemaVersion: z.int(),
  templating: z.object({ list: z.array(z.object({ name: z.string() })) }),
  panels: z.array(panel),
});

describe("grafana-dashboard.json", () => {
  const text = textOf("grafana-dashboard.json");
  const { panels, templating } = dashboard.parse(JSON.parse(text));
  const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

  it("asks for what the exposition tells, and shows all of it", () => {
    // Grafana's variables, with what it would put in their place.
    const filled = queries.map((query) =>
      query.replaceAll("$__rate_interval", "1m").replaceAll("$job", ".+"),
    );
    for (const query of filled) expectToRead(query);
    const shown = new Set(filled.flatMap((query) => selectorsOf(query).map(({ metric }) => metric)));
    // Of a histogram the sum of its values is not shown.
    expect([...shown].toSorted()).toEqual(
      [...labelsOf.keys()].filter((name) => !/_seconds_sum$|_lag_seconds_count$/.test(name)).toSorted(),
    );
  });

  it("has panels that do not overlap, and variables that are there", () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { h, w, x, y } }) =>
      Array.from({ length: h * w }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
    const names = templating.list.map(({ name }) => name);
    for (const [, name] of text.matchAll(/\$\{?(?!__)(\w+)\}?/g)) expect(names).toContain(name);
  });

  it("reads the data source that is chosen, in each panel that shows something", () => {
    for (const { type, datasource, targets } of panels) {
      expect(datasource === undefined).toBe(type === "row");
      expect(targets.length === 0).toBe(type === "row");
    }
  });
});
