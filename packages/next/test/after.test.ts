import { AsyncLocalStorage } from "node:async_hooks";
import type { Charge } from "@creditgate/core";
import { withCredits, withCreditsAction } from "@creditgate/next";
import { workAsyncStorage } from "next/dist/server/app-render/work-async-storage.external.js";
import { NextRequest } from "next/server.js";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createStage, paid, signal } from "./stage.ts";

/** What `next/server` exports: all that it does, and `after` as the test has it. */
const next = vi.hoisted((): { after: unknown; asDefault: boolean } => ({
  after: undefined,
  asDefault: false,
}));
// As its server does before all else.
vi.hoisted(async () => {
  const { AsyncLocalStorage } = await import("node:async_hooks");
  Object.assign(globalThis, { AsyncLocalStorage });
});
vi.mock("next/server.js", async (original) => {
  const server = await original<typeof import("next/server.js")>();
  return {
    ...server,
    get after() {
      return next.asDefault ? undefined : next.after;
    },
    get default() {
      return next.asDefault ? { after: next.after } : undefined;
    },
  };
});

const context = { params: Promise.resolve({}) };
const request = () => new NextRequest("https://app.example/chat", { method: "POST" });

/** A request as Next keeps it: `after()` in it, and what it calls when the response has gone out. */
function createScope(): { run<T>(handle: () => T): T; close(): Promise<void> } {
  const functions: (() => unknown)[] = [];
  const afterContext = {
    after(task: Promise<unknown> | (() => unknown)) {
      if (typeof task === "function") functions.push(AsyncLocalStorage.bind(task));
      else task.catch(() => {});
    },
  };
  next.after = (task: unknown) => workAsyncStorage.getStore()?.afterContext.after(task as never, {} as never);
  return {
    run: (handle) => workAsyncStorage.run({ afterContext } as never, handle),
    async close() {
      await Promise.allSettled(functions.splice(0).map(async (task) => task()));
    },
  };
}

describe("after() of Next", () => {
  beforeEach(() => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    next.after = undefined;
    next.asDefault = false;
  });
  afterEach(() => vi.restoreAllMocks());

  describe.each([false, true])("exported as a part of the default: %s", (asDefault) => {
    it("is told of a route handler's work before anything is awaited, until that is settled", async () => {
      const { gate, outcome } = createStage();
      const works: Promise<unknown>[] = [];
      Object.assign(next, { asDefault, after: (work: Promise<unknown>) => void works.push(work) });
      const working = signal();
      const POST = withCredits(gate, paid, async (_request, { credits }) => {
        await working.promise;
        credits.report({ model: "m" });
        return new Response("text");
      });
      const answering = POST(request(), context);
      expect(works).toHaveLength(1);
      const over = vi.fn();
      works[0]?.then(over);
      working.give();
      const response = await answering;
      await outcome();
      expect(over).not.toHaveBeenCalled();
      await response.text();
      await Promise.all(works);
      expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: ["m"] });
    });

    it("is told of an action's billing", async () => {
      const { gate, outcome } = createStage();
      const works: Promise<unknown>[] = [];
      Object.assign(next, { asDefault, after: (work: Promise<unknown>) => void works.push(work) });
      await withCreditsAction(gate, paid, async ({ credits }) => credits.report({ model: "m" }))();
      expect(works.length).toBeGreaterThan(0);
      await Promise.all(works);
      expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: ["m"] });
    });
  });

  describe.each(["a route handler", "an action"])("in %s", (kind) => {
    /** Has it handle a request, whose answer is read to its end. */
    const ask = async (
      gate: Parameters<typeof withCredits>[0],
      handle: (credits: Charge) => Promise<void>,
    ): Promise<void> => {
      const POST = withCredits(gate, paid, async (_request, { credits }) => {
        await handle(credits);
        return new Response("text");
      });
      const act = withCreditsAction(gate, paid, ({ credits }) => handle(credits));
      if (kind === "an action") await act();
      else await (await POST(request(), context)).text();
    };
    const call = (task: unknown): void => (next.after as (task: unknown) => void)(task);

    it.each(["a function", "a promise", "a function within a function"])(
      "holds for %s that works behind the answer, and bills it once",
      async (what) => {
        const { gate, outcome, emitted } = createStage();
        const { run, close } = createScope();
        const working = signal();
        const asked = run(() =>
          ask(gate, async (credits) => {
            credits.report({ model: "before" });
            const work = async () => {
              await working.promise;
              credits.report({ model: "behind" });
            };
            if (what === "a promise") call(work());
            else call(what === "a function" ? work : () => call(work));
          }),
        );
        await asked;
        // Next calls at once what is added when the response has gone out.
        const closed = close().then(close);
        expect(await outcome()).toEqual({ settlements: 0, held: 5, billed: [] });
        working.give();
        await closed;
        expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: ["before", "behind"] });
        expect(emitted("late")).toEqual([]);
      },
    );

    it("ends with work in it that fails, and with a handler that throws once it has given it", async () => {
      const { gate, outcome } = createStage();
      const { run, close } = createScope();
      const asked = run(() =>
        ask(gate, async (credits) => {
          call(() => {
            credits.report({ model: "behind" });
            throw new Error("behind");
          });
          call(Promise.reject(new Error("behind")));
          throw new Error("handler");
        }),
      );
      await expect(asked).rejects.toThrow("handler");
      expect(await outcome()).toMatchObject({ settlements: 0, held: 5 });
      await close();
      expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: ["behind"] });
    });
  });

  it("holds for work in it after the client has disconnected, once the handler has returned", async () => {
    const { gate, outcome, emitted } = createStage();
    const { run, close } = createScope();
    const client = new AbortController();
    const working = signal();
    const POST = withCredits(gate, { ...paid, abortGraceMs: 0 }, async (_request, { credits }) => {
      (next.after as (task: unknown) => void)(async () => {
        await working.promise;
        credits.report({ model: "behind" });
      });
      return new Response(new ReadableStream());
    });
    const asked = new NextRequest("https://app.example/chat", { method: "POST", signal: client.signal });
    await run(() => POST(asked, context));
    client.abort();
    const closed = close();
    expect(await outcome()).toMatchObject({ settlements: 0, held: 5 });
    working.give();
    await closed;
    expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: ["behind"] });
    expect(emitted("late")).toEqual([]);
  });

  it("is said once not to be seen where Next does not keep it as expected", async () => {
    const { gate, outcome } = createStage();
    next.after = () => {};
    vi.resetModules();
    const fresh = await import("@creditgate/next");
    const act = fresh.withCreditsAction(gate, paid, async ({ credits }) => credits.report({ model: "m" }));
    await act();
    await act();
    expect(await outcome()).toMatchObject({ settlements: 2, held: 0 });
    const lines = vi.mocked(console.warn).mock.calls.flat();
    expect(lines).toEqual([expect.stringContaining("does not show what goes on in after()")]);
  });

  it("is called in the request's own context, wherever a report comes from", async () => {
    const { gate, outcome } = createStage(100, { onUndelivered: () => {} });
    const requests = new AsyncLocalStorage<string>();
    const callers: (string | undefined)[] = [];
    next.after = () => void callers.push(requests.getStore());
    const later = signal();
    const POST = withCredits(gate, paid, async (_request, { credits }) => {
      requests.exit(() => void later.promise.then(() => credits.report({ model: "late" })));
      return new Response();
    });
    await requests.run("the request", () => POST(request(), context));
    await outcome();
    const before = callers.length;
    later.give();
    expect(await outcome()).toMatchObject({ billed: ["late"] });
    expect(callers.length).toBeGreaterThan(before);
    expect(new Set(callers)).toEqual(new Set(["the request"]));
  });

  it.each([
    ["is not there, as before Next 15", undefined],
    [
      "throws, as it does where there is no request",
      () => {
        throw new Error("`after` was called outside a request scope");
      },
    ],
  ])("is not needed where it %s: all is billed", async (_what, after) => {
    const { gate, outcome, emitted } = createStage();
    next.after = after;
    const POST = withCredits(gate, paid, async (_request, { credits }) => {
      credits.report({ model: "of the handler" });
      return new Response("text");
    });
    expect(await (await POST(request(), context)).text()).toBe("text");
    const act = withCreditsAction(gate, paid, async ({ credits }) =>
      credits.report({ model: "of the action" }),
    );
    expect(await act()).toMatchObject({ allowed: true });
    expect(await outcome()).toEqual({ settlements: 2, held: 0, billed: ["of the handler", "of the action"] });
    expect(emitted("degraded")).toEqual([]);
  });
});
