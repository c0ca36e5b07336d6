import { recordTelemetry } from "@creditgate/core";
import { metrics, trace } from "@opentelemetry/api";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { GateEvents } from "../src/events/events.ts";
import { observeWithOpenTelemetry as refuseOpenTelemetry } from "../src/events/telemetry/absent.ts";
import { observeWithOpenTelemetry } from "../src/events/telemetry/present.ts";
import { createScene, type Scene, wallet } from "./service.ts";

const spans = new InMemorySpanExporter();
const points = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
let meters: MeterProvider;

beforeEach(() => {
  spans.reset();
  points.reset();
  const reader = new PeriodicExportingMetricReader({ exporter: points, exportIntervalMillis: 2 ** 30 });
  meters = new MeterProvider({ readers: [reader] });
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }),
  );
  metrics.setGlobalMeterProvider(meters);
});

afterEach(() => {
  trace.disable();
  metrics.disable();
});

async function workThrough(scene: Scene): Promise<void> {
  scene.service.fund("alice", { ai_credits: wallet({ available: 5 }) });
  const charge = await scene.admit(5);
  charge.report({ inputTokens: 1 }, { credits: 2 });
  await charge.settle();
  await scene.gate.flush();
  await scene.authorize(5, "nobody");
}

describe("recordTelemetry", () => {
  it("sends the same for a gate of an edge bundle, where the option is refused", async () => {
    const given = createScene({ openTelemetry: { trace, metrics } });
    await workThrough(given);
    const expected = spans.getFinishedSpans().map(({ name, attributes }) => ({ name, attributes }));
    spans.reset();
    const scene = createScene({ openTelemetry: false });
    recordTelemetry(scene.gate, { trace, metrics });
    await workThrough(scene);
    expect(expected).not.toEqual([]);
    expect(spans.getFinishedSpans().map(({ name, attributes }) => ({ name, attributes }))).toEqual(expected);
    expect(() => refuseOpenTelemetry(undefined, { trace, metrics })).toThrow(
      /^openTelemetry: call recordTelemetry/,
    );
  });
});

describe("telemetry", () => {
  it("sends spans and metrics to @opentelemetry/api, and never a customer", async () => {
    const scene = createScene({ openTelemetry: { trace, metrics } });
    await workThrough(scene);
    const finished = spans.getFinishedSpans().map(({ name, attributes }) => ({ name, attributes }));
    expect(finished).toEqual([
      {
        name: "creditgate.authorize",
        attributes: {
          "creditgate.allowed": true,
          "creditgate.rule": "fresh",
          "creditgate.currency": "ai_credits",
          "creditgate.agent": "chat",
          "creditgate.indicator": "message",
        },
      },
      {
        name: "creditgate.deliver",
        attributes: { "creditgate.agent": "chat", "creditgate.indicator": "message" },
      },
      {
        name: "creditgate.authorize",
        attributes: expect.objectContaining({
          "creditgate.allowed": false,
          "creditgate.code": "customer_unknown",
        }),
      },
    ]);
    await meters.forceFlush();
    const [resource] = points.getMetrics();
    const [scope] = resource?.scopeMetrics ?? [];
    const figures = scope?.metrics.map(({ descriptor, dataPoints }) => [descriptor.name, dataPoints.length]);
    expect(figures).toEqual([
      ["creditgate.decisions", 2],
      ["creditgate.decision.duration", 2],
      ["creditgate.reports.delivered", 1],
      ["creditgate.credits.settled", 1],
      ["creditgate.troubles", 1],
    ]);
    expect(JSON.stringify([finished, resource?.scopeMetrics])).not.toMatch(/alice|nobody/);
  });

  it("finds the installed API by itself", async () => {
    const events = new GateEvents();
    await observeWithOpenTelemetry(events);
    expect(events.has("decision")).toBe(true);
    events.emit("settled", { customerId: "alice", currency: "ai_credits", reports: 1, credits: 2 });
    await meters.forceFlush();
    expect(points.getMetrics()[0]?.scopeMetrics[0]?.scope.name).toBe("@creditgate/core");
  });

  it("is silent when it is switched off", async () => {
    await workThrough(createScene({ openTelemetry: false }));
    expect(spans.getFinishedSpans()).toEqual([]);
  });
});
