import type { Charge } from "@creditgate/core";
import { withCredits } from "@creditgate/edge";
import { afterEach, beforeEach, describe, expect, expectTypeOf, it, vi } from "vitest";
import { createStage, paid, signal } from "./stage.ts";

/** As runtimes have it: what it keeps is its own, so that its method is worth nothing without it. */
class ExecutionContext {
  readonly #works: Promise<unknown>[] = [];

  get works(): readonly Promise<unknown>[] {
    return this.#works;
  }

  waitUntil(work: Promise<unknown>): void {
    this.#works.push(work);
  }
}

const request = new Request("https://app.example/chat");
const answer = (_request: Request, _gated: unknown, ..._context: readonly unknown[]) => new Response();

describe("withCredits, of what comes after the request", () => {
  beforeEach(() => void vi.spyOn(console, "warn").mockImplementation(() => {}));
  afterEach(() => vi.restoreAllMocks());

  it("hands all of it on to the handler", async () => {
    const { gate } = createStage();
    const handler = vi.fn((..._all: [Request, { credits: Charge }, string, number]) => new Response());
    await withCredits(gate, paid, handler)(request, "env", 7);
    expect(handler).toHaveBeenCalledExactlyOnceWith(
      request,
      { credits: expect.objectContaining({ reported: [] }) },
      "env",
      7,
    );
  });

  it("has the types that the handler gives it", () => {
    const { gate } = createStage();
    const plain = withCredits(gate, paid, () => new Response());
    expectTypeOf(plain).toEqualTypeOf<(request: Request) => Promise<Response>>();

    const worker = withCredits(
      gate,
      paid,
      async (asked, { credits }, env: { KEY: string }, count?: number) => {
        expectTypeOf(asked).toEqualTypeOf<Request>();
        expectTypeOf(credits).toEqualTypeOf<Charge>();
        return new Response(env.KEY.repeat(count ?? 1));
      },
    );
    expectTypeOf(worker).parameters.toEqualTypeOf<
      [request: Request, env: { KEY: string }, count?: number | undefined]
    >();
    expectTypeOf(worker).returns.toEqualTypeOf<Promise<Response>>();

    withCredits(gate, { ...paid, customer: (asked) => asked.headers.get("x-user") }, () => new Response());
    // @ts-expect-error a handler answers with a Response
    withCredits(gate, paid, async () => "text");
    // @ts-expect-error a hold is a number
    withCredits(gate, { ...paid, hold: async () => "5" }, () => new Response());
  });

  describe("waitUntil", () => {
    it.each([0, 1, 2])(
      "is found at place %i, whatever stands before it, and called as a method",
      async (place) => {
        const { gate } = createStage();
        const context = new ExecutionContext();
        const before = [undefined, null, "text", 5, {}, { waitUntil: "no" }].slice(0, place * 3);
        const handle = withCredits(gate, paid, answer);
        await handle(request, ...before, context);
        expect(context.works.length).toBeGreaterThan(0);
      },
    );

    it("is the first of several", async () => {
      const { gate } = createStage();
      const contexts = [new ExecutionContext(), new ExecutionContext()] as const;
      const handle = withCredits(gate, paid, answer);
      await handle(request, ...contexts);
      expect(contexts[0].works).not.toEqual([]);
      expect(contexts[1].works).toEqual([]);
    });

    it("is called before anything is awaited, and takes what ends only when the work has been settled", async () => {
      const { gate, outcome } = createStage();
      const context = new ExecutionContext();
      const working = signal();
      const options = { ...paid, customer: () => new Promise<string>((resolve) => resolve("alice")) };
      const handle = withCredits(gate, options, async (_asked, { credits }, _context: ExecutionContext) => {
        await working.promise;
        credits.report({ model: "m" });
        return new Response("text");
      });
      const answering = handle(request, context);
      expect(context.works).toHaveLength(1);
      const over = vi.fn();
      context.works[0]?.then(over);
      working.give();
      const response = await answering;
      await outcome();
      expect(over).not.toHaveBeenCalled();
      await response.text();
      await context.works[0];
      expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: ["m"] });
    });

    it.each([
      ["is denied", {}, 4, undefined],
      ["is skipped", { skip: true }, 100, undefined],
      ["is rejected by a resolver", { hold: () => Promise.reject(new Error("resolver")) }, 100, undefined],
      ["its client has disconnected", {}, 100, AbortSignal.abort()],
    ])(
      "takes what ends, and never rejects, for a request that %s",
      async (_how, options, credits, signal) => {
        const { gate } = createStage(credits);
        const context = new ExecutionContext();
        const handle = withCredits(gate, { ...paid, ...options }, answer);
        await handle(new Request(request, { signal: signal ?? null }), context).catch(() => {});
        await expect(Promise.all(context.works)).resolves.not.toEqual([]);
      },
    );

    it("that throws does no harm: the request is served and billed, and an event tells", async () => {
      const { gate, outcome, emitted } = createStage(100, { onUndelivered: () => {} });
      const error = new TypeError("Illegal invocation");
      const context = {
        waitUntil(): never {
          throw error;
        },
      };
      const handle = withCredits(gate, paid, (_asked, { credits }, _context: typeof context) => {
        credits.report({ model: "m" });
        return new Response("text");
      });
      expect(await (await handle(request, context)).text()).toBe("text");
      expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: ["m"] });
      expect(emitted("degraded")).toMatchObject([{ what: "delivery", error }]);
    });
  });
});
