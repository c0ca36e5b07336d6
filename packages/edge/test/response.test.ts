import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createStage, paid } from "./stage.ts";

const defaultUsage = { model: "default" };

describe("withCredits, of a response", () => {
  beforeEach(() => void vi.spyOn(console, "warn").mockImplementation(() => {}));
  afterEach(() => vi.restoreAllMocks());

  it("with a body keeps its status, its status text and its headers, each cookie apart", async () => {
    const { gated } = createStage();
    const response = await gated(() => {
      const headers = new Headers({ "content-type": "text/x-mine", "content-length": "4", "x-mine": "1" });
      headers.append("set-cookie", "a=1");
      headers.append("set-cookie", "b=2; Expires=Thu, 01 Jan 2026 00:00:00 GMT");
      return new Response("text", { status: 201, statusText: "Made", headers });
    })();
    expect([response.status, response.statusText]).toEqual([201, "Made"]);
    expect([...response.headers]).toEqual([
      ["content-length", "4"],
      ["content-type", "text/x-mine"],
      ["set-cookie", "a=1"],
      ["set-cookie", "b=2; Expires=Thu, 01 Jan 2026 00:00:00 GMT"],
      ["x-mine", "1"],
    ]);
    expect(await response.text()).toBe("text");
  });

  it("leaves the handler's own response with the headers that it had", async () => {
    const { gated } = createStage();
    const own = new Response("text", { headers: { "x-mine": "1" } });
    (await gated(() => own)()).headers.set("x-mine", "2");
    expect(own.headers.get("x-mine")).toBe("1");
  });

  it.each([
    ["204", () => new Response(null, { status: 204 })],
    ["304", () => new Response(null, { status: 304, headers: { etag: '"1"' } })],
    ["200 without a body", () => new Response()],
    ["a redirect", () => Response.redirect("https://app.example/there", 303)],
  ])("that is %s is the handler's own, and is settled at once as a success", async (_name, answer) => {
    const { gated, outcome } = createStage();
    const own = answer();
    expect(await gated(() => own, { defaultUsage })()).toBe(own);
    expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: ["default"] });
  });

  it("that upgrades the connection is the handler's own: a copy would have lost its socket", async () => {
    const { gated, outcome } = createStage();
    // Only workerd can make a real one.
    const own = Object.defineProperties(new Response(), {
      status: { value: 101 },
      webSocket: { value: {} },
    });
    expect(await gated(() => own, { defaultUsage })()).toBe(own);
    expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: ["default"] });
  });

  it("that is a network error is the handler's own, and has failed", async () => {
    const { gated, outcome } = createStage();
    const own = Response.error();
    expect(await gated(() => own, { defaultUsage })()).toBe(own);
    expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: [] });
  });

  it.each([
    [399, ["default"]],
    [400, []],
    [500, []],
  ])("without a body and with status %i bills %j where nothing was reported", async (status, billed) => {
    const { gated, outcome } = createStage();
    await gated(() => new Response(null, { status }), { defaultUsage })();
    expect(await outcome()).toEqual({ settlements: 1, held: 0, billed });
  });

  describe("to HEAD, whose body is not read,", () => {
    const head = () => new Request("https://app.example/chat", { method: "HEAD" });
    const headers = { "x-model": "m", "content-length": "12" };

    it.each([
      ["nothing", 200, []],
      ["something", 200, ["m"]],
      ["that it failed", 404, []],
    ])(
      "has the handler's headers and no body; of a stream, where %s was reported, its work is told to stop, and held for",
      async (_what, status, reports) => {
        const { gated, outcome, clock } = createStage(5, { minRefreshMs: 0 });
        const cancelled = vi.fn();
        const fired = vi.fn();
        const handle = gated((_request, credits) => {
          for (const model of reports) credits.report({ model });
          credits.signal.addEventListener("abort", fired);
          return new Response(new ReadableStream({ cancel: cancelled }), { status, headers });
        });
        const response = await handle(head());
        expect([response.status, Object.fromEntries(response.headers), response.body]).toEqual([
          status,
          headers,
          null,
        ]);
        await vi.waitFor(() => expect(cancelled).toHaveBeenCalledOnce());
        expect(fired).toHaveBeenCalledOnce();
        expect((await handle(head())).status).toBe(402);
        expect(await outcome()).toEqual({ settlements: 0, held: 5, billed: [] });
        await clock.advance(1_000);
        expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: reports });
      },
    );

    it("holds for a stream that nothing has been told of for as long as its work may go on", async () => {
      const { gated, outcome, clock } = createStage();
      const cancelled = vi.fn();
      await gated(() => new Response(new ReadableStream({ cancel: cancelled })))(head());
      await vi.waitFor(() => expect(cancelled).toHaveBeenCalledOnce());
      await clock.advance(59_999);
      expect(await outcome()).toEqual({ settlements: 0, held: 5, billed: [] });
      await clock.advance(1);
      expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: [] });
    });

    it("fires the signal of the charge, and bills what is reported of that: its client has not left", async () => {
      const { gated, outcome } = createStage();
      const handle = gated(
        (_request, credits) => {
          credits.signal.addEventListener("abort", () => credits.report({ model: "m" }));
          return new Response(new ReadableStream());
        },
        { onAbort: ([one]) => ({ model: `left after ${one?.model}` }) },
      );
      await handle(head());
      await vi.waitFor(async () =>
        expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: ["m"] }),
      );
    });

    it("ends the look at a stream that is always ahead of it", async () => {
      const { gated, outcome } = createStage();
      const cancelled = vi.fn();
      const handle = gated((_request, credits) => {
        credits.report({ model: "m" });
        return new Response(new ReadableStream({ pull: (stream) => stream.enqueue("a"), cancel: cancelled }));
      });
      await handle(head());
      await vi.waitFor(() => expect(cancelled).toHaveBeenCalledOnce());
      expect(await outcome()).toEqual({ settlements: 0, held: 5, billed: [] });
    });

    it.each([
      ["reported", 200, ["m"], ["m"]],
      ["not reported", 200, [], ["default"]],
      ["failed", 404, [], []],
    ])(
      "is completed at once where the handler has %s and the body is whole",
      async (_how, status, reports, billed) => {
        const { gated, outcome } = createStage();
        const fired = vi.fn();
        const handle = gated(
          (_request, credits) => {
            for (const model of reports) credits.report({ model });
            credits.signal.addEventListener("abort", fired);
            return Response.json({ answer: "a".repeat(200_000) }, { status });
          },
          { defaultUsage, onAbort: "none" },
        );
        await handle(head());
        await vi.waitFor(async () => expect(await outcome()).toEqual({ settlements: 1, held: 0, billed }));
        expect(fired).not.toHaveBeenCalled();
      },
    );

    it("is completed at once where there is no body", async () => {
      const { gated, outcome } = createStage();
      const own = new Response(null, { headers });
      expect(await gated(() => own, { defaultUsage })(head())).toBe(own);
      expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: ["default"] });
    });
  });

  it.each(["OPTIONS", "PROPFIND"])("to %s is gated as any other", async (method) => {
    const { gated } = createStage(0);
    const handler = vi.fn(() => new Response());
    expect((await gated(handler)(new Request("https://app.example/chat", { method }))).status).toBe(402);
    expect(handler).not.toHaveBeenCalled();
  });

  it("to who cannot pay is a denial that no intermediary keeps, and the handler is not asked", async () => {
    const { gated, outcome } = createStage(4);
    const handler = vi.fn(() => new Response());
    const response = await gated(handler)();
    expect(response.status).toBe(402);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/problem+json",
      "cache-control": "no-store",
    });
    expect(await response.json()).toMatchObject({ code: "insufficient_credits", required: 5, available: 4 });
    expect(handler).not.toHaveBeenCalled();
    expect(await outcome()).toEqual({ settlements: 0, held: 0, billed: [] });
  });

  it("without a customer is 401, though the other resolvers could not say anything", async () => {
    const userOf = (_request: Request): { id: string; hold: number } | undefined => undefined;
    const unreadable = (request: Request) => {
      const user = userOf(request);
      if (user === undefined) throw new Error("there is no user");
      return user.hold;
    };
    const { gated } = createStage();
    const options = { ...paid, customer: (request: Request) => userOf(request)?.id, hold: unreadable };
    const response = await gated(() => new Response(), options)();
    expect([response.status, (await response.json()).code]).toEqual([401, "customer_unresolved"]);
  });
});
