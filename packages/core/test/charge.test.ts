import { CreditgateError } from "@creditgate/client";
import { type Charge, createMemoryOutbox } from "@creditgate/core";
import { describe, expect, it, vi } from "vitest";
import { createPrepaidScene, type Scene } from "./service.ts";

const figures = async ({ gate }: Scene) => {
  const { held, unconfirmed } = (await gate.balance("alice")) ?? {};
  return { held, unconfirmed };
};

async function sent(scene: Scene): Promise<readonly unknown[]> {
  await scene.clock.advance(0);
  return scene.service.reports.map(({ rawUsage }) => rawUsage.model);
}

describe("report", () => {
  it("sends one usage report for each, with the fields of the API and no other", async () => {
    const scene = createPrepaidScene(100);
    const charge = await scene.admit(5);
    const usage = { provider: "openai", model: "gpt-5", plan: "pro", inputTokens: 12, outputTokens: 40 };
    charge.report(usage);
    charge.report({ model: "b" }, { agentId: "other", indicator: "image", credits: 1 });
    expect(charge.reported).toEqual([usage, { model: "b" }]);
    await charge.settle();
    await scene.clock.advance(0);
    const who = { customerId: "alice", key: expect.any(String) };
    expect(scene.service.reports).toEqual([
      { ...who, agentId: "chat", indicator: "message", rawUsage: usage },
      { ...who, agentId: "other", indicator: "image", rawUsage: { model: "b" } },
    ]);
  });

  it("shows nothing of itself but whether it is open, in JSON and to an inspector, beside others", async () => {
    const scene = createPrepaidScene(10);
    const charges = [await scene.admit(1), await scene.admit(1)];
    for (const charge of charges) {
      expect(JSON.stringify(charge)).toBe('{"open":true}');
      expect(Object.keys(charge)).toEqual(["open"]);
    }
  });

  it("refuses to settle with what is no array of usages, and goes on", async () => {
    const scene = createPrepaidScene(10);
    const charge = await scene.admit(1);
    expect(() => charge.settle("done" as never)).toThrow("instead: expected an array of usages");
    expect(() => charge.settle(null as never)).toThrow("instead: expected an array of usages");
    expect(charge.open).toBe(true);
  });

  it("bills a refused report beside one that says something else", async () => {
    const scene = createPrepaidScene(100);
    const charge = await scene.admit(1);
    expect(() => charge.report({ inputTokens: null as never })).toThrow("usage.inputTokens");
    charge.report({ inputTokens: 7 });
    await charge.settle();
    expect(scene.service.reports.map(({ rawUsage }) => rawUsage)).toEqual([{}, { inputTokens: 7 }]);
  });

  it("keeps what was said, whatever becomes of the caller's object", async () => {
    const scene = createPrepaidScene(100);
    const charge = await scene.admit(5);
    const usage = { model: "before" };
    charge.report(usage);
    usage.model = "after";
    await charge.settle();
    expect(await sent(scene)).toEqual(["before"]);
  });

  it("keeps what was said, whatever becomes of what `reported` shows", async () => {
    const scene = createPrepaidScene(100);
    const charge = await scene.admit(5);
    charge.report({ model: "before" });
    Object.assign(charge.reported[0] ?? {}, { model: "after" });
    await charge.settle();
    expect(await sent(scene)).toEqual(["before"]);
  });

  it.each([
    ["usage", null, {}],
    ["usage.model", { model: 5 }, {}],
    ["usage.model", { model: "a\nb" }, {}],
    ["usage.provider", { provider: "x".repeat(257) }, {}],
    ["usage.inputTokens", { inputTokens: 1.5 }, {}],
    ["usage.outputTokens", { outputTokens: -1 }, {}],
    ["usage.outputTokens", { outputTokens: Number.NaN }, {}],
    ["credits", {}, { credits: -1 }],
    ["credits", {}, { credits: Number.NaN }],
    ["credits", {}, { credits: Number.POSITIVE_INFINITY }],
    ["agentId", {}, { agentId: "" }],
    ["indicator", {}, { indicator: "a\u0000" }],
  ])("refuses a bad %s", async (field, usage, overrides) => {
    const scene = createPrepaidScene(100);
    const charge = await scene.admit(5);
    const report = () => charge.report(usage as object, overrides);
    expect(report).toThrow(CreditgateError);
    expect(report).toThrow(`${field}: expected`);
  });

  it.each([
    ["prompt_tokens", "inputTokens"],
    ["promptTokens", "inputTokens"],
    ["input_tokens", "inputTokens"],
    ["promptTokenCount", "inputTokens"],
    ["inputToken", "inputTokens"],
    ["completion_tokens", "outputTokens"],
    ["completionTokens", "outputTokens"],
    ["output_tokens", "outputTokens"],
    ["candidatesTokenCount", "outputTokens"],
    ["outputTokenCount", "outputTokens"],
    ["Model", "model"],
  ])("refuses the field %s, and says that %s is meant", async (name, meant) => {
    const charge = await createPrepaidScene(100).admit(5);
    const usage: object = { [name]: 1 };
    expect(() => charge.report(usage)).toThrow(`usage.${name}: unknown field; did you mean "${meant}"?`);
  });

  it.each(["totalToken", "prompt_tokens_details", "cost", "constructor"])(
    "refuses the field %s, which stands for none that it knows",
    async (name) => {
      const charge = await createPrepaidScene(100).admit(5);
      const usage: object = { inputTokens: 1, [name]: 1 };
      expect(() => charge.report(usage)).toThrow(
        `usage.${name}: unknown field; expected one of provider, model, plan, inputTokens, outputTokens`,
      );
    },
  );

  it.each([
    [
      "a promise",
      Promise.resolve({ inputTokens: 1 }),
      /^usage: expected an object, received a promise; did you forget await\?$/,
    ],
    ["a Map", new Map([["inputTokens", 1]]), /^usage: expected an object, received an object of class Map$/],
    ["an array", [{ inputTokens: 1 }], /^usage: expected an object, received an array$/],
    [
      "an object of a class without a field",
      new (class Used {
        get tokens() {
          return 1;
        }
      })(),
      /of class Used$/,
    ],
  ])("refuses %s, and bills an event for it", async (_, usage: object, message) => {
    const scene = createPrepaidScene(100);
    const charge = await scene.admit(5);
    expect(() => charge.report(usage)).toThrow(message);
    await charge.settle();
    await scene.clock.advance(0);
    expect(scene.service.reports).toMatchObject([{ rawUsage: {} }]);
  });

  it("takes an object of a class that has the fields, and one without a prototype", async () => {
    class Used {
      get inputTokens() {
        return 30;
      }
    }
    const charge = await createPrepaidScene(100).admit(5);
    charge.report(new Used());
    charge.report(Object.assign(Object.create(null), { outputTokens: 7 }));
    expect(charge.reported).toEqual([{ inputTokens: 30 }, { outputTokens: 7 }]);
  });

  it("bills the counts of the AI SDK's usage, and takes no notice of what is beside them", async () => {
    const charge = await createPrepaidScene(100).admit(5);
    const usage = {
      inputTokens: 30,
      inputTokenDetails: { noCacheTokens: 30, cacheReadTokens: 0 },
      outputTokens: 990,
      outputTokenDetails: { textTokens: 990 },
      totalTokens: 1_020,
      reasoningTokens: 0,
      cachedInputTokens: 0,
      raw: { prompt_tokens: 30 },
    };
    charge.report(usage);
    expect(charge.reported).toEqual([{ inputTokens: 30, outputTokens: 990 }]);
    const misspelt = { ...usage, outputTokns: 1 };
    expect(() => charge.report(misspelt)).toThrow(
      'usage.outputTokns: unknown field; did you mean "outputTokens"?',
    );
    const total: object = { totalTokens: 1_020 };
    expect(() => charge.report(total)).toThrow(
      "usage.totalTokens: unknown field; expected one of provider, model",
    );
  });

  it("works where it is taken out of its charge, and so do settle and release", async () => {
    const scene = createPrepaidScene(100);
    const { report, settle, release } = await scene.admit(5);
    report({ model: "a" });
    await settle();
    release();
    expect(await sent(scene)).toEqual(["a"]);
  });

  describe("of which the provider has sent no counts", () => {
    const uncounted = { provider: "openai", model: "m", inputTokens: undefined, outputTokens: undefined };
    const request = { customerId: "alice", agentId: "chat", indicator: "message", hold: 5 };

    it("bills those of defaultUsage, and tells", async () => {
      const scene = createPrepaidScene(100);
      const defaultUsage = { model: "default", inputTokens: 500, outputTokens: 400 };
      const decision = await scene.gate.authorize({ ...request, defaultUsage });
      if (!decision.allowed) throw new Error("denied");
      decision.charge.report(uncounted);
      decision.charge.report({ model: "counted", outputTokens: 1 });
      decision.charge.report({ model: "by event" });
      expect(decision.charge.reported).toEqual([
        { provider: "openai", model: "m", inputTokens: 500, outputTokens: 400 },
        { model: "counted", outputTokens: 1 },
        { model: "by event" },
      ]);
      const error = {
        message: expect.stringMatching(/"message" has no token counts, so those of defaultUsage are billed$/),
      };
      expect(scene.emitted("degraded")).toMatchObject([{ what: "counts", error, customerId: "alice" }]);
    });

    it("bills those of defaultUsage too for a report that it refuses, and of which it understands none", async () => {
      const scene = createPrepaidScene(100);
      const defaultUsage = { inputTokens: 500, outputTokens: 400 };
      const decision = await scene.gate.authorize({ ...request, defaultUsage });
      if (!decision.allowed) throw new Error("denied");
      const { charge } = decision;
      expect(() => charge.report({ model: "m", inputTokens: Number.NaN })).toThrow("usage.inputTokens");
      await charge.settle();
      expect(scene.service.reports.map(({ rawUsage }) => rawUsage)).toEqual([
        { model: "m", ...defaultUsage },
      ]);
    });

    it("bills an event where there is none, and tells", async () => {
      const scene = createPrepaidScene(100);
      const charge = await scene.admit(5);
      charge.report(uncounted);
      expect(charge.reported).toEqual([{ provider: "openai", model: "m" }]);
      const error = { message: expect.stringMatching(/no tokens are billed; set defaultUsage$/) };
      expect(scene.emitted("degraded")).toMatchObject([{ what: "counts", error }]);
    });

    it("refuses a default that makes no sense", async () => {
      const defaultUsage: object = { tokens: 1 };
      await expect(createPrepaidScene(100).gate.authorize({ ...request, defaultUsage })).rejects.toThrow(
        "defaultUsage.tokens: unknown field",
      );
    });
  });

  it("takes no notice of a field without a value", async () => {
    const charge = await createPrepaidScene(100).admit(5);
    const usage: object = { inputTokens: 1, cachedInputTokens: undefined };
    charge.report(usage);
    expect(charge.reported).toEqual([{ inputTokens: 1 }]);
  });

  it("refuses an override that it does not know", async () => {
    const charge = await createPrepaidScene(100).admit(5);
    const overrides: object = { credit: 3 };
    expect(() => charge.report({}, overrides)).toThrow('credit: unknown option; did you mean "credits"?');
  });

  it("bills what it understands of a report that it refuses, since the model has worked, and tells", async () => {
    const scene = createPrepaidScene(100, { price: ({ outputTokens = 0 }) => outputTokens });
    const charge = await scene.admit(5);
    const usage: object = { model: "m", prompt_tokens: 7, completion_tokens: 3, inputTokens: -1, secret: 1 };
    expect(() => charge.report(usage, { indicator: "image" })).toThrow("usage.prompt_tokens");
    await charge.settle();
    await scene.clock.advance(0);
    expect(scene.service.reports).toMatchObject([
      { indicator: "image", rawUsage: { model: "m", inputTokens: 7, outputTokens: 3 } },
    ]);
    expect(scene.emitted("degraded")).toMatchObject([{ what: "usage", customerId: "alice" }]);
    expect(scene.emitted("settled")).toMatchObject([{ reports: 1, credits: 3 }]);
  });

  it("bills an event for a refused report of which it understands nothing", async () => {
    const scene = createPrepaidScene(100);
    const charge = await scene.admit(5);
    expect(() => charge.report(null as unknown as object, { agentId: "" })).toThrow(CreditgateError);
    await charge.settle();
    await scene.clock.advance(0);
    expect(scene.service.reports).toMatchObject([{ agentId: "chat", indicator: "message", rawUsage: {} }]);
  });

  it("bills the report that corrects a refused one, and not both", async () => {
    const scene = createPrepaidScene(100);
    const charge = await scene.admit(5);
    const misspelt: object = { model: "b", input_tokens: 7 };
    charge.report({ model: "a" });
    expect(() => charge.report(misspelt)).toThrow(CreditgateError);
    charge.report({ model: "b", inputTokens: 7 });
    charge.report({ model: "c" });
    await charge.settle();
    expect(await sent(scene)).toEqual(["a", "b", "c"]);
  });

  it.each([
    ["other numbers beside it", { model: "b", inputTokens: 8, outputTokens: 3 }, 2],
    ["the same numbers in its place", { model: "b", inputTokens: 7, outputTokens: 3 }, 1],
    ["the same numbers and another field in its place", { inputTokens: 7, outputTokens: 3, plan: "p" }, 1],
  ])("bills what follows a refused report with %s", async (_how, next, count) => {
    const scene = createPrepaidScene(100);
    const charge = await scene.admit(5);
    expect(() => charge.report({ model: "b\n", inputTokens: 7, outputTokens: 3 })).toThrow(CreditgateError);
    charge.report(next);
    await charge.settle();
    expect(await sent(scene)).toHaveLength(count);
  });

  it("bills nothing of a refused report whose work is released", async () => {
    const scene = createPrepaidScene(100);
    const charge = await scene.admit(5);
    expect(() => charge.report({ inputTokens: -1 })).toThrow(CreditgateError);
    charge.release();
    expect(await sent(scene)).toEqual([]);
  });

  it("bills a refused report that comes late", async () => {
    const scene = createPrepaidScene(100);
    const charge = await scene.admit(5);
    await charge.settle();
    const misspelt: object = { model: "late", input_tokens: 7 };
    expect(() => charge.report(misspelt)).toThrow(CreditgateError);
    expect(await sent(scene)).toEqual(["late"]);
  });
});

describe("settle (rule 4)", () => {
  it("records the credits of each report, rounded up, in the place of the hold", async () => {
    const scene = createPrepaidScene(100);
    const charge = await scene.admit(5);
    charge.report({}, { credits: 1.000_000_1 });
    charge.report({}, { credits: 0.5 });
    await charge.settle();
    expect(await figures(scene)).toEqual({ held: 0, unconfirmed: 1.500_001 });
    expect(scene.emitted("settled")).toEqual([
      { customerId: "alice", currency: "ai_credits", reports: 2, credits: 1.500_001 },
    ]);
  });

  it("asks price() where a report has no credits of its own", async () => {
    const scene = createPrepaidScene(100, { price: ({ outputTokens = 0 }) => outputTokens / 1_000 });
    const charge = await scene.admit(5);
    charge.report({ outputTokens: 250 });
    charge.report({ outputTokens: 250 }, { credits: 3 });
    await charge.settle();
    expect(await figures(scene)).toEqual({ held: 0, unconfirmed: 3.25 });
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("no price");
      },
    ],
    ["is NaN", () => Number.NaN],
    ["is negative", () => -1],
    ["is infinite", () => Number.POSITIVE_INFINITY],
  ])("reserves the hold, and tells, where price() %s", async (_name, price) => {
    const scene = createPrepaidScene(100, { price });
    const charge = await scene.admit(5);
    charge.report({ model: "a" });
    await charge.settle();
    expect(await figures(scene)).toEqual({ held: 0, unconfirmed: 5 });
    expect(scene.emitted("degraded")).toMatchObject([{ what: "price" }]);
    expect(await sent(scene)).toEqual(["a"]);
  });

  it.each([
    ["a string", "2.5", '"2.5"'],
    ["a promise", Promise.resolve(2.5), "a promise"],
  ])("says what it got where price() gives %s", async (_, given: unknown, received) => {
    const price: object = { price: () => given };
    const scene = createPrepaidScene(100, price);
    (await scene.admit(5)).report({});
    const error = { message: `price(): expected a number of credits, 0 or more, received ${received}` };
    expect(scene.emitted("degraded")).toMatchObject([{ what: "price", error }]);
  });

  it("has unpriced reports share what the priced ones leave of the hold", async () => {
    const scene = createPrepaidScene(100);
    const charge = await scene.admit(5);
    charge.report({});
    charge.report({}, { credits: 2 });
    charge.report({});
    await charge.settle();
    expect(await figures(scene)).toEqual({ held: 0, unconfirmed: 5 });
  });

  it("takes no more from what the others share than the prices say: prices are rounded up, each", async () => {
    const scene = createPrepaidScene(100);
    const charge = await scene.admit(0.000_01);
    for (let report = 0; report < 4; report++) charge.report({}, { credits: 0.000_000_5 });
    charge.report({});
    await charge.settle();
    // 4 entries of a micro-credit, and 10 for the last one: it may be debited 8, which 4 rounded prices would not leave.
    expect(await figures(scene)).toEqual({ held: 0, unconfirmed: 0.000_014 });
  });

  it("reserves nothing more for them where the priced ones have used the hold up", async () => {
    const scene = createPrepaidScene(100);
    const charge = await scene.admit(5);
    charge.report({}, { credits: 7 });
    charge.report({});
    await charge.settle();
    expect(await figures(scene)).toEqual({ held: 0, unconfirmed: 7 });
  });

  it("gives the hold back where nothing was reported", async () => {
    const scene = createPrepaidScene(100);
    const charge = await scene.admit(5);
    expect(await figures(scene)).toEqual({ held: 5, unconfirmed: 0 });
    await charge.settle();
    expect(await figures(scene)).toEqual({ held: 0, unconfirmed: 0 });
    expect(await sent(scene)).toEqual([]);
    expect(scene.emitted("settled")).toMatchObject([{ reports: 0, credits: 0 }]);
  });

  it("happens once, however often it is called", async () => {
    const scene = createPrepaidScene(100);
    const charge = await scene.admit(5);
    charge.report({ model: "a" });
    expect(charge.open).toBe(true);
    await Promise.all([charge.settle(), charge.settle([{ model: "b" }])]);
    expect(charge.open).toBe(false);
    charge.release();
    await charge.settle([]);
    expect(charge.reported).toEqual([{ model: "a" }]);
    expect(await sent(scene)).toEqual(["a"]);
    expect(await figures(scene)).toEqual({ held: 0, unconfirmed: 5 });
    expect(scene.emitted("settled")).toHaveLength(1);
  });

  it("has happened when it is told", async () => {
    const scene = createPrepaidScene(100);
    const charge = await scene.admit(5);
    charge.report({ model: "a" }, { credits: 2 });
    scene.gate.on("settled", () => {
      expect(charge.open).toBe(false);
      void charge.settle([{ model: "b" }]);
    });
    await charge.settle();
    expect(await sent(scene)).toEqual(["a"]);
    expect(await figures(scene)).toEqual({ held: 0, unconfirmed: 2 });
    expect(scene.emitted("settled")).toHaveLength(1);
  });

  it("bills what is given instead of what was reported", async () => {
    const scene = createPrepaidScene(100);
    const charge = await scene.admit(5);
    charge.report({ model: "a" }, { credits: 50 });
    await charge.settle([{ model: "b" }, { model: "c" }]);
    expect(await sent(scene)).toEqual(["b", "c"]);
    expect(await figures(scene)).toEqual({ held: 0, unconfirmed: 5 });
  });

  it("stays open when what is given instead makes no sense", async () => {
    const scene = createPrepaidScene(100);
    const charge = await scene.admit(5);
    charge.report({ model: "a" });
    expect(() => charge.settle([{ inputTokens: -1 }])).toThrow("usage.inputTokens: expected");
    expect(charge.open).toBe(true);
    await charge.settle();
    expect(await sent(scene)).toEqual(["a"]);
  });

  it.each(["throws", "rejects"])(
    "keeps the hold, tells, and tries again while the outbox %s",
    async (how) => {
      const fail = () => {
        throw new Error("disk full");
      };
      const outbox = createMemoryOutbox();
      const append = vi.spyOn(outbox, "append");
      if (how === "throws") append.mockImplementation(() => fail());
      else append.mockImplementation(async () => fail());
      const scene = createPrepaidScene(100, { outbox });
      const charge = await scene.admit(5);
      charge.report({ model: "a" }, { credits: 2 });
      const settled = vi.fn();
      void charge.settle().then(settled);
      await scene.clock.advance(10_000);
      expect(await figures(scene)).toEqual({ held: 5, unconfirmed: 0 });
      expect(scene.service.reports).toEqual([]);
      expect(settled).not.toHaveBeenCalled();
      expect(append.mock.calls.length).toBeGreaterThan(3);
      expect(scene.emitted("degraded")[0]).toMatchObject({ what: "outbox", customerId: "alice" });
      append.mockRestore();
      await scene.clock.advance(5_000);
      expect(settled).toHaveBeenCalledOnce();
      expect(await figures(scene)).toEqual({ held: 0, unconfirmed: 2 });
      expect(await sent(scene)).toEqual(["a"]);
    },
  );
});

describe("release (rule 6)", () => {
  it("gives the hold back and bills nothing", async () => {
    const scene = createPrepaidScene(100);
    const charge = await scene.admit(5);
    charge.report({ model: "a" });
    charge.release();
    expect(charge.open).toBe(false);
    expect(await sent(scene)).toEqual([]);
    expect(await figures(scene)).toEqual({ held: 0, unconfirmed: 0 });
  });
});

describe("beforeBill", () => {
  it.each([
    ["settle", ["first", "second"]],
    ["release", []],
  ] as const)("calls what a call registers, before %s() bills", async (how, billed) => {
    const scene = createPrepaidScene(10);
    const charge = await scene.admit(1);
    charge.beforeBill(() => {
      charge.report({ model: "first" });
      charge.beforeBill(() => charge.report({ model: "second" }));
    });
    await charge[how]();
    expect(await sent(scene)).toEqual(billed);
    expect(scene.emitted("late")).toEqual([]);
  });

  it("does not call what is taken back by one that is called before it", async () => {
    const scene = createPrepaidScene(10);
    const charge = await scene.admit(1);
    let undo = () => {};
    charge.beforeBill(() => undo());
    undo = charge.beforeBill(() => charge.report({ model: "taken back" }));
    await charge.settle();
    expect(await sent(scene)).toEqual([]);
  });

  it("bills work whose calls register others without end, and calls all that were there before", async () => {
    const scene = createPrepaidScene(10);
    const charge = await scene.admit(1);
    const again = () => {
      charge.beforeBill(again);
      charge.endCalls();
    };
    charge.beforeBill(again);
    let closed = 0;
    for (let count = 0; count < 2_000; count++) charge.beforeBill(() => closed++);
    await charge.settle();
    expect(closed).toBe(2_000);
    expect(await figures(scene)).toEqual({ held: 0, unconfirmed: 0 });
  });

  it.each([
    ["is settled", (charge: Charge) => void charge.settle(), ["call"]],
    ["is released, which drops it", (charge: Charge) => charge.release(), []],
    ["is billed otherwise", (charge: Charge) => void charge.settle([{ model: "other" }]), ["other"]],
  ])("has a call report in time where its work %s, and once", async (_, end, expected) => {
    const scene = createPrepaidScene(100);
    const charge = await scene.admit(5);
    let closed = 0;
    charge.beforeBill(() => {
      closed++;
      charge.report({ model: "call" });
    });
    end(charge);
    await charge.settle();
    expect(await sent(scene)).toEqual(expected);
    expect(closed).toBe(1);
    expect(scene.emitted("late")).toEqual([]);
  });

  it("closes what is still to be closed, also beside a call that throws", async () => {
    const scene = createPrepaidScene(100);
    const charge = await scene.admit(5);
    const report = (model: string) => () => charge.report({ model });
    const over = charge.beforeBill(report("over"));
    charge.beforeBill(() => {
      throw new Error("a bug");
    });
    const twice = report("twice");
    charge.beforeBill(twice);
    charge.beforeBill(twice);
    over();
    await charge.settle();
    expect(await sent(scene)).toEqual(["twice", "twice"]);
    charge.beforeBill(report("after the end"))();
    await charge.settle();
    expect(await sent(scene)).toEqual(["twice", "twice"]);
  });

  it("goes on where a settle is refused", async () => {
    const charge = await createPrepaidScene(10).admit(1);
    let closed = 0;
    charge.beforeBill(() => closed++);
    expect(() => charge.settle("done" as never)).toThrow();
    expect(() => charge.settle([{ inputTokens: -1 }])).toThrow();
    expect(closed).toBe(0);
  });

  it("bills once where a listener of what is reported settles", async () => {
    const scene = createPrepaidScene(100);
    const charge = await scene.admit(5);
    scene.gate.on("degraded", () => void charge.settle());
    charge.beforeBill(() => charge.report({ model: "call", inputTokens: -1 }));
    await charge.settle();
    expect(await sent(scene)).toEqual(["call"]);
    expect(await figures(scene)).toMatchObject({ held: 0 });
  });

  it("is asked by a gate that gives up", async () => {
    const scene = createPrepaidScene(100);
    const charge = await scene.admit(5);
    charge.beforeBill(() => charge.report({ model: "call" }));
    const closing = scene.gate.close({ graceMs: 1_000 });
    await scene.clock.advance(1_000);
    expect(await closing).toMatchObject({ open: 0 });
    expect(await sent(scene)).toEqual(["call"]);
  });
});

describe("a report after settle (rule 7)", () => {
  it("is billed under an entry of its own, and told", async () => {
    const scene = createPrepaidScene(100);
    const charge = await scene.admit(5);
    charge.report({ model: "a" }, { credits: 1 });
    await charge.settle();
    charge.report({ model: "late" }, { credits: 2 });
    expect(await sent(scene)).toEqual(["a", "late"]);
    expect(await figures(scene)).toEqual({ held: 0, unconfirmed: 3 });
    expect(scene.emitted("late")).toEqual([{ customerId: "alice", currency: "ai_credits", billed: true }]);
  });

  it("counts for as much as the hold was where nobody can say what it cost", async () => {
    const scene = createPrepaidScene(100);
    const charge = await scene.admit(5);
    await charge.settle();
    charge.report({});
    charge.report({});
    await scene.clock.advance(0);
    expect(await figures(scene)).toEqual({ held: 0, unconfirmed: 10 });
  });

  it("is billed after a release too: the work did cost something", async () => {
    const scene = createPrepaidScene(100);
    const charge = await scene.admit(5);
    charge.release();
    charge.report({ model: "late" });
    expect(await sent(scene)).toEqual(["late"]);
  });

  it("is told and not billed where the bill has been decided instead", async () => {
    const scene = createPrepaidScene(100);
    const charge = await scene.admit(5);
    await charge.settle([]);
    charge.report({ model: "late" });
    expect(await sent(scene)).toEqual([]);
    expect(scene.emitted("late")).toMatchObject([{ billed: false }]);
  });
});
