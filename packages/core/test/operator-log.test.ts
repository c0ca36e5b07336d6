import { CreditgateError } from "@creditgate/client";
import type { GateOptions } from "@creditgate/core";
import { createGate, createRegistry, type Gate, recordTelemetry } from "@creditgate/core";
import { createAdmission, reportMetered } from "@creditgate/core/adapter";
import { createManualClock, type ManualClock } from "@creditgate/core/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createFakeService, type FakeService, type SceneOptions, status, wallet } from "./service.ts";

interface Stage {
  readonly gate: Gate;
  readonly service: FakeService;
  readonly clock: ManualClock;
  readonly lines: string[];
  /** Admits alice, bills her, and lets run what can. */
  work(): Promise<void>;
}

const request = { customerId: "alice", agentId: "chat", indicator: "message", hold: 1 };

/** A gate to which nobody listens. */
function createStage(options: SceneOptions = {}): Stage {
  const service = createFakeService();
  service.fund("alice", { ai_credits: wallet({ available: 100 }) });
  const clock = createManualClock();
  const lines: string[] = [];
  const gate = createGate({
    client: service.client,
    currency: "ai_credits",
    wallet: "prepaid",
    registry: createRegistry(),
    clock,
    lagWatch: false,
    logger: { error: (line: string) => lines.push(line) },
    ...options,
  } as GateOptions);
  return {
    gate,
    service,
    clock,
    lines,
    async work() {
      const decision = await gate.authorize(request);
      if (decision.allowed) {
        decision.charge.report({ outputTokens: 1 });
        await decision.charge.settle();
      }
      await clock.advance(0);
    },
  };
}

function debitsAtOnce({ service }: Stage, credits: number): void {
  let available = 100;
  service.onUsage = async ({ key }) => {
    available -= credits;
    service.fund("alice", { ai_credits: wallet({ available }) });
    return { status: 202, body: {}, idempotencyKey: key };
  };
}

const unreadable =
  "creditgate: a balance cannot be read, and without a recent one requests are answered 503: ";

function problem(code: string) {
  return { problem: { code } };
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe("a gate without listeners", () => {
  it("says that usage was refused, in the words of the service", async () => {
    const stage = createStage();
    const words = 'indicator: expected one that exists, received "message"';
    stage.service.onUsage = () =>
      Promise.reject(new CreditgateError("http", words, { status: 404, ...problem("indicator_unknown") }));
    await stage.work();
    expect(stage.lines).toEqual([
      `creditgate: usage was refused and is not billed, such as of customer "alice" for indicator "message": ${words}. Correct what it names, or create it at the service; the report weighs on its wallet until it is resolved [dead]`,
    ]);
  });

  it("says it once for each kind and hour, by its own clock", async () => {
    const day = 86_400_000;
    const stage = createStage({ minRefreshMs: 0, ttlMs: day, maxStaleMs: day });
    let code = "invalid_request";
    stage.service.onUsage = () => Promise.reject(status(404, problem(code)));
    const refusals = () => stage.lines.filter((line) => line.includes("usage was refused"));
    await stage.work();
    await stage.work();
    expect(refusals()).toHaveLength(1);
    code = "amount_out_of_range";
    await stage.work();
    expect(refusals()).toHaveLength(2);
    await stage.clock.advance(3_599_999);
    await stage.work();
    expect(refusals()).toHaveLength(2);
    // By then its work is tried once a minute.
    await stage.clock.advance(60_000);
    await stage.work();
    expect(refusals()).toHaveLength(3);
  });

  it("says that two gates let in one request, and what to do, once for each indicator and hour", async () => {
    const { gate, lines, clock } = createStage();
    const enter = async (indicator: string) => {
      const admit = createAdmission<object>(gate, { customer: "alice", agentId: "chat", indicator, hold: 1 });
      const call = { method: "POST", headers: {} };
      for (const { admitted } of [await admit(call), await admit(call)]) expect(admitted).toBe(true);
    };
    for (const indicator of ["message", "message", "image"]) await enter(indicator);
    const line = (indicator: string) =>
      `creditgate: two gates let in one request for indicator "${indicator}". Remove the one on the router or the one on the route; for two bills, give each gate its own indicator. Work is billed once [duplicate]`;
    expect(lines).toEqual([line("message"), line("image")]);
    await clock.advance(3_600_000);
    await enter("image");
    expect(lines).toEqual([line("message"), line("image"), line("image")]);
  });

  it("says that work is reported twice, or metered twice, and what to do", async () => {
    const { gate, lines } = createStage();
    const decision = await gate.authorize(request);
    if (!decision.allowed) throw new Error(decision.denial.code);
    const { charge } = decision;
    const usage = { inputTokens: 30, outputTokens: 990 };
    reportMetered(charge, usage, {}, { meter: "fetch", began: 2 });
    for (let time = 0; time < 2; time++) charge.report(usage);
    reportMetered(charge, usage, {}, { meter: "model", began: 1 });
    await charge.settle();
    expect(lines).toEqual([
      'creditgate: a handler calls credits.report() for indicator "message" with usage that is metered already. Remove that call; for other work, report its own model or indicator. Work is billed once [duplicate]',
      'creditgate: two wrappers meter one model call for indicator "message". Remove one: meteredModel(), or the metered client or fetch in it. Work is billed once [duplicate]',
    ]);
  });

  it.each([401, 403])("says once that a key is refused, by balances and reports alike: %i", async (code) => {
    const stage = createStage();
    await stage.work();
    stage.service.onUsage = () => Promise.reject(status(code, problem("unauthorized")));
    await stage.work();
    await stage.clock.advance(10_000);
    stage.service.onBalance = () => Promise.reject(status(code, problem("unauthorized")));
    await stage.work();
    await stage.clock.advance(10_000);
    expect(stage.lines).toEqual([
      `creditgate: usage cannot be delivered, and waits: answered ${code} [delivery]. Check CREDITGATE_API_KEY, or the option apiKey of createClient() [key]`,
    ]);
  });

  it("says of a 403 about one customer nothing of the key", async () => {
    const stage = createStage();
    stage.service.onUsage = () => Promise.reject(status(403, problem("customer_locked")));
    await stage.work();
    expect(stage.lines).toEqual([
      "creditgate: usage cannot be delivered, and waits: answered 403 [delivery]",
    ]);
  });

  it("says that a wallet is of the other kind, and which option to set", async () => {
    const stage = createStage();
    stage.service.fund("alice", { ai_credits: wallet({ postpaid_limit: 5 }) });
    await stage.work();
    expect(stage.lines).toHaveLength(1);
    expect(stage.lines[0]).toContain('set wallet: "postpaid" in createGate()');
  });

  it("says that its currency is misspelt, and those that the balance has, once in an hour", async () => {
    const stage = createStage({ currency: "aicredits" });
    await stage.work();
    await stage.clock.advance(10_000);
    await stage.work();
    expect(stage.lines).toEqual([
      'creditgate: a customer who has wallets is denied, since none is in the currency of the gate: currency: expected one of the customer\'s wallets, "ai_credits", received "aicredits"; did you mean "ai_credits"? [currency]',
    ]);
  });

  it("says nothing of a customer without any wallet", async () => {
    const stage = createStage();
    stage.service.fund("alice", {});
    await stage.work();
    expect(stage.lines).toEqual([]);
  });

  it("says that a price undercuts what is debited, once in an hour", async () => {
    const stage = createStage({ lagWatch: true, price: () => 1 });
    debitsAtOnce(stage, 1.5);
    for (let hour = 0; hour < 2; hour++) {
      await stage.work();
      await stage.work();
      await stage.clock.advance(20_000);
    }
    expect(stage.lines).toEqual([
      'creditgate: more was debited than the gate knew of, and a wallet may be overspent: price() for indicator "message": a balance fell by 3 credits, of which 2 were recorded; let price() cover the service\'s rates, as creditgate doctor prints them, and nothing else spend the wallet [debit]',
    ]);
  });

  it.each([1.5, 2])("says nothing of a price that covers what is debited: %d", async (price) => {
    const stage = createStage({ lagWatch: true, price: () => price });
    debitsAtOnce(stage, 1.5);
    for (let at = 0; at < 10; at++) {
      await stage.work();
      await stage.clock.advance(at * 1_000);
    }
    await stage.clock.advance(20_000);
    expect(stage.lines).toEqual([]);
  });

  it("says once that usage came after its work had ended, unless it is not billed", async () => {
    const stage = createStage();
    for (const isReplaced of [true, false, false]) {
      const decision = await stage.gate.authorize(request);
      if (!decision.allowed) throw new Error(decision.denial.code);
      const { charge } = decision;
      charge.report({ outputTokens: 1 });
      await charge.settle(isReplaced ? [] : undefined);
      charge.report({ outputTokens: 1 });
      expect(stage.lines).toHaveLength(isReplaced ? 0 : 1);
    }
    expect(stage.lines[0]).toMatch(
      /^creditgate: usage was reported after its work had ended\. It is billed, but /,
    );
  });

  it("says that accepted usage is not debited", async () => {
    const stage = createStage({ lagWatch: true, price: () => 1 });
    await stage.work();
    await stage.clock.advance(20_000);
    expect(stage.lines).toHaveLength(1);
    expect(stage.lines[0]).toMatch(
      /^creditgate: usage of indicator "message", agent "chat", was accepted, and 10000 ms later the balance had not moved\. /,
    );
  });

  it("says that a base URL leads elsewhere, and takes it for no denial for want of credits", async () => {
    const stage = createStage();
    stage.service.onBalance = () => Promise.reject(status(404, problem("route_unknown")));
    expect(await stage.gate.authorize(request)).toMatchObject({ denial: { code: "upstream_unavailable" } });
    expect(stage.lines).toEqual([
      `${unreadable}answered 404 [balance]; check the baseUrl of createClient(), or CREDITGATE_BASE_URL`,
    ]);
  });

  it("answers 503 and says why where the client has no key", async () => {
    const missing = new CreditgateError("invalid_option", "apiKey: expected a key, received none; set it");
    const client = { ...createFakeService().client, fingerprint: () => Promise.reject(missing) };
    const stage = createStage({ client });
    expect(await stage.gate.authorize(request)).toMatchObject({ denial: { code: "upstream_unavailable" } });
    expect(stage.lines).toEqual([`${unreadable}${missing.message} [balance]`]);
  });

  it("keeps its line one line, and bounded", async () => {
    const stage = createStage({
      price: () => {
        throw new Error(`two\r\nlines \u001b[31m${"x".repeat(5_000)}`);
      },
    });
    await stage.work();
    expect(stage.lines).toHaveLength(1);
    expect(stage.lines[0]).toMatch(/^[\u0020-\u007e]{1,800}…$/);
  });

  it("is not made to fail by a logger that throws", async () => {
    const stage = createStage({
      logger: {
        error() {
          throw new Error("no disk");
        },
      },
    });
    stage.service.onUsage = () => Promise.reject(status(422, { problem: { code: "invalid_request" } }));
    await stage.work();
    expect(await stage.gate.flush()).toMatchObject({ dead: 1 });
  });

  it("says it to the console, and to nobody with logger: false", async () => {
    const said = vi.spyOn(console, "error").mockImplementation(() => {});
    for (const logger of [console, false as const]) {
      const stage = createStage({ logger });
      stage.service.onUsage = () => Promise.reject(status(422, { problem: { code: "invalid_request" } }));
      await stage.work();
    }
    expect(said.mock.calls).toEqual([[expect.stringMatching(/^creditgate: usage was refused/)]]);
  });
});

describe("a gate with a listener", () => {
  it("leaves that event to it, as long as it listens", async () => {
    const stage = createStage();
    let dead = 0;
    const end = stage.gate.on("dead", () => dead++);
    stage.service.onUsage = () => Promise.reject(status(422, { problem: { code: "invalid_request" } }));
    await stage.work();
    expect(dead).toBe(1);
    expect(stage.lines).toEqual([]);
    end();
    await stage.work();
    expect(stage.lines).toHaveLength(1);
  });

  it("says what only OpenTelemetry and its own lag watch listen to", async () => {
    const { metrics, trace } = await import("@opentelemetry/api");
    const stage = createStage({ openTelemetry: { metrics, trace }, lagWatch: true });
    stage.service.onUsage = () => Promise.reject(status(422, { problem: { code: "invalid_request" } }));
    await stage.work();
    expect(stage.lines).toHaveLength(1);
  });

  it("says what only recordTelemetry() listens to", async () => {
    const { metrics, trace } = await import("@opentelemetry/api");
    const stage = createStage();
    recordTelemetry(stage.gate, { metrics, trace });
    stage.service.onUsage = () => Promise.reject(status(422, { problem: { code: "invalid_request" } }));
    await stage.work();
    expect(stage.lines).toHaveLength(1);
  });

  it("refuses an event that there is not, and a listener that is none", () => {
    const { gate } = createStage();
    expect(() => gate.on("denied" as "decision", () => {})).toThrow(
      "denied: unknown event; expected one of decision, settled, late, duplicate, delivered, parked, dead, resolved, undelivered, orphan, lag, degraded",
    );
    expect(() => gate.on("degrade" as "degraded", () => {})).toThrow('did you mean "degraded"?');
    expect(() => gate.on("dead", undefined as unknown as () => void)).toThrow(
      "listener: expected a function",
    );
  });
});
