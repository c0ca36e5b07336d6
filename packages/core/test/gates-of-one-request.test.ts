import { type CreditsOptions, createGate, type Gate, pause } from "@creditgate/core";
import { createAdmission } from "@creditgate/core/adapter";
import { describe, expect, it, vi } from "vitest";
import { createFakeService, createPrepaidScene, type Scene, wallet } from "./service.ts";

const plain = { customer: "alice", agentId: "chat", indicator: "message", hold: 5 };

const httpRequest = () => ({ method: "POST", headers: {} });

async function enter(gate: Gate, request: object, options: Partial<CreditsOptions<object>> = {}) {
  const admission = await createAdmission<object>(gate, { ...plain, ...options })(request);
  if (!admission.admitted) throw new Error(`denied: ${admission.denial.code}`);
  return admission;
}

async function billed({ clock, service }: Scene): Promise<unknown> {
  await clock.advance(0);
  return service.reports.map(({ rawUsage }) => rawUsage.model);
}

const held = async ({ gate }: Scene) => (await gate.balance("alice"))?.held;

const named = { customerId: "alice", currency: "ai_credits", agentId: "chat", indicator: "message" };
const byGates = { ...named, what: "gate", billed: "once" };

describe("two gates on one request", () => {
  it("share the charge: one hold, one bill, one default, and an event", async () => {
    const scene = createPrepaidScene(5);
    const request = httpRequest();
    const defaultUsage = { model: "default" };
    const outer = await enter(scene.gate, request, { defaultUsage });
    const inner = await enter(scene.gate, request, { defaultUsage });
    expect(inner.credits).toBe(outer.credits);
    expect(await held(scene)).toBe(5);
    inner.credits.report({ model: "m" });
    await Promise.all([inner.end("completed"), outer.end("completed")]);
    expect(await billed(scene)).toEqual(["m"]);
    expect(await held(scene)).toBe(0);
    expect(scene.emitted("settled")).toHaveLength(1);
    expect(scene.emitted("duplicate")).toEqual([byGates]);
  });

  it("share the charge where middleware between them puts another request into the framework's", async () => {
    const scene = createPrepaidScene(100);
    const context = { req: { raw: httpRequest() } };
    const outer = await enter(scene.gate, context);
    context.req = { raw: httpRequest() };
    const inner = await enter(scene.gate, context);
    expect(inner.credits).toBe(outer.credits);
  });

  it.each([
    ["of the inner gate", { model: "inner" }, { model: "outer" }, ["inner"]],
    ["of the outer gate, if the inner one has none", undefined, { model: "outer" }, ["outer"]],
    ["of none, if neither has one", undefined, undefined, []],
  ])("bill the default %s, once", async (_whose, inner, outer, expected) => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const scene = createPrepaidScene(100);
    const request = httpRequest();
    const ends = [];
    for (const defaultUsage of [outer, inner])
      ends.push(await enter(scene.gate, request, defaultUsage && { defaultUsage }));
    await Promise.all(ends.map(({ end }) => end("completed")));
    expect(await billed(scene)).toEqual(expected);
    expect(warn).toHaveBeenCalledTimes(expected.length === 0 ? 1 : 0);
    warn.mockRestore();
  });

  it.each([
    ["inner", [1, 0]],
    ["outer", [0, 1]],
  ] as const)("bill when both have seen the end, also if the %s one is the first", async (_first, order) => {
    const scene = createPrepaidScene(100);
    const request = httpRequest();
    const gates = [await enter(scene.gate, request), await enter(scene.gate, request)];
    const ended = vi.fn();
    void gates[order[0]]?.end("completed").then(ended);
    await scene.clock.advance(0);
    expect([ended.mock.calls.length, await held(scene)]).toEqual([0, 5]);
    gates[0]?.credits.report({ model: "afterwards" });
    await gates[order[1]]?.end("completed");
    await scene.clock.advance(0);
    expect([ended.mock.calls.length, await held(scene)]).toEqual([1, 0]);
    expect(await billed(scene)).toEqual(["afterwards"]);
  });

  it("take the word of the inner one on how the work ended", async () => {
    const scene = createPrepaidScene(100);
    const request = httpRequest();
    const options = { defaultUsage: { model: "default" } };
    const outer = await enter(scene.gate, request, options);
    const inner = await enter(scene.gate, request, options);
    await Promise.all([inner.end("failed"), outer.end("completed")]);
    expect(await billed(scene)).toEqual([]);
  });

  it("keep the hold while the handler of the inner one works on, though the outer one sees nothing", async () => {
    const scene = createPrepaidScene(100);
    const request = httpRequest();
    const outer = await enter(scene.gate, request, { abortGraceMs: 1_000 });
    const inner = await enter(scene.gate, request, { abortGraceMs: 1_000 });
    let finish = () => {};
    const handling = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const left = [outer.disconnect(), inner.disconnect(handling)];
    expect(inner.credits.signal.aborted).toBe(true);
    await scene.clock.advance(999);
    expect(await held(scene)).toBe(5);
    inner.credits.report({ model: "m" });
    finish();
    await Promise.all([handling, inner.end("aborted")]);
    await Promise.all(left);
    expect(await billed(scene)).toEqual(["m"]);
    expect(await held(scene)).toBe(0);
  });

  it("hold what the dearer one holds", async () => {
    const scene = createPrepaidScene(9);
    const request = httpRequest();
    const outer = await enter(scene.gate, request);
    const inner = await enter(scene.gate, request, { hold: 8 });
    expect([inner.credits.held, await held(scene)]).toEqual([8, 8]);
    await Promise.all([outer, inner].map(({ end }) => end("completed")));
    expect(await held(scene)).toBe(0);
  });

  it("hold what there is, where the inner one is content with less", async () => {
    const scene = createPrepaidScene(9);
    const request = httpRequest();
    await enter(scene.gate, request);
    const entering = enter(scene.gate, request, { hold: { min: 1, max: 20 } });
    await scene.clock.advance(1_000);
    expect((await entering).credits.held).toBe(9);
  });

  it("deny what the wallet cannot pay for, and bill no default for it", async () => {
    const scene = createPrepaidScene(9);
    const request = httpRequest();
    const options = { defaultUsage: { model: "default" } };
    const outer = await enter(scene.gate, request, options);
    const deciding = createAdmission<object>(scene.gate, { ...plain, ...options, hold: 10 })(request);
    await scene.clock.advance(1_000);
    const admission = await deciding;
    expect(admission).toMatchObject({ admitted: false, denial: { code: "insufficient_credits" } });
    if (!admission.admitted) expect(admission.toResponse().status).toBe(402);
    await outer.end("failed");
    expect(await billed(scene)).toEqual([]);
    expect(await held(scene)).toBe(0);
  });

  it("hold in all what a third one holds besides, which may stand before other work", async () => {
    const scene = createPrepaidScene(100);
    const request = httpRequest();
    for (const expected of [5, 5, 10, 15])
      expect((await enter(scene.gate, request)).credits.held).toBe(expected);
  });

  it("are found by what frameworks wrap: Node's request, or that of the web", async () => {
    const scene = createPrepaidScene(100);
    const node = httpRequest();
    const web = new Request("https://creditgate.example");
    // As that of a proxy of Next.js.
    const guarded = Object.defineProperty(new Request("https://creditgate.example"), "request", {
      get() {
        throw new Error("A proxy has no event");
      },
    });
    const chains = [
      [node, { raw: node }],
      [{ raw: node }, { raw: node }],
      [{ req: node }, node],
      [{ req: { raw: web } }, web],
      [{ request: web }, { request: web }],
      [guarded, guarded],
    ];
    for (const chain of chains) {
      const gates = [];
      for (const request of chain) gates.push(await enter(scene.gate, request));
      await Promise.all(gates.map(({ end }) => end("completed")));
    }
    expect(scene.emitted("duplicate")).toHaveLength(chains.length);
  });

  it("bill what each was let in for, and tell of nothing, if that is other work", async () => {
    const scene = createPrepaidScene(100);
    scene.service.fund("bob", { ai_credits: wallet({ available: 100 }) });
    const others = [{ indicator: "platform" }, { agentId: "writer" }, { customer: "bob" }];
    for (const other of others) {
      const request = httpRequest();
      const outer = await enter(scene.gate, request, { ...other, defaultUsage: { model: "fee" } });
      const inner = await enter(scene.gate, request);
      inner.credits.report({ model: "m" });
      await Promise.all([inner.end("completed"), outer.end("completed")]);
    }
    expect(await billed(scene)).toEqual(["m", "fee", "m", "fee", "m", "fee"]);
    expect(scene.emitted("duplicate")).toEqual([]);
  });

  it("bill each its own, and tell of nothing, if work was done between them", async () => {
    const scene = createPrepaidScene(100);
    const request = httpRequest();
    const defaultUsage = { model: "default" };
    const outer = await enter(scene.gate, request, { defaultUsage });
    outer.credits.report({ model: "moderation" });
    const inner = await enter(scene.gate, request, { defaultUsage });
    // As an adapter does whose client has disconnected by then.
    inner.credits.release();
    await Promise.all([inner.end("aborted"), outer.end("completed")]);
    expect(await billed(scene)).toEqual(["moderation"]);
    expect(scene.emitted("duplicate")).toEqual([]);
  });

  it("are independent on two requests, and where the work of the first has ended", async () => {
    const scene = createPrepaidScene(100);
    const request = httpRequest();
    for (const one of [request, httpRequest(), request])
      await (await enter(scene.gate, one)).end("completed");
    expect(scene.emitted("duplicate")).toEqual([]);
    expect(scene.emitted("settled")).toHaveLength(3);
  });

  it("of two `createGate()` on one service each bill, and tell so", async () => {
    const scene = createPrepaidScene(100);
    const { clock, service } = scene;
    const other = createGate({ client: service.client, currency: "ai_credits", wallet: "prepaid", clock });
    const events: unknown[] = [];
    other.on("duplicate", (event) => events.push(event));
    const request = httpRequest();
    const defaultUsage = { model: "default" };
    const outer = await enter(scene.gate, request, { defaultUsage });
    const inner = await enter(other, request, { defaultUsage });
    await Promise.all([inner.end("completed"), outer.end("completed")]);
    await other.close({ graceMs: 0 });
    expect(await billed(scene)).toEqual(["default", "default"]);
    expect(events).toEqual([{ ...byGates, billed: "each" }]);
  });

  it("are not what calls of tools are that share an object, each a piece of work of its own", async () => {
    const scene = createPrepaidScene(100);
    const shared = { ctx: httpRequest() };
    for (let call = 0; call < 2; call++) (await enter(scene.gate, shared)).credits.report({ model: "m" });
    expect(await held(scene)).toBe(10);
    expect(scene.emitted("duplicate")).toEqual([]);
  });

  it("of two services bill each its own, and tell of nothing", async () => {
    const one = createPrepaidScene(100);
    const elsewhere = createFakeService();
    const client = { ...elsewhere.client, fingerprint: async () => "another service" };
    const two = { ...createPrepaidScene(100, { client }), service: elsewhere };
    elsewhere.fund("alice", { ai_credits: wallet({ available: 100 }) });
    const request = httpRequest();
    for (const { gate } of [one, two]) {
      const { credits, end } = await enter(gate, request);
      credits.report({ model: "m" });
      void end("completed");
    }
    expect([await billed(one), await billed(two)]).toEqual([["m"], ["m"]]);
    expect([...one.emitted("duplicate"), ...two.emitted("duplicate")]).toEqual([]);
  });
});

describe("a request that has paused", () => {
  it.each([
    ["completed", "reported", ["m"]],
    ["aborted", "reported", ["m"]],
    ["aborted", "default", ["m"]],
    ["aborted", "none", ["m"]],
    ["failed", "reported", ["m"]],
  ] as const)(
    "is billed no default where it has %s (%s), and what was billed stays",
    async (ending, onAbort, models) => {
      const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
      const scene = createPrepaidScene(100);
      const { credits, end } = await enter(scene.gate, httpRequest(), {
        ...{ defaultUsage: { model: "default" }, onAbort },
      });
      credits.report({ model: "m" });
      expect(await pause(credits, 5)).toEqual({ allowed: true });
      await end(ending);
      await scene.clock.advance(200);
      expect(await billed(scene)).toEqual(models);
      expect(await held(scene)).toBe(0);
      expect(warn).not.toHaveBeenCalled();
      warn.mockRestore();
    },
  );

  it("is billed the default where it had reported nothing", async () => {
    const scene = createPrepaidScene(100);
    const { credits, end } = await enter(scene.gate, httpRequest(), { defaultUsage: { model: "default" } });
    expect(await pause(credits, 5)).toEqual({ allowed: true });
    await end("completed");
    expect(await billed(scene)).toEqual(["default"]);
  });
});
