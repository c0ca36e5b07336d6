import { asObserver, type GateEventMap } from "../events.ts";

type Attributes = Readonly<Record<string, string | number | boolean>>;

/** The part of `@opentelemetry/api` that is used here. */
export interface OpenTelemetry {
  readonly trace: {
    getTracer(name: string): {
      startSpan(name: string, options: { startTime: number; attributes: Attributes }): { end(): void };
    };
  };
  readonly metrics: {
    getMeter(name: string): {
      createCounter(name: string, options: { description: string; unit: string }): Counter;
      createHistogram(name: string, options: { description: string; unit: string }): Histogram;
    };
  };
}

interface Counter {
  add(value: number, attributes?: Attributes): void;
}

interface Histogram {
  record(value: number, attributes?: Attributes): void;
}

const name = "@creditgate/core";

/**
 * Turns the events of a gate into spans and metrics from now on, as the option `openTelemetry` does by itself. For bundles
 * for the edge, which have that option not, and carry this only where it is called. Customers are never among the attributes.
 */
export function recordTelemetry(gate: Listenable, api: OpenTelemetry): void {
  record({ observe: (name, observer) => void gate.on(name, asObserver(observer)) }, api);
}

/** What emits events as a gate does. */
interface Listenable {
  on<Name extends keyof GateEventMap>(name: Name, listener: (event: GateEventMap[Name]) => void): () => void;
}

/** The same, for ourselves. */
export interface Observable {
  observe<Name extends keyof GateEventMap>(name: Name, observer: (event: GateEventMap[Name]) => void): void;
}

export function record(events: Observable, { trace, metrics }: OpenTelemetry): void {
  const tracer = trace.getTracer(name);
  const meter = metrics.getMeter(name);
  const counter = (metric: string, description: string, unit: string) =>
    meter.createCounter(`creditgate.${metric}`, { description, unit });
  const decisions = counter("decisions", "Requests let in or denied", "{decision}");
  const duration = meter.createHistogram("creditgate.decision.duration", {
    description: "Time from a request's arrival at the gate to its decision",
    unit: "ms",
  });
  events.observe("decision", ({ trace: { rule, waitedMs }, allowed, code, currency, agentId, indicator }) => {
    const attributes = {
      "creditgate.allowed": allowed,
      "creditgate.rule": rule,
      "creditgate.currency": currency,
    };
    const outcome = code === undefined ? attributes : { ...attributes, "creditgate.code": code };
    decisions.add(1, outcome);
    duration.record(waitedMs, outcome);
    const work = { "creditgate.agent": agentId, "creditgate.indicator": indicator };
    span("creditgate.authorize", waitedMs, { ...outcome, ...work });
  });
  const delivered = counter("reports.delivered", "Usage reports that the service has taken", "{report}");
  events.observe("delivered", ({ report, tookMs }) => {
    delivered.add(1, { "creditgate.currency": report.currency });
    const { agentId, indicator } = report;
    span("creditgate.deliver", tookMs, { "creditgate.agent": agentId, "creditgate.indicator": indicator });
  });
  const settled = counter("credits.settled", "Credits that settled work counts for", "{credit}");
  events.observe("settled", ({ credits, currency }) =>
    settled.add(credits, { "creditgate.currency": currency }),
  );
  const troubles: readonly (keyof GateEventMap)[] = [
    "late",
    "duplicate",
    "parked",
    "dead",
    "undelivered",
    "orphan",
    "degraded",
    "lag",
  ];
  const trouble = counter("troubles", "Events that an operator may want to look at", "{event}");
  for (const kind of troubles) events.observe(kind, () => trouble.add(1, { "creditgate.event": kind }));

  function span(spanName: string, tookMs: number, attributes: Attributes): void {
    tracer.startSpan(spanName, { startTime: Date.now() - tookMs, attributes }).end();
  }
}
