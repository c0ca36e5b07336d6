import { CreditgateError } from "@creditgate/client";
import {
  type AuthorizeRequest,
  createGate,
  createMemoryOutbox,
  createRegistry,
  type Usage,
} from "@creditgate/core";
import { createAdmission } from "@creditgate/core/adapter";
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import {
  answer,
  createFakeService,
  createPrepaidScene,
  createScene,
  hangs,
  outcome,
  pending,
  type Scene,
  status,
  wallet,
} from "./service.ts";

describe("createGate", () => {
  it("asks nothing of the service before the first request", async () => {
    const scene = createPrepaidScene(5);
    await scene.clock.advance(1_000_000);
    expect(scene.service.balanceRequests).toEqual([]);
    expect(scene.timers()).toBe(0);
  });

  it("asks nothing of the client either, without an outbox that lasts: workers may do no I/O outside of a request", async () => {
    const { client } = createFakeService();
    const fingerprint = vi.fn(client.fingerprint);
    const scene = createScene({ client: { ...client, fingerprint } });
    await scene.clock.advance(1_000_000);
    expect(fingerprint).not.toHaveBeenCalled();
  });
});

describe("authorize", () => {
  it("says what it expects where it gets nothing", async () => {
    const { gate } = createScene();
    const nothing = undefined as unknown as AuthorizeRequest;
    await expect(gate.authorize(nothing)).rejects.toMatchObject({
      code: "invalid_option",
      message: "request: expected an object with customerId, agentId, indicator and hold, received undefined",
    });
  });

  it.each([
    ["customer", "customerId"],
    ["waitUntill", "waitUntil"],
    ["holds", "hold"],
    ["defaultUsge", "defaultUsage"],
    ["AgentID", "agentId"],
    ["Indicator", "indicator"],
  ])("refuses the field %s, which would have no effect, and says that %s is meant", async (name, meant) => {
    const scene = createPrepaidScene(5);
    const request = { customerId: "alice", agentId: "chat", indicator: "message", hold: 1, [name]: 2 };
    await expect(scene.gate.authorize(request)).rejects.toMatchObject({
      code: "invalid_option",
      message: `${name}: unknown field; did you mean "${meant}"?`,
    });
    expect(scene.service.balanceRequests).toEqual([]);
  });

  it.each([undefined, null, "", "a\nb", "a\u0085", "\ud800", "x".repeat(257), "é".repeat(129)])(
    "denies the customer %j with 401, and asks the service nothing",
    async (customerId) => {
      const scene = createScene();
      const request = { customerId, agentId: "chat", indicator: "message", hold: 1 };
      const decision = await scene.gate.authorize(request);
      expect(decision).toMatchObject({
        allowed: false,
        denial: { code: "customer_unresolved", status: 401, retryable: false },
      });
      expect(scene.service.balanceRequests).toEqual([]);
    },
  );

  it.each([
    [7, "7"],
    [{ id: "alice" }, "an object"],
  ])("refuses the customer %j, which no client can have sent", async (customerId: unknown, received) => {
    const { gate } = createScene();
    const request = { customerId, agentId: "chat", indicator: "message", hold: 1 };
    await expect(Reflect.apply(gate.authorize, gate, [request])).rejects.toMatchObject({
      code: "invalid_option",
      message: `customerId: expected a string, received ${received}`,
    });
  });

  it.each(["x".repeat(256), "é".repeat(128), "a b", "😀", "__proto__", "../..", "A", "%00"])(
    "takes %j for an id, as it is",
    async (customerId) => {
      const scene = createScene();
      scene.service.fund(customerId, { ai_credits: wallet({ available: 5 }) });
      expect(outcome(await scene.authorize(1, customerId))).toBe("allowed");
      expect(scene.service.balanceRequests).toEqual([customerId]);
    },
  );

  it("does not fold ids that look alike", async () => {
    const scene = createScene();
    scene.service.fund("Alice", { ai_credits: wallet({ available: 5 }) });
    expect(outcome(await scene.authorize(1, "Alice"))).toBe("allowed");
    expect(outcome(await scene.authorize(1, "alice"))).toBe("customer_unknown");
  });

  it.each([
    ["hold", { hold: 0 }],
    ["hold", { hold: -1 }],
    ["hold", { hold: Number.NaN }],
    ["hold", { hold: Number.POSITIVE_INFINITY }],
    ["hold", { hold: 1e21 }],
    ["hold", { hold: 9_007_199_254.740992 }],
    ["hold", { hold: "5" as unknown as number }],
    ["agentId", { agentId: "" }],
    ["indicator", { indicator: "\u007f" }],
  ])("rejects a bad %s as misuse", async (field, wrong) => {
    const scene = createPrepaidScene(5);
    const request = { customerId: "alice", agentId: "chat", indicator: "message", hold: 1, ...wrong };
    const error = await scene.gate.authorize(request).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CreditgateError);
    expect(error).toMatchObject({
      code: "invalid_option",
      message: expect.stringContaining(`${field}: expected`),
    });
  });

  it("holds at least a micro-credit", async () => {
    const scene = createPrepaidScene(0.000_002, { minRefreshMs: 0 });
    await scene.admit(1e-300);
    await scene.admit(1e-7);
    expect(outcome(await scene.authorize(1e-7))).toBe("insufficient_credits");
  });

  it.each<[string, () => Promise<"prepaid">]>([
    ["throws", () => raise(new Error("the database is down"))],
    ["rejects", () => Promise.reject(new Error("the database is down"))],
  ])("cannot tell while the wallet function %s, and says so", async (_how, walletOf) => {
    const scene = createPrepaidScene(5, { wallet: walletOf });
    expect(outcome(await scene.authorize(1))).toBe("upstream_unavailable");
    expect(scene.emitted("degraded")).toEqual([
      { what: "wallet", error: new Error("the database is down"), customerId: "alice" },
    ]);
  });

  it("rejects a wallet of a kind that there is not: that is a mistake, not an outage", async () => {
    const strange = createScene({ wallet: async () => "barter" as "prepaid" });
    await expect(strange.authorize(1)).rejects.toThrow(
      'wallet: expected "prepaid" or "postpaid", received "barter"',
    );
  });

  it("denies while the outbox is full, and takes what was admitted before", async () => {
    const scene = createPrepaidScene(100, { outbox: createMemoryOutbox({ maxReports: 1 }) });
    const before = await scene.admit(1);
    const first = await scene.admit(1);
    scene.service.onUsage = hangs;
    first.report({ model: "a" });
    await first.settle();
    expect(await scene.authorize(1)).toMatchObject({
      denial: { code: "outbox_full", status: 503, retryAfter: 1 },
    });
    before.report({ model: "b" });
    await before.settle();
    await scene.clock.advance(0);
    expect(scene.service.reports).toHaveLength(2);
  });

  it("tells each decision", async () => {
    const scene = createPrepaidScene(5);
    await scene.authorize(2);
    await scene.authorize(2, "nobody");
    const asked = { currency: "ai_credits", agentId: "chat", indicator: "message" };
    expect(scene.emitted("decision")).toMatchObject([
      { ...asked, customerId: "alice", allowed: true, code: undefined },
      { ...asked, customerId: "nobody", allowed: false, code: "customer_unknown" },
    ]);
  });

  it("gives a denial as a web response", async () => {
    const scene = createPrepaidScene(5);
    const decision = await scene.authorize(6);
    if (decision.allowed) throw new Error("allowed");
    const response = decision.toResponse();
    expect(response.status).toBe(402);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(await response.json()).toMatchObject({ code: "insufficient_credits", required: 6, available: 5 });
  });
});

describe("figures", () => {
  it("tells the wallet in credits, and nothing of a customer who is not in memory", async () => {
    const scene = createPrepaidScene(5.25);
    expect(await scene.gate.balance("alice")).toBeUndefined();
    const charge = await scene.admit(2);
    charge.report({}, { credits: 0.5 });
    await scene.admit(1);
    await charge.settle();
    expect(await scene.gate.balance("alice")).toEqual({ capacity: 5.25, held: 1, unconfirmed: 0.5 });
  });

  it("asks for a balance that is older than maxAgeMs, once for all that wait, and not for a younger one", async () => {
    const { gate, service, clock } = createPrepaidScene(5);
    const both = Promise.all([1, 2].map(() => gate.balance("alice", { maxAgeMs: 0 })));
    expect(await both).toEqual([1, 2].map(() => ({ capacity: 5, held: 0, unconfirmed: 0 })));
    expect(service.balanceRequests).toHaveLength(1);
    await clock.advance(1_000);
    await gate.balance("alice", { maxAgeMs: 1_000 });
    expect(service.balanceRequests).toHaveLength(1);
    service.fund("alice", { ai_credits: wallet({ available: 7 }) });
    expect(await gate.balance("alice", { maxAgeMs: 999 })).toMatchObject({ capacity: 7 });
  });

  it("tells what of the wallet expires next, as it was last read, and nothing that makes no sense", async () => {
    const { gate, service, clock } = createPrepaidScene(5);
    const next = { at: "2026-12-03T00:00:00.000Z", credits: 2 };
    const expiring = async (value: unknown) => {
      const balances = {
        ai_credits: { ...wallet({ available: 5 }), ...(value === undefined ? {} : { expiring: value }) },
        other: { ...wallet(), expiring: [{ ...next, credits: 3 }] },
      };
      service.onBalance = async () => ({ ...answer({ balances }), isFresh: true });
      await clock.advance(1_000);
      return (await gate.balance("alice", { maxAgeMs: 0 }))?.expiring;
    };
    const odd = [null, { at: "soon", credits: 1 }, { at: next.at, credits: "1" }, { ...next, secret: 1 }];
    expect(await expiring([next])).toEqual([next]);
    expect((await gate.balance("alice"))?.expiring).toEqual([next]);
    expect(await expiring(odd)).toEqual([next]);
    expect(await expiring(Array.from({ length: 11 }, () => next))).toHaveLength(10);
    expect(await expiring("soon")).toBeUndefined();
    expect(await expiring(undefined)).toBeUndefined();
  });

  it("tells why there is no capacity, and what is old where no news comes", async () => {
    const { gate, service, clock } = createPrepaidScene(5);
    service.fund("bob", {});
    expect(await gate.balance("bob", { maxAgeMs: 0 })).toMatchObject({ problem: "wallet_missing" });
    await gate.balance("alice", { maxAgeMs: 0 });
    await clock.advance(1_000);
    service.onBalance = () => Promise.reject(new Error("down"));
    expect(await gate.balance("alice", { maxAgeMs: 0 })).toMatchObject({ capacity: 5, stale: true });
    await expect(gate.balance("alice", { maxAgeMs: -1 })).rejects.toMatchObject({ code: "invalid_option" });
  });
});

describe("on", () => {
  it("calls the listener until it is taken back", async () => {
    const scene = createPrepaidScene(5);
    const listener = vi.fn();
    const off = scene.gate.on("decision", listener);
    await scene.admit(1);
    off();
    await scene.admit(1);
    expect(listener).toHaveBeenCalledOnce();
  });

  it("harms nobody when a listener throws or rejects", async () => {
    const complaint = vi.spyOn(console, "error").mockImplementation(() => {});
    const scene = createPrepaidScene(5);
    scene.gate.on("decision", () => {
      throw new Error("sync");
    });
    scene.gate.on("decision", async () => {
      throw new Error("async");
    });
    await scene.admit(1);
    await scene.clock.advance(0);
    expect(complaint).toHaveBeenCalledTimes(2);
    complaint.mockRestore();
  });
});

describe("flush and close", () => {
  it("refuse an option that they do not know", async () => {
    const { gate } = createScene();
    const misspelt: object = { grace: 1 };
    expect(() => gate.close(misspelt)).toThrow('grace: unknown option; did you mean "graceMs"?');
    expect(gate.closing).toBe(false);
    await expect(gate.flush({ ...misspelt })).rejects.toThrow(
      "grace: unknown option; expected one of timeoutMs",
    );
  });
});

describe("close", () => {
  it("lets nothing in any more, waits for the work in flight, and delivers its usage", async () => {
    const scene = createPrepaidScene(5);
    const charge = await scene.admit(1);
    const closed = scene.gate.close();
    expect(await scene.authorize(1)).toMatchObject({ denial: { code: "closing", status: 503 } });
    await scene.clock.advance(5_000);
    expect(await Promise.race([closed, "waiting"])).toBe("waiting");
    charge.report({});
    await charge.settle();
    expect(await closed).toEqual({ queued: 0, parked: 0, dead: 0, open: 0, undelivered: [] });
    expect(scene.service.reports).toHaveLength(1);
    expect(scene.timers()).toBe(0);
  });

  it("denies, and holds nothing for, a request that it overtakes", async () => {
    const scene = createScene();
    const balance = pending<never>();
    scene.service.onBalance = () => balance.promise;
    const decision = scene.authorize(1);
    await scene.clock.advance(0);
    expect(await scene.gate.close()).toMatchObject({ queued: 0 });
    balance.resolve({ status: 200, body: { balances: { ai_credits: wallet({ available: 5 }) } } } as never);
    expect(outcome(await decision)).toBe("closing");
    expect(await scene.gate.balance("alice")).toMatchObject({ held: 0 });
  });

  it("gives up after its grace and tells what is left", async () => {
    const scene = createPrepaidScene(5);
    await scene.admit(1);
    const charge = await scene.admit(1);
    scene.service.onUsage = hangs;
    charge.report({});
    await charge.settle();
    const closed = scene.gate.close({ graceMs: 3_000 });
    await scene.clock.advance(3_000);
    const left = await closed;
    expect(left).toMatchObject({ queued: 1, parked: 0, dead: 0, undelivered: [{ customerId: "alice" }] });
    expect(scene.emitted("undelivered")).toMatchObject([
      { reports: left.undelivered, error: expect.any(Error) },
    ]);
    expect(scene.timers()).toBe(0);
  });

  it("gives what an outbox in memory has not delivered, queued, parked or dead", async () => {
    const scene = createPrepaidScene(5);
    for (const answered of [
      status(422, { problem: { code: "invalid_request" } }),
      status(500),
      status(503),
    ]) {
      scene.service.onUsage = () => Promise.reject(answered);
      const charge = await scene.admit(1);
      charge.report({ model: answered.message });
      await charge.settle();
      await scene.clock.advance(0);
    }
    const closed = scene.gate.close({ graceMs: 100 });
    await scene.clock.advance(100);
    const { undelivered, ...counts } = await closed;
    expect(counts).toEqual({ queued: 1, parked: 1, dead: 1, open: 0 });
    expect(undelivered.map(({ rawUsage }) => rawUsage.model)).toEqual([
      "answered 503",
      "answered 500",
      "answered 422",
    ]);
  });

  it("says so in one line where nobody listens", async () => {
    const complaint = vi.spyOn(console, "error").mockImplementation(() => {});
    const service = createFakeService();
    service.fund("alice", { ai_credits: wallet({ available: 5 }) });
    service.onUsage = () => Promise.reject(status(503));
    const gate = createGate({
      client: service.client,
      currency: "ai_credits",
      wallet: "prepaid",
      registry: createRegistry(),
    });
    const request = { customerId: "alice", agentId: "chat", indicator: "message", hold: 1 };
    for (let work = 0; work < 2; work++) {
      const decision = await gate.authorize(request);
      if (!decision.allowed) throw new Error(decision.denial.code);
      decision.charge.report({});
      await decision.charge.settle();
    }
    await gate.close({ graceMs: 0 });
    const lines = complaint.mock.calls.filter(([line]) => String(line).includes("will not be delivered"));
    complaint.mockRestore();
    expect(lines).toEqual([
      [expect.stringMatching(/^creditgate: 2 usage reports .*gate\.on\("undelivered"/)],
    ]);
  });

  it("delivers while it waits: one charge that never ends does not cost the others their delivery", async () => {
    const scene = createPrepaidScene(50);
    await scene.admit(1);
    scene.service.onUsage = () => Promise.reject(status(503, { retryAfterMs: 30_000 }));
    for (let work = 0; work < 40; work++) {
      const charge = await scene.admit(1);
      charge.report({});
      await charge.settle();
    }
    await scene.clock.advance(0);
    scene.service.onUsage = undefined;
    const closed = scene.gate.close({ graceMs: 3_000 });
    await scene.clock.advance(0);
    expect(new Set(scene.service.reports.map(({ key }) => key)).size).toBe(40);
    await scene.clock.advance(3_000);
    expect(await closed).toEqual({ queued: 0, parked: 0, dead: 0, open: 1, undelivered: [] });
  });

  describe("of work that does not end within the grace", () => {
    let warning: MockInstance<typeof console.warn>;
    beforeEach(() => {
      warning = vi.spyOn(console, "warn").mockImplementation(() => {});
    });
    afterEach(() => vi.restoreAllMocks());

    const closed = async (scene: Scene, graceMs = 1_000) => {
      const closing = scene.gate.close({ graceMs });
      await scene.clock.advance(graceMs);
      return closing;
    };

    it("bills what it has reported, and delivers that", async () => {
      const scene = createPrepaidScene(50);
      const charge = await scene.admit(1);
      charge.report({ model: "a" });
      expect(await closed(scene)).toEqual({ queued: 0, parked: 0, dead: 0, open: 0, undelivered: [] });
      expect(scene.service.reports.map(({ rawUsage }) => rawUsage.model)).toEqual(["a"]);
      expect(charge.open).toBe(false);
      expect(warning).not.toHaveBeenCalled();
    });

    it("gives what it has reported where that cannot be delivered", async () => {
      const scene = createPrepaidScene(50);
      const charge = await scene.admit(1);
      charge.report({ model: "a" });
      scene.service.onUsage = () => Promise.reject(status(503));
      expect((await closed(scene)).undelivered).toMatchObject([{ rawUsage: { model: "a" } }]);
    });

    it("bills what could be understood of a report that was refused", async () => {
      const scene = createPrepaidScene(50);
      const charge = await scene.admit(1);
      expect(() => charge.report({ model: "a", input_tokens: 7 } as object)).toThrow("input_tokens");
      await closed(scene);
      expect(scene.service.reports).toMatchObject([{ rawUsage: { model: "a", inputTokens: 7 } }]);
    });

    it("takes what it reports while that is delivered for late, and bills it", async () => {
      const scene = createPrepaidScene(50);
      const charge = await scene.admit(1);
      charge.report({ model: "a" });
      let answer = () => {};
      scene.service.onUsage = ({ key }) =>
        new Promise((resolve) => {
          answer = () => resolve({ status: 200, body: {}, idempotencyKey: key });
        });
      const closing = scene.gate.close({ graceMs: 1_000 });
      await scene.clock.advance(950);
      scene.service.onUsage = undefined;
      charge.report({ model: "b" });
      answer();
      await scene.clock.advance(50);
      expect(await closing).toMatchObject({ open: 0, undelivered: [] });
      expect(scene.emitted("late")).toMatchObject([{ billed: true }]);
      expect(scene.service.reports.map(({ rawUsage }) => rawUsage.model)).toEqual(["a", "b"]);
    });

    it("bills by onAbort what its client has disconnected, though it is seen to go on", async () => {
      const scene = createPrepaidScene(50);
      const options = { customer: "alice", agentId: "chat", indicator: "message", hold: 1 };
      const onAbort = (reported: readonly Usage[]) => ({ model: `left after ${reported.length}` });
      const admission = await createAdmission(scene.gate, { ...options, onAbort })(undefined);
      if (!admission.admitted) throw new Error(admission.denial.code);
      admission.credits.report({});
      admission.disconnect(new Promise(() => {}));
      await closed(scene);
      expect(scene.service.reports.map(({ rawUsage }) => rawUsage.model)).toEqual(["left after 1"]);
    });

    it("counts what has reported nothing, and says so in one line", async () => {
      const scene = createPrepaidScene(50);
      await scene.admit(1);
      const charge = await scene.admit(1);
      expect(await closed(scene)).toMatchObject({ open: 2 });
      expect(charge.open).toBe(true);
      expect(warning.mock.calls).toEqual([
        [expect.stringMatching(/work that has reported nothing \(2\), which is not billed/)],
      ]);
    });

    it("counts in silence with `logger: false`", async () => {
      const scene = createPrepaidScene(50, { logger: false });
      await scene.admit(1);
      expect(await closed(scene)).toMatchObject({ open: 1 });
      expect(warning).not.toHaveBeenCalled();
    });
  });

  it("is the same however often it is called", () => {
    const scene = createPrepaidScene(5);
    expect(scene.gate.close()).toBe(scene.gate.close({ graceMs: 1 }));
  });

  it("sends nothing more afterwards: work that outlives it rejects, and is told with its reports", async () => {
    const scene = createPrepaidScene(5);
    const charge = await scene.admit(2);
    const idle = await scene.admit(1);
    const closed = scene.gate.close({ graceMs: 100 });
    await scene.clock.advance(100);
    expect(await closed).toMatchObject({ queued: 0, undelivered: [] });
    charge.report({ model: "in time" }, { credits: 1.5 });
    await expect(charge.settle()).rejects.toThrow("the gate has been closed");
    charge.report({ model: "late" });
    idle.release();
    await scene.clock.advance(0);
    expect(scene.emitted("undelivered")).toMatchObject([
      { reports: [{ rawUsage: { model: "in time" } }], error: expect.any(Error) },
      { reports: [{ rawUsage: { model: "late" } }] },
    ]);
    expect(scene.emitted("settled")).toMatchObject([{ reports: 0 }]);
    // It has cost what it has cost, also for other gates on the wallet.
    expect(await scene.gate.balance("alice")).toMatchObject({ held: 0, unconfirmed: 3.5 });
    expect(await scene.gate.flush()).toEqual({ queued: 0, parked: 0, dead: 0 });
    expect(scene.service.reports).toEqual([]);
  });

  it("says nothing of an answer that comes afterwards and cannot be written down: the next process tells", async () => {
    const outbox = createMemoryOutbox();
    const scene = createPrepaidScene(5, { outbox });
    const answered = pending<ReturnType<typeof answer>>();
    scene.service.onUsage = () => answered.promise;
    const charge = await scene.admit(1);
    charge.report({});
    await charge.settle();
    const closed = scene.gate.close({ graceMs: 100 });
    await scene.clock.advance(100);
    await closed;
    vi.spyOn(outbox, "delivered").mockRejectedValue(new Error("the file is closed"));
    answered.resolve(answer({}));
    await scene.clock.advance(0);
    expect(scene.emitted("degraded")).toEqual([]);
    expect(scene.timers()).toBe(0);
  });

  it("lets an outbox that outlasts the process take work that outlives it", async () => {
    const outbox = Object.assign(createMemoryOutbox(), { recover: async () => ({ reports: [], works: [] }) });
    const scene = createPrepaidScene(5, { outbox });
    const charge = await scene.admit(2);
    const closed = scene.gate.close({ graceMs: 100 });
    await scene.clock.advance(100);
    await closed;
    charge.report({});
    await charge.settle();
    expect(await outbox.status()).toMatchObject({ queued: 1 });
    expect(scene.emitted("undelivered")).toEqual([]);
  });

  it("gives usage up that the outbox does not take, without an unhandled rejection", async () => {
    const outbox = createMemoryOutbox();
    vi.spyOn(outbox, "append").mockRejectedValue(new Error("disk full"));
    const scene = createPrepaidScene(5, { outbox });
    const charge = await scene.admit(1);
    charge.report({});
    void charge.settle();
    charge.report({});
    const closed = scene.gate.close({ graceMs: 1_000 });
    await scene.clock.advance(1_000);
    const { undelivered } = await closed;
    await expect(charge.settle()).rejects.toThrow("disk full");
    expect(undelivered).toHaveLength(2);
    // In one event, and so in one line of the log.
    expect(scene.emitted("undelivered")).toMatchObject([{ reports: undelivered, error: expect.any(Error) }]);
    expect(await scene.gate.balance("alice")).toMatchObject({ held: 0, unconfirmed: 2 });
    expect(scene.timers()).toBe(0);
  });

  it("stops sending even if the outbox cannot tell what is left", async () => {
    const outbox = createMemoryOutbox();
    const scene = createPrepaidScene(5, { outbox });
    scene.service.onUsage = () => Promise.reject(new CreditgateError("not_sent", "refused"));
    const charge = await scene.admit(1);
    charge.report({});
    await charge.settle();
    await scene.clock.advance(1);
    vi.spyOn(outbox, "status").mockRejectedValue(new Error("locked"));
    await expect(scene.gate.close()).rejects.toThrow("locked");
    const sent = scene.service.reports.length;
    await scene.clock.advance(1_000_000);
    expect(scene.service.reports).toHaveLength(sent);
  });

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])("refuses a grace of %s", (graceMs) => {
    const scene = createPrepaidScene(5);
    expect(() => scene.gate.close({ graceMs })).toThrow("graceMs: expected a number, from 0 to 86400000");
  });
});

describe("a clock that jumps", () => {
  it("is not the default: the machine's wall clock decides nothing", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const service = createFakeService();
    service.fund("alice", { ai_credits: wallet({ available: 5 }) });
    const gate = createGate({
      client: service.client,
      currency: "ai_credits",
      wallet: "prepaid",
      registry: createRegistry(),
    });
    const request = { customerId: "alice", agentId: "chat", indicator: "message", hold: 1 };
    await gate.authorize(request);
    vi.setSystemTime(Date.now() + 3_600_000);
    service.onBalance = hangs;
    expect(outcome(await gate.authorize(request))).toBe("allowed");
    vi.useRealTimers();
    expect(service.balanceRequests).toHaveLength(1);
  });
});

function raise(error: Error): never {
  throw error;
}
