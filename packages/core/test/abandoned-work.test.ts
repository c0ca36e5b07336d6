import type { CreditsOptions, Usage } from "@creditgate/core";
import { type Admitted, createAdmission } from "@creditgate/core/adapter";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createPrepaidScene, type Scene } from "./service.ts";

const plain = { customer: "alice", agentId: "chat", indicator: "message", hold: 10 };
const minute = 60_000;

async function admitted(scene: Scene, options: Partial<CreditsOptions<unknown>> = {}): Promise<Admitted> {
  const admission = await createAdmission(scene.gate, { ...plain, ...options })(undefined);
  if (!admission.admitted) throw new Error(`denied: ${admission.denial.code}`);
  return admission;
}

/** What alice holds, and what she was billed, when all that can run has run. */
async function outcome(scene: Scene): Promise<unknown> {
  await scene.clock.advance(0);
  const held = (await scene.gate.balance("alice"))?.held;
  return { held, billed: scene.service.reports.map(({ rawUsage }) => rawUsage.model) };
}

function pending(): { readonly promise: Promise<void>; settle(): void; fail(): void } {
  let [settle, fail] = [() => {}, () => {}];
  const promise = new Promise<void>((resolve, reject) => {
    settle = resolve;
    fail = () => reject(new Error("the work fails"));
  });
  return { promise, settle: () => settle(), fail: () => fail() };
}

describe("work whose client has disconnected", () => {
  let warning = vi.spyOn(console, "warn");
  beforeEach(() => {
    warning = vi.spyOn(console, "warn").mockImplementation(() => {});
  });
  afterEach(() => vi.restoreAllMocks());

  describe("has a signal that", () => {
    it("fires at once, and not before", async () => {
      const { credits, disconnect } = await admitted(createPrepaidScene(10));
      const { signal } = credits;
      expect(signal.aborted).toBe(false);
      disconnect();
      expect(signal.aborted).toBe(true);
      expect(signal.reason).toMatchObject({ name: "AbortError" });
    });

    it("is the same each time, and has fired where it is asked for afterwards", async () => {
      const { credits, disconnect } = await admitted(createPrepaidScene(10));
      expect(credits.signal).toBe(credits.signal);
      const late = await admitted(createPrepaidScene(10));
      late.disconnect();
      expect(late.credits.signal.aborted).toBe(true);
      disconnect();
    });

    it("is not built where nobody asks for it", async () => {
      const built = vi.spyOn(globalThis, "AbortController");
      const { disconnect, end } = await admitted(createPrepaidScene(10));
      disconnect();
      await end("aborted");
      expect(built).not.toHaveBeenCalled();
    });

    it("does not fire of work that ends with its client", async () => {
      const { credits, end } = await admitted(createPrepaidScene(10));
      const { signal } = credits;
      await end("completed");
      expect(signal.aborted).toBe(false);
    });

    it("fires where the gate was asked directly, of the charge", async () => {
      const scene = createPrepaidScene(10);
      const charge = await scene.admit(10);
      charge.disconnect();
      expect(charge.signal.aborted).toBe(true);
      expect(await outcome(scene)).toMatchObject({ held: 10 });
      await charge.settle();
      expect(await outcome(scene)).toMatchObject({ held: 0 });
    });
  });

  it("keeps its hold, for which others are denied, retryable", async () => {
    const scene = createPrepaidScene(10, { minRefreshMs: 0 });
    const { disconnect } = await admitted(scene);
    disconnect();
    const other = await createAdmission(scene.gate, plain)(undefined);
    expect(other).toMatchObject({ denial: { code: "insufficient_credits", retryable: true } });
  });

  it("asks onAbort when it has ended, with what was reported by then", async () => {
    const scene = createPrepaidScene(10);
    const onAbort = vi.fn((reported: readonly Usage[]) => ({ model: `${reported.length}` }));
    const { credits, disconnect, end } = await admitted(scene, { onAbort });
    const over = disconnect();
    credits.report({ model: "a" });
    expect(onAbort).not.toHaveBeenCalled();
    await end("aborted");
    await over;
    expect(onAbort).toHaveBeenCalledOnce();
    expect(await outcome(scene)).toEqual({ held: 0, billed: ["1"] });
  });

  describe("and is not seen", () => {
    it("ends abortGraceMs after the client has disconnected, a minute by default", async () => {
      const scene = createPrepaidScene(10);
      const { credits, disconnect } = await admitted(scene);
      credits.report({ model: "a" });
      const over = disconnect();
      await scene.clock.advance(minute - 1);
      expect(await outcome(scene)).toEqual({ held: 10, billed: [] });
      await scene.clock.advance(1);
      expect(await outcome(scene)).toEqual({ held: 0, billed: ["a"] });
      await over;
    });

    it("bills late what it reports after that", async () => {
      const scene = createPrepaidScene(10);
      const { credits, disconnect } = await admitted(scene, { abortGraceMs: 5 });
      credits.report({ model: "a" });
      disconnect();
      await scene.clock.advance(5);
      credits.report({ model: "b" });
      expect(await outcome(scene)).toEqual({ held: 0, billed: ["a", "b"] });
      expect(scene.emitted("late")).toMatchObject([{ billed: true }]);
    });

    it("is told once for each indicator", async () => {
      const scene = createPrepaidScene(100);
      for (const indicator of ["message", "message", "image"]) {
        const { disconnect } = await admitted(scene, { indicator, abortGraceMs: 5 });
        disconnect();
        await scene.clock.advance(5);
      }
      expect(
        warning.mock.calls.map(([text]) => /\((\d+) ms\).+ indicator "(\w+)"/.exec(text)?.slice(1)),
      ).toEqual([
        ["5", "message"],
        ["5", "image"],
      ]);
    });

    it("is told of a hundred indicators at most, which a client may have made up", async () => {
      const scene = createPrepaidScene(10_000);
      for (let number = 0; number < 150; number++) {
        const { disconnect } = await admitted(scene, { indicator: `made up ${number}`, abortGraceMs: 0 });
        disconnect();
        await scene.clock.advance(0);
      }
      expect(warning).toHaveBeenCalledTimes(100);
    });

    it("is not told with `logger: false`", async () => {
      const scene = createPrepaidScene(100, { logger: false });
      const { disconnect } = await admitted(scene, { abortGraceMs: 5 });
      disconnect();
      await scene.clock.advance(5);
      expect(await outcome(scene)).toEqual({ held: 0, billed: [] });
      expect(warning).not.toHaveBeenCalled();
    });

    it.each([
      ["end()", ({ end }: Admitted) => end("aborted")],
      ["settle()", ({ credits }: Admitted) => credits.settle()],
      ["release()", async ({ credits }: Admitted) => credits.release()],
    ])("ends with %s before that, silently, and leaves no timer behind", async (_how, stop) => {
      const scene = createPrepaidScene(10);
      const timers = vi.spyOn(scene.clock, "schedule");
      const admission = await admitted(scene);
      timers.mockClear();
      const over = admission.disconnect();
      await stop(admission);
      await over;
      expect(await outcome(scene)).toEqual({ held: 0, billed: [] });
      await scene.clock.advance(minute);
      expect(warning).not.toHaveBeenCalled();
      expect(scene.emitted("settled")).toHaveLength(1);
    });

    it("is billed at once when the gate closes, which does not wait for it", async () => {
      const scene = createPrepaidScene(10);
      const { credits, disconnect } = await admitted(scene);
      credits.report({ model: "a" });
      disconnect();
      expect(await scene.gate.close()).toMatchObject({ queued: 0 });
      expect(scene.clock.now()).toBe(0);
      expect(await outcome(scene)).toEqual({ held: 0, billed: ["a"] });
      expect(warning).not.toHaveBeenCalled();
    });

    it("is billed at once where its client disconnects while the gate closes", async () => {
      const scene = createPrepaidScene(10);
      const { credits, disconnect } = await admitted(scene);
      const closing = scene.gate.close();
      credits.report({ model: "a" });
      disconnect();
      expect(await closing).toMatchObject({ queued: 0 });
      expect(await outcome(scene)).toEqual({ held: 0, billed: ["a"] });
    });
  });

  describe("and whose stream has been cancelled", () => {
    /** The client has disconnected, the handler has returned, and the stream has been cancelled. */
    const cancelled = async (scene: Scene, options: Partial<CreditsOptions<unknown>> = {}) => {
      const admission = await admitted(scene, options);
      const { signal } = admission.credits;
      return {
        ...admission,
        signal,
        leave: () => admission.disconnect(Promise.resolve(), Promise.resolve()),
      };
    };

    it("keeps its hold for abortGraceMs where the handler has not taken the signal, and is told once", async () => {
      const scene = createPrepaidScene(100);
      for (let turn = 0; turn < 2; turn++) {
        const { disconnect, credits } = await admitted(scene);
        disconnect(Promise.resolve(), Promise.resolve());
        await scene.clock.advance(minute - 1);
        credits.report({ model: "m" });
        expect(await outcome(scene)).toMatchObject({ held: 10 });
        await scene.clock.advance(1);
      }
      expect(await outcome(scene)).toEqual({ held: 0, billed: ["m", "m"] });
      expect(scene.emitted("late")).toEqual([]);
      expect(warning).toHaveBeenCalledExactlyOnceWith(expect.stringContaining("credits.settle()"));
    });

    it("ends when it reports, all that it reports at once, where the handler has taken the signal", async () => {
      const scene = createPrepaidScene(10);
      const { leave, credits } = await cancelled(scene);
      const over = leave();
      await scene.clock.advance(999);
      credits.report({ model: "a" });
      credits.report({ model: "b" });
      await over;
      expect(await outcome(scene)).toEqual({ held: 0, billed: ["a", "b"] });
      expect(scene.emitted("late")).toEqual([]);
    });

    it("ends after a second where the handler has taken the signal and reports nothing", async () => {
      const scene = createPrepaidScene(10);
      const { leave } = await cancelled(scene);
      leave();
      await scene.clock.advance(999);
      expect(await outcome(scene)).toMatchObject({ held: 10 });
      await scene.clock.advance(1);
      expect(await outcome(scene)).toEqual({ held: 0, billed: [] });
      expect(warning).not.toHaveBeenCalled();
    });

    it("ends after abortGraceMs where that is less", async () => {
      const scene = createPrepaidScene(10);
      const { leave } = await cancelled(scene, { abortGraceMs: 5 });
      leave();
      await scene.clock.advance(5);
      expect(await outcome(scene)).toMatchObject({ held: 0 });
    });

    it("ends abortGraceMs after its handler has returned where its cancellation takes nearly as long", async () => {
      const scene = createPrepaidScene(10);
      const cancelling = pending();
      const { disconnect, credits } = await admitted(scene);
      expect(credits.signal.aborted).toBe(false);
      disconnect(Promise.resolve(), cancelling.promise);
      await scene.clock.advance(minute - 1);
      cancelling.settle();
      expect(await outcome(scene)).toMatchObject({ held: 10 });
      await scene.clock.advance(1);
      expect(await outcome(scene)).toMatchObject({ held: 0 });
      expect(scene.timers()).toBe(0);
    });

    it.each([
      ["reported", (credits: Admitted["credits"]) => credits.report({ model: "m" })],
      ["settled", (credits: Admitted["credits"]) => void credits.settle()],
      ["released", (credits: Admitted["credits"]) => credits.release()],
    ])("ends with that where it was %s since its client disconnected", async (_how, stop) => {
      const scene = createPrepaidScene(10);
      const cancelling = pending();
      const { disconnect, credits } = await admitted(scene);
      disconnect(Promise.resolve(), cancelling.promise);
      stop(credits);
      cancelling.fail();
      expect(await outcome(scene)).toMatchObject({ held: 0 });
    });

    it("goes on where it was reported before its client disconnected: that was another model call", async () => {
      const scene = createPrepaidScene(10);
      const { disconnect, credits } = await admitted(scene);
      credits.report({ model: "m" });
      disconnect(Promise.resolve(), Promise.resolve());
      expect(await outcome(scene)).toMatchObject({ held: 10 });
    });

    it("goes on as long as its handler is pending", async () => {
      const scene = createPrepaidScene(10);
      const handler = pending();
      const { disconnect, credits } = await admitted(scene);
      disconnect(handler.promise, Promise.resolve());
      credits.report({ model: "m" });
      await scene.clock.advance(10 * minute);
      expect(await outcome(scene)).toMatchObject({ held: 10 });
      handler.settle();
      expect(await outcome(scene)).toEqual({ held: 0, billed: ["m"] });
    });
  });

  describe("and is seen", () => {
    it("is told once for each indicator when it outlives abortGraceMs, with what to do", async () => {
      const scene = createPrepaidScene(100);
      for (const indicator of ["message", "message", "image"]) {
        const { disconnect } = await admitted(scene, { indicator });
        disconnect(new Promise(() => {}));
        await scene.clock.advance(minute - 1);
      }
      await scene.clock.advance(1);
      expect(warning.mock.calls).toEqual([
        [expect.stringMatching(/"message" is still pending.+Pass credits\.signal/)],
        [expect.stringMatching(/"image" is still pending/)],
      ]);
      expect(await outcome(scene)).toMatchObject({ held: 30 });
    });

    it("is not told when it ends within abortGraceMs, and leaves no timer behind", async () => {
      const scene = createPrepaidScene(100);
      const { disconnect, end } = await admitted(scene);
      const timers = scene.timers();
      disconnect(new Promise(() => {}));
      await end("aborted");
      await scene.clock.advance(0);
      expect(scene.timers()).toBe(timers);
      await scene.clock.advance(minute);
      expect(warning).not.toHaveBeenCalled();
    });

    it.each(["settle", "fail"] as const)(
      "has no limit; its grace begins when nothing of it is seen any more: %s",
      async (how) => {
        const scene = createPrepaidScene(10);
        const work = pending();
        const { disconnect } = await admitted(scene);
        const over = disconnect(work.promise);
        await scene.clock.advance(100 * minute);
        expect(await outcome(scene)).toMatchObject({ held: 10 });
        work[how]();
        await scene.clock.advance(minute - 1);
        expect(await outcome(scene)).toMatchObject({ held: 10 });
        await scene.clock.advance(1);
        expect(await outcome(scene)).toMatchObject({ held: 0 });
        await over;
      },
    );

    it("is waited for when the gate closes", async () => {
      const scene = createPrepaidScene(10);
      const work = pending();
      const { credits, disconnect } = await admitted(scene);
      disconnect(work.promise);
      const closing = scene.gate.close();
      expect(await outcome(scene)).toMatchObject({ held: 10 });
      credits.report({ model: "a" });
      work.settle();
      expect(await closing).toMatchObject({ queued: 0 });
      expect(await outcome(scene)).toEqual({ held: 0, billed: ["a"] });
    });
  });

  it("does not let 50 clients that open and leave overspend the wallet of one piece of work", async () => {
    const scene = createPrepaidScene(10, { minRefreshMs: 0, actionTimeoutMs: 0 });
    const works: Admitted[] = [];
    for (let client = 0; client < 50; client++) {
      const admission = await createAdmission(scene.gate, plain)(undefined);
      if (!admission.admitted) continue;
      admission.disconnect();
      works.push(admission);
    }
    expect(works).toHaveLength(1);
  });
});
