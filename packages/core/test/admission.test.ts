import type { CreditsOptions, Ending, Usage } from "@creditgate/core";
import { createAdmission } from "@creditgate/core/adapter";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createPrepaidScene, type Scene } from "./service.ts";

interface Call {
  readonly method: string;
  readonly user?: string;
}

const get: Call = { method: "GET", user: "alice" };
const plain = { customer: "alice", agentId: "chat", indicator: "message", hold: 5 };

function admissionOf(scene: Scene, options: Partial<CreditsOptions<Call>> = {}) {
  return createAdmission<Call>(scene.gate, { ...plain, ...options });
}

async function admitted(scene: Scene, options: Partial<CreditsOptions<Call>> = {}) {
  const admission = await admissionOf(scene, options)(get);
  if (!admission.admitted) throw new Error(`denied: ${admission.denial.code}`);
  return admission;
}

/** What is sent for a request that reports `reported` and ends so. */
async function billed(
  options: Partial<CreditsOptions<Call>>,
  reported: readonly string[],
  ending: Ending,
): Promise<unknown> {
  const scene = createPrepaidScene(100);
  const { credits, end } = await admitted(scene, options);
  for (const model of reported) credits.report({ model });
  await end(ending);
  await scene.clock.advance(0);
  expect(await scene.gate.balance("alice")).toMatchObject({ held: 0 });
  return scene.service.reports.map(({ rawUsage }) => rawUsage.model);
}

describe("createAdmission", () => {
  it.each(["completed", "failed", "aborted"] as const)(
    "bills a call that reports before the bill, and no default beside it, where the request %s",
    async (ending) => {
      const scene = createPrepaidScene(100);
      const asked: unknown[] = [];
      const onAbort = (reported: readonly Usage[]) => {
        asked.push(...reported);
        return reported[0];
      };
      const { credits, end } = await admitted(scene, { defaultUsage: { model: "default" }, onAbort });
      credits.beforeBill(() => credits.report({ model: "call" }));
      await end(ending);
      await scene.clock.advance(0);
      expect(scene.service.reports.map(({ rawUsage }) => rawUsage)).toEqual([{ model: "call" }]);
      expect(asked).toEqual(ending === "aborted" ? [{ model: "call" }] : []);
    },
  );

  it.each(["settle", "release"] as const)(
    "bills no default where %s() is called before the bill, as where the handler calls it",
    async (how) => {
      const scene = createPrepaidScene(100);
      const { credits, end } = await admitted(scene, { defaultUsage: { model: "default" } });
      credits.beforeBill(() => void credits[how]());
      await end("completed");
      await scene.clock.advance(0);
      expect(scene.service.reports).toEqual([]);
    },
  );

  it("bills what was reported, whatever onAbort does to what it is shown", async () => {
    const scene = createPrepaidScene(100);
    const { credits, end } = await admitted(scene, {
      onAbort(reported) {
        for (const usage of reported) Object.assign(usage, { inputTokens: 0 });
        throw new Error("a bug");
      },
    });
    credits.report({ inputTokens: 50 });
    await end("aborted");
    await scene.clock.advance(0);
    expect(scene.service.reports).toMatchObject([{ rawUsage: { inputTokens: 50 } }]);
  });

  it("refuses an option that it does not know, and tells the nearest", () => {
    const misspelt: object = { onabort: "none" };
    expect(() => admissionOf(createPrepaidScene(100), misspelt)).toThrow(
      'onabort: unknown option; did you mean "onAbort"?',
    );
  });

  it("bills defaultUsage where onAbort throws, or is async, and nothing was reported", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const fails = () => {
      throw new Error("a bug");
    };
    const later = (async () => undefined) as never;
    const usage = { model: "d" };
    expect(await billed({ onAbort: fails, defaultUsage: usage }, [], "aborted")).toEqual(["d"]);
    expect(await billed({ onAbort: later, defaultUsage: usage }, [], "aborted")).toEqual(["d"]);
  });

  it("refuses a skip that gives no boolean, so that no string makes work free", async () => {
    const scene = createPrepaidScene(100);
    await expect(admitted(scene, { skip: (() => "false") as never })).rejects.toThrow("skip: expected");
  });

  let warning = vi.spyOn(console, "warn");
  let complaint = vi.spyOn(console, "error");
  beforeEach(() => {
    warning = vi.spyOn(console, "warn").mockImplementation(() => {});
    complaint = vi.spyOn(console, "error").mockImplementation(() => {});
  });
  afterEach(() => vi.restoreAllMocks());

  it("takes values, functions of the request, and promises", async () => {
    const scene = createPrepaidScene(100);
    const admit = admissionOf(scene, {
      customer: ({ user }) => user,
      agentId: async () => "writer",
      indicator: ({ method }) => `${method} page`,
      hold: () => 7,
    });
    expect((await admit(get)).admitted).toBe(true);
    expect(scene.emitted("decision")).toMatchObject([
      { customerId: "alice", agentId: "writer", indicator: "GET page" },
    ]);
    expect(await scene.gate.balance("alice")).toMatchObject({ held: 7 });
  });

  it("asks the gate at once where no option is a promise, and else when those before it have been given", async () => {
    const { gate } = createPrepaidScene(100);
    const authorize = vi.spyOn(gate, "authorize");
    const admit = (options: Partial<CreditsOptions<Call>>) =>
      createAdmission<Call>(gate, { ...plain, ...options })(get);
    const plainly = admit({ customer: ({ user }) => user, skip: () => false });
    expect(authorize).toHaveBeenCalledTimes(1);
    let give = (_agentId: string) => {};
    const hold = vi.fn(() => 5);
    const later = admit({ agentId: () => new Promise<string>((resolve) => (give = resolve)), hold });
    expect(hold).not.toHaveBeenCalled();
    give("writer");
    expect((await later).admitted).toBe(true);
    expect(authorize).toHaveBeenLastCalledWith(expect.objectContaining({ agentId: "writer", hold: 5 }));
    expect((await plainly).admitted).toBe(true);
  });

  it("rejects with what a resolver throws, and throws nothing itself", async () => {
    const admit = admissionOf(createPrepaidScene(100), {
      customer() {
        throw new Error("resolver");
      },
    });
    await expect(admit(get)).rejects.toThrow("resolver");
  });

  it("denies a request without a customer with 401", async () => {
    const admit = admissionOf(createPrepaidScene(100), { customer: ({ user }) => user });
    expect(await admit({ method: "GET" })).toMatchObject({ admitted: false, denial: { status: 401 } });
  });

  it.each([
    [42, "42"],
    [{ id: "alice" }, "an object"],
    [["alice"], "an array"],
    [true, "true"],
  ])(
    "refuses the customer %j, which no client can have sent: it is a mistake in the program",
    async (customer: unknown, received) => {
      const resolver: object = { customer: async () => customer };
      const admit = admissionOf(createPrepaidScene(100), resolver);
      await expect(admit(get)).rejects.toMatchObject({
        code: "invalid_option",
        message: `customer: expected a string, received ${received}`,
      });
    },
  );

  it.each([undefined, null, "", ".", "..", "a\nb", "x".repeat(257)])(
    "denies the customer %j with 401 and asks no other resolver, which may read from the customer",
    async (nobody) => {
      const scene = createPrepaidScene(100);
      const unreadable = () => {
        throw new Error("there is no user to read from");
      };
      const others = { agentId: unreadable, indicator: unreadable, hold: unreadable };
      const admission = await admissionOf(scene, { customer: async () => nobody, ...others })(get);
      expect(admission).toMatchObject({ admitted: false, denial: { code: "customer_unresolved" } });
      expect(scene.emitted("decision")).toMatchObject([{ allowed: false, code: "customer_unresolved" }]);
    },
  );

  it("tells of a request without a customer what needs no asking", async () => {
    const scene = createPrepaidScene(100);
    const admission = await admissionOf(scene, { customer: () => null })(get);
    expect(admission).toMatchObject({ denial: { required: 5 } });
    expect(scene.emitted("decision")).toMatchObject([{ agentId: "chat", indicator: "message" }]);
  });

  it("only observes a request without a customer where the gate does, and asks no other resolver", async () => {
    const hold = vi.fn(() => 5);
    const scene = createPrepaidScene(100, { mode: "observe" });
    const admission = await admissionOf(scene, { customer: () => undefined, hold })(get);
    expect(admission).toMatchObject({ admitted: true, credits: { open: false } });
    expect(hold).not.toHaveBeenCalled();
  });

  it("resolves the customer before the rest", async () => {
    const asked: string[] = [];
    const telling = <T>(option: string, value: T) => {
      return () => {
        asked.push(option);
        return value;
      };
    };
    await admissionOf(createPrepaidScene(100), {
      hold: telling("hold", 5),
      indicator: telling("indicator", "message"),
      agentId: telling("agentId", "chat"),
      customer: telling("customer", "alice"),
    })(get);
    expect(asked[0]).toBe("customer");
    expect(asked.toSorted()).toEqual(["agentId", "customer", "hold", "indicator"]);
  });

  it.each(["customer", "agentId", "indicator", "hold", "skip"] as const)(
    "rejects with what the resolver of %s throws, sync or async, and holds nothing",
    async (option) => {
      const scene = createPrepaidScene(100);
      const error = new Error("resolver");
      const sync = () => {
        throw error;
      };
      await expect(admissionOf(scene, { [option]: sync })(get)).rejects.toBe(error);
      await expect(admissionOf(scene, { [option]: async () => sync() })(get)).rejects.toBe(error);
      expect(scene.service.balanceRequests).toEqual([]);
    },
  );

  describe("skip", () => {
    it.each(["OPTIONS", "HEAD", "GET", "TRACE", "PROPFIND"])(
      "skips nothing by default, %s neither",
      async (method) => {
        const scene = createPrepaidScene(4);
        expect(await admissionOf(scene)({ method, user: "alice" })).toMatchObject({
          admitted: false,
          denial: { code: "insufficient_credits" },
        });
      },
    );

    it("lets through what is skipped: ungated, nothing billed, and told when its client disconnects", async () => {
      const scene = createPrepaidScene(0);
      const { credits, end, disconnect } = await admitted(scene, { skip: true });
      const { signal } = credits;
      credits.report({ model: "a" });
      credits.release();
      await credits.settle();
      await disconnect();
      expect([signal.aborted, credits.signal.aborted]).toEqual([true, true]);
      await end("aborted");
      expect(scene.service.balanceRequests).toEqual([]);
      expect(scene.service.reports).toEqual([]);
    });

    it.each([
      [true, 0],
      [false, 1],
      [({ user }: Call) => user === "alice", 0],
      [async () => false, 1],
    ])("is asked instead: %s", async (skip, asked) => {
      const scene = createPrepaidScene(100);
      await admissionOf(scene, { skip })({ method: "OPTIONS", user: "alice" });
      expect(scene.service.balanceRequests).toHaveLength(asked);
    });
  });

  describe("a request that is completed", () => {
    it("is billed what it reported", async () => {
      expect(await billed({ defaultUsage: { model: "d" } }, ["a", "b"], "completed")).toEqual(["a", "b"]);
    });

    it("is billed defaultUsage when it reported nothing", async () => {
      expect(await billed({ defaultUsage: { model: "d" } }, [], "completed")).toEqual(["d"]);
      expect(warning).not.toHaveBeenCalled();
    });

    it("is billed nothing when there is no defaultUsage, which is said once", async () => {
      const scene = createPrepaidScene(100);
      const admit = admissionOf(scene);
      for (let request = 0; request < 3; request++) {
        const admission = await admit(get);
        if (admission.admitted) await admission.end("completed");
      }
      expect(scene.service.reports).toEqual([]);
      expect(warning).toHaveBeenCalledOnce();
      expect(warning.mock.calls[0]?.[0]).toContain('"message"');
      // A report may still come, and is billed then.
      expect(warning.mock.calls[0]?.[0]).toContain("so nothing is billed yet");
    });

    it("is left alone when its handler has settled or released it", async () => {
      const scene = createPrepaidScene(100);
      const { credits, end } = await admitted(scene, { defaultUsage: { model: "d" } });
      credits.release();
      await end("completed");
      await scene.clock.advance(0);
      expect(scene.service.reports).toEqual([]);
      expect(warning).not.toHaveBeenCalled();
    });
  });

  describe("a request that failed", () => {
    it("is billed what it reported", async () => {
      expect(await billed({ defaultUsage: { model: "d" } }, ["a"], "failed")).toEqual(["a"]);
    });

    it("is not billed as if its client had left", async () => {
      expect(await billed({ onAbort: "none" }, ["a"], "failed")).toEqual(["a"]);
    });

    it("is billed nothing when it reported nothing", async () => {
      expect(await billed({ defaultUsage: { model: "d" } }, [], "failed")).toEqual([]);
      expect(warning).not.toHaveBeenCalled();
    });
  });

  describe("a request whose client has disconnected", () => {
    const defaultUsage = { model: "d" };

    it.each([
      ["by default what it reported", {}, ["a"]],
      ["reported: what it reported", { onAbort: "reported", defaultUsage }, ["a"]],
      ["default: defaultUsage", { onAbort: "default", defaultUsage }, ["d"]],
      ["none: nothing", { onAbort: "none", defaultUsage }, []],
      [
        "what the function returns",
        { onAbort: ([one]: readonly Usage[]) => ({ model: `${one?.model}!` }) },
        ["a!"],
      ],
      ["nothing where the function returns nothing", { onAbort: () => undefined }, []],
      [
        "what it reported where the function throws",
        {
          onAbort: () => {
            throw new Error("a bug");
          },
          defaultUsage,
        },
        ["a"],
      ],
    ] as const)("is billed %s", async (_name, options, models) => {
      expect(await billed(options, ["a"], "aborted")).toEqual(models);
    });

    it("is billed defaultUsage by default when it reported nothing, and nothing where there is none", async () => {
      expect(await billed({ defaultUsage }, [], "aborted")).toEqual(["d"]);
      expect(await billed({}, [], "aborted")).toEqual([]);
      expect(warning).not.toHaveBeenCalled();
    });

    it("is asked for its policy once, and not where its handler has settled or released it", async () => {
      const onAbort = vi.fn(() => undefined);
      const scene = createPrepaidScene(100);
      const { end } = await admitted(scene, { onAbort });
      await Promise.all([end("aborted"), end("aborted"), end("completed")]);
      expect(onAbort).toHaveBeenCalledOnce();
      const released = await admitted(scene, { onAbort });
      released.credits.release();
      await released.end("aborted");
      expect(onAbort).toHaveBeenCalledOnce();
    });

    it("is billed what is reported later, where it had reported", async () => {
      const scene = createPrepaidScene(100);
      const { credits, end } = await admitted(scene, { defaultUsage });
      credits.report({ model: "in time" });
      await end("aborted");
      credits.report({ model: "late" });
      await scene.clock.advance(0);
      expect(scene.service.reports).toHaveLength(2);
    });

    it("is billed what is reported later, where it had not and was billed defaultUsage", async () => {
      const scene = createPrepaidScene(100);
      const { credits, end } = await admitted(scene, { defaultUsage });
      await end("aborted");
      credits.report({ model: "late" });
      await scene.clock.advance(0);
      expect(scene.service.reports.map(({ rawUsage }) => rawUsage.model)).toEqual(["d", "late"]);
      expect(scene.emitted("late")).toMatchObject([{ billed: true }]);
    });

    it.each(["default", "none"] as const)(
      "is not billed what is reported later, when %s",
      async (onAbort) => {
        const scene = createPrepaidScene(100);
        const { credits, end } = await admitted(scene, { onAbort, defaultUsage });
        await end("aborted");
        credits.report({ model: "late" });
        await scene.clock.advance(0);
        expect(scene.service.reports).toHaveLength(onAbort === "default" ? 1 : 0);
        expect(scene.emitted("late")).toMatchObject([{ billed: false }]);
      },
    );

    it.each([
      [
        "throws",
        () => {
          throw new Error("policy");
        },
      ],
      ["returns nonsense", () => ({ inputTokens: -1 })],
    ])("is settled by what it reported when the function %s", async (_name, onAbort) => {
      expect(await billed({ onAbort }, ["a"], "aborted")).toEqual(["a"]);
      expect(complaint).toHaveBeenCalledOnce();
    });
  });

  describe("options", () => {
    it.each([
      ["customer", { customer: "" }],
      ["agentId", { agentId: 5 }],
      ["indicator", { indicator: undefined }],
      ["hold", { hold: 0 }],
      ["hold", { hold: "5" }],
      ["skip", { skip: "yes" }],
      ["defaultUsage.inputTokens", { defaultUsage: { inputTokens: 0.5 } }],
      ["onAbort", { onAbort: "measured" }],
      ["abortGraceMs", { abortGraceMs: -1 }],
      ["abortGraceMs", { abortGraceMs: Number.POSITIVE_INFINITY }],
      ["defaultUsage", { onAbort: "default" }],
    ])("refuses a bad %s, naming option, expected and received", (option, wrong) => {
      const scene = createPrepaidScene(100);
      expect(() => admissionOf(scene, wrong as object)).toThrow(
        new RegExp(`^${option}: expected .+, received `),
      );
    });

    it("refuses what is no gate, and no options", () => {
      const scene = createPrepaidScene(100);
      expect(() => createAdmission({} as typeof scene.gate, plain)).toThrow("gate: expected a gate");
      expect(() => createAdmission(scene.gate, null as unknown as typeof plain)).toThrow(
        "options: expected an object, received null",
      );
    });
  });
});
