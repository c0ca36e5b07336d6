import { AsyncLocalStorage } from "node:async_hooks";
import { withCredits, withCreditsAction } from "@creditgate/next";
import { NextRequest } from "next/server.js";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createStage, paid, signal } from "./stage.ts";

/** What `next/server` exports: all that it does, and `after` as the test has it. */
const next = vi.hoisted((): { after: unknown; asDefault: boolean } => ({
  after: undefined,
  asDefault: false,
}));
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
    const { gate, outcome, told } = createStage();
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
    expect(told("degraded")).toEqual([]);
  });
});
