import type { Charge, Denial } from "@creditgate/core";
import { type ActionOutcome, withCreditsAction } from "@creditgate/next";
import { forbidden, notFound, permanentRedirect, redirect, unauthorized } from "next/navigation.js";
import { afterEach, beforeEach, describe, expect, expectTypeOf, it, vi } from "vitest";
import { createStage, paid } from "./stage.ts";

const defaultUsage = { model: "default" };

describe("withCreditsAction", () => {
  beforeEach(() => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    vi.stubEnv("__NEXT_EXPERIMENTAL_AUTH_INTERRUPTS", "true");
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });

  it("gives the action the charge and the arguments, and resolves with its result", async () => {
    const { gate, outcome } = createStage();
    const ask = withCreditsAction(gate, paid, async ({ credits }, question: string, times?: number) => {
      credits.report({ model: "m" });
      return question.repeat(times ?? 1);
    });
    expect(await ask("ab", 2)).toEqual({ allowed: true, result: "abab" });
    expect(await ask("ab")).toEqual({ allowed: true, result: "ab" });
    expect(await outcome()).toEqual({ settlements: 2, held: 0, billed: ["m", "m"] });
  });

  it("has the types of the action", () => {
    const { gate } = createStage();
    const ask = withCreditsAction(gate, paid, async ({ credits }, question: string, times?: number) => {
      expectTypeOf(credits).toEqualTypeOf<Charge>();
      return question.length + (times ?? 0);
    });
    expectTypeOf(ask).parameters.toEqualTypeOf<[question: string, times?: number | undefined]>();
    expectTypeOf(ask).returns.toEqualTypeOf<Promise<ActionOutcome<number>>>();
    expectTypeOf<Extract<ActionOutcome<number>, { allowed: false }>["denial"]>().toEqualTypeOf<Denial>();
    // @ts-expect-error an action is not told that its client has disconnected
    withCreditsAction(gate, { ...paid, onAbort: "none" }, async () => {});
  });

  it("asks its resolvers with the arguments as a tuple", async () => {
    const { gate, emitted } = createStage();
    const options = {
      ...paid,
      customer: async ([form]: [FormData, number]) => String(form.get("user")),
      hold: ([, hold]: [FormData, number]) => hold,
    };
    const form = new FormData();
    form.set("user", "alice");
    await withCreditsAction(gate, options, async (_gated, _form: FormData, _hold: number) => {})(form, 7);
    expect(emitted("decision")).toMatchObject([{ customerId: "alice", trace: { hold: 7 } }]);
  });

  it("runs no action of who cannot pay, and resolves with a denial that can be sent to the page", async () => {
    const { gate, outcome } = createStage(4);
    const action = vi.fn(async () => "text");
    const answer = await withCreditsAction(gate, paid, action)();
    expect(answer).toMatchObject({
      allowed: false,
      denial: { code: "insufficient_credits", status: 402, required: 5, available: 4 },
    });
    expect(structuredClone(answer)).toEqual(answer);
    expect(action).not.toHaveBeenCalled();
    expect(await outcome()).toEqual({ settlements: 0, held: 0, billed: [] });
  });

  it("resolves with a denial where there is no customer, without asking what only a customer has", async () => {
    const { gate } = createStage();
    const hold = vi.fn(() => 5);
    const answer = await withCreditsAction(gate, { ...paid, customer: () => null, hold }, async () => {})();
    expect(answer).toMatchObject({ allowed: false, denial: { code: "customer_unresolved", status: 401 } });
    expect(hold).not.toHaveBeenCalled();
  });

  it("bills defaultUsage for an action that succeeds and has reported nothing", async () => {
    const { gate, outcome } = createStage();
    await withCreditsAction(gate, { ...paid, defaultUsage }, () => undefined)();
    expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: ["default"] });
  });

  it.each([
    ["redirect", () => redirect("/there")],
    ["permanentRedirect", () => permanentRedirect("/there")],
  ])("counts a %s() out of the action as a success, and lets it through", async (_name, leave) => {
    const { gate, outcome } = createStage();
    const ask = withCreditsAction(gate, { ...paid, defaultUsage }, async () => leave());
    await expect(ask()).rejects.toMatchObject({ digest: expect.stringMatching(/^NEXT_REDIRECT;/) });
    expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: ["default"] });
  });

  it.each([
    ["notFound", () => notFound(), 404],
    ["forbidden", () => forbidden(), 403],
    ["unauthorized", () => unauthorized(), 401],
  ])("counts a %s() out of the action as a failure, and lets it through", async (_name, leave, status) => {
    const { gate, outcome } = createStage();
    const ask = withCreditsAction(gate, { ...paid, defaultUsage }, async () => leave());
    await expect(ask()).rejects.toMatchObject({ digest: `NEXT_HTTP_ERROR_FALLBACK;${status}` });
    expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: [] });
  });

  it.each([new Error("action"), "a string", null, undefined, { digest: 1 }, { digest: "NEXT_NOT_FOUND" }])(
    "rejects with just what the action throws, here %j, and bills only what was reported",
    async (thrown) => {
      const { gate, outcome } = createStage();
      const ask = withCreditsAction(gate, { ...paid, defaultUsage }, ({ credits }, reports: string[]) => {
        for (const model of reports) credits.report({ model });
        throw thrown;
      });
      await expect(ask([])).rejects.toBe(thrown);
      await expect(ask(["m"])).rejects.toBe(thrown);
      expect(await outcome()).toEqual({ settlements: 2, held: 0, billed: ["m"] });
    },
  );

  it("rejects with what a resolver throws, and runs no action", async () => {
    const { gate, outcome } = createStage();
    const action = vi.fn(async () => {});
    const failure = new Error("resolver");
    const options = { ...paid, customer: () => Promise.reject(failure) };
    await expect(withCreditsAction(gate, options, action)()).rejects.toBe(failure);
    expect(action).not.toHaveBeenCalled();
    expect(await outcome()).toMatchObject({ settlements: 0 });
  });

  it.each(["an iterable", "a stream"])(
    "holds for %s that the action has returned until it has been read",
    async (what) => {
      const { gate, outcome, emitted } = createStage();
      const ask = withCreditsAction(gate, paid, async ({ credits }) => {
        const chunks = (async function* () {
          yield { text: "first" };
          credits.report({ model: "m" });
          yield { text: "last" };
        })();
        return what === "a stream" ? (streamOf(chunks) as AsyncIterable<{ text: string }>) : chunks;
      });
      const answer = await ask();
      if (!answer.allowed) throw new Error("expected a result");
      expect(answer.result instanceof ReadableStream).toBe(what === "a stream");
      expect(await outcome()).toEqual({ settlements: 0, held: 5, billed: [] });
      const read: { text: string }[] = [];
      for await (const chunk of answer.result) read.push(chunk);
      expect(read).toEqual([{ text: "first" }, { text: "last" }]);
      expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: ["m"] });
      expect(emitted("late")).toEqual([]);
    },
  );

  it("bills as late what a stream within an object reports after the action's end", async () => {
    const { gate, outcome, emitted } = createStage();
    const ask = withCreditsAction(gate, paid, async ({ credits }) => {
      const chunks = (async function* () {
        yield "text";
        credits.report({ model: "m" });
      })();
      return { stream: streamOf(chunks) as AsyncIterable<string> };
    });
    const answer = await ask();
    if (!answer.allowed) throw new Error("expected a result");
    expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: [] });
    for await (const _chunk of answer.result.stream);
    expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: ["m"] });
    expect(emitted("late")).toMatchObject([{ billed: true }]);
  });

  it("cancels what the action has returned once nobody reads it, and then fires the signal", async () => {
    const { gate, outcome } = createStage();
    const fired = vi.fn();
    const ask = withCreditsAction(gate, paid, async ({ credits }) => {
      credits.signal.addEventListener("abort", fired);
      return (async function* () {
        try {
          yield "first";
          yield "last";
        } finally {
          credits.report({ model: "m" });
        }
      })();
    });
    const answer = await ask();
    if (!answer.allowed) throw new Error("expected a result");
    for await (const _chunk of answer.result) break;
    expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: ["m"] });
    expect(fired).toHaveBeenCalledOnce();
  });

  it("refuses at once options that cannot be right", () => {
    const { gate } = createStage();
    expect(() => withCreditsAction(gate, { ...paid, hold: 0 }, async () => {})).toThrow("hold: expected");
  });

  it("refuses what is an action already, which could be called around the gate", () => {
    const { gate } = createStage();
    // As Next 14 registers every function of a file with "use server".
    const registered = Object.assign(async () => {}, { $$typeof: Symbol.for("react.server.reference") });
    expect(() => withCreditsAction(gate, paid, registered)).toThrow(
      'action: expected a function from a file without "use server"',
    );
  });
});

function streamOf(chunks: AsyncIterator<unknown>): ReadableStream {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}
