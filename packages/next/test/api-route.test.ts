import { once } from "node:events";
import { createServer, get, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { Charge } from "@creditgate/core";
import { withCredits } from "@creditgate/next/pages";
import type { NextApiHandler, NextApiRequest, NextApiResponse } from "next";
import { apiResolver } from "next/dist/server/api-utils/node/api-resolver.js";
import { afterEach, beforeEach, describe, expect, expectTypeOf, it, vi } from "vitest";
import { createStage, paid, type Stage, signal } from "./stage.ts";

const defaultUsage = { model: "default" };
const endings: (() => Promise<unknown>)[] = [];

/** Serves the route as Next does, until the test is over. */
async function serve(route: NextApiHandler, prepare: RequestListener = () => {}): Promise<string> {
  const server = createServer(async (request, response) => {
    prepare(request, response);
    const preview = { previewModeId: "", previewModeEncryptionKey: "", previewModeSigningKey: "" };
    await apiResolver(request, response, {}, { default: route }, { ...preview, dev: false }, false);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  endings.push(() => {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    return closed;
  });
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

/** Resolves when so much work has been settled. */
function settled({ gate }: Stage, times = 1): Promise<void> {
  return new Promise((resolve) => {
    gate.on("settled", () => {
      if (--times === 0) resolve();
    });
  });
}

describe("withCredits, of an API route", () => {
  beforeEach(() => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    vi.spyOn(console, "error").mockImplementation(() => {});
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await Promise.all(endings.splice(0).map((end) => end()));
  });

  it("gives the handler the charge, and bills what it reported", async () => {
    const stage = createStage();
    const route = withCredits(
      stage.gate,
      paid,
      (_request, response: NextApiResponse<{ ok: boolean }>, { credits }) => {
        expectTypeOf(credits).toEqualTypeOf<Charge>();
        credits.report({ model: "m" });
        response.status(201).json({ ok: true });
      },
    );
    expectTypeOf(route).toEqualTypeOf<
      (request: NextApiRequest, response: NextApiResponse<{ ok: boolean }>) => Promise<void>
    >();
    const over = settled(stage);
    const response = await fetch(await serve(route));
    expect([response.status, await response.json()]).toEqual([201, { ok: true }]);
    await over;
    expect(await stage.outcome()).toEqual({ settlements: 1, held: 0, billed: ["m"] });
  });

  it.each([
    ["redirects", (response: NextApiResponse) => response.redirect(303, "/there"), 303, ["default"]],
    ["answers 404", (response: NextApiResponse) => response.status(404).end(), 404, []],
    ["answers 200", (response: NextApiResponse) => response.end(), 200, ["default"]],
  ] as const)(
    "of a handler that %s and reports nothing bills accordingly",
    async (_how, answer, status, billed) => {
      const stage = createStage();
      const route = withCredits(stage.gate, { ...paid, defaultUsage }, (_request, response) => {
        answer(response);
      });
      const over = settled(stage);
      expect((await fetch(await serve(route), { redirect: "manual" })).status).toBe(status);
      await over;
      expect(await stage.outcome()).toEqual({ settlements: 1, held: 0, billed });
    },
  );

  it("bills once the handler has ended too, where it answers before", async () => {
    const stage = createStage();
    const working = signal();
    const route = withCredits(stage.gate, paid, async (_request, response, { credits }) => {
      response.end("text");
      await working.promise;
      credits.report({ model: "m" });
    });
    const over = settled(stage);
    expect(await (await fetch(await serve(route))).text()).toBe("text");
    expect(await stage.outcome()).toMatchObject({ settlements: 0, held: 5 });
    working.give();
    await over;
    expect(await stage.outcome()).toEqual({ settlements: 1, held: 0, billed: ["m"] });
    expect(stage.emitted("late")).toEqual([]);
  });

  it.each([
    ["before it has answered", () => {}],
    ["after it has answered", (response: NextApiResponse) => response.status(200).end("text")],
  ])("leaves to Next what the handler throws %s", async (_when, answer) => {
    const stage = createStage();
    const route = withCredits(stage.gate, paid, async (_request, response, { credits }) => {
      credits.report({ model: "m" });
      answer(response);
      throw new Error("handler");
    });
    const over = settled(stage);
    // Next answers with 500, even where there is an answer.
    const url = await serve(route, (_request, response) => void response.on("error", () => {}));
    await (await fetch(url)).text();
    await over;
    expect(console.error).toHaveBeenCalledWith(expect.objectContaining({ message: "handler" }));
    expect(await stage.outcome()).toEqual({ settlements: 1, held: 0, billed: ["m"] });
  });

  it("gives the hold back where the handler throws and has reported nothing", async () => {
    const stage = createStage();
    const route = withCredits(stage.gate, { ...paid, defaultUsage }, () => {
      throw new Error("handler");
    });
    const over = settled(stage);
    expect((await fetch(await serve(route))).status).toBe(500);
    await over;
    expect(await stage.outcome()).toEqual({ settlements: 1, held: 0, billed: [] });
  });

  it("leaves to Next what a resolver throws, and asks no handler", async () => {
    const stage = createStage();
    const handler = vi.fn();
    const customer = () => Promise.reject(new Error("resolver"));
    expect((await fetch(await serve(withCredits(stage.gate, { ...paid, customer }, handler)))).status).toBe(
      500,
    );
    expect(handler).not.toHaveBeenCalled();
    expect(await stage.outcome()).toMatchObject({ settlements: 0 });
  });

  describe("whose client disconnects", () => {
    /** Leaves as soon as the route has been reached. */
    async function leave(url: string, reached: Promise<void>): Promise<void> {
      const outgoing = get(url).on("error", () => {});
      await reached;
      outgoing.destroy();
    }

    it("bills by onAbort, after abortGraceMs, where the handler has returned and never answers", async () => {
      const stage = createStage();
      const reached = signal();
      const left = signal();
      const route = withCredits(
        stage.gate,
        { ...paid, defaultUsage, onAbort: "default" },
        (_request, _response, { credits }) => {
          credits.report({ model: "m" });
          credits.signal.addEventListener("abort", left.give);
          reached.give();
        },
      );
      await leave(await serve(route), reached.promise);
      await left.promise;
      await stage.clock.advance(59_999);
      expect(await stage.outcome()).toEqual({ settlements: 0, held: 5, billed: [] });
      await stage.clock.advance(1);
      expect(await stage.outcome()).toEqual({ settlements: 1, held: 0, billed: ["default"] });
    });

    it("holds as long as the handler works, though it has called end()", async () => {
      const stage = createStage();
      const [reached, ended, working] = [signal(), signal(), signal()];
      const route = withCredits(stage.gate, paid, async (_request, response, { credits }) => {
        credits.signal.addEventListener("abort", () => {
          response.end();
          ended.give();
        });
        reached.give();
        await working.promise;
        credits.report({ model: "m" });
      });
      const over = settled(stage);
      await leave(await serve(route), reached.promise);
      await ended.promise;
      await stage.clock.advance(3_600_000);
      expect(await stage.outcome()).toEqual({ settlements: 0, held: 5, billed: [] });
      working.give();
      await over;
      expect(await stage.outcome()).toEqual({ settlements: 1, held: 0, billed: ["m"] });
    });

    it("ends a handler that waits for a drain which will never come", async () => {
      const stage = createStage();
      const writing = signal();
      const route = withCredits(stage.gate, paid, async (_request, response, { credits }) => {
        credits.report({ model: "m" });
        while (response.write("~".repeat(65_536))) await new Promise(setImmediate);
        writing.give();
        await once(response, "drain");
        response.end();
      });
      const over = settled(stage);
      const outgoing = get(await serve(route), (incoming) => incoming.pause().on("error", () => {}));
      outgoing.on("error", () => {});
      await writing.promise;
      outgoing.destroy();
      await over;
      expect(await stage.outcome()).toEqual({ settlements: 1, held: 0, billed: ["m"] });
    });

    it("bills by onAbort amid an answer, once the handler has ended", async () => {
      const stage = createStage();
      const left = signal();
      const working = signal();
      const route = withCredits(
        stage.gate,
        { ...paid, onAbort: ([one, two]) => ({ model: `${one?.model} and ${two?.model}` }) },
        async (_request, response, { credits }) => {
          credits.report({ model: "a" });
          response.once("close", left.give).write("text");
          await working.promise;
          credits.report({ model: "b" });
        },
      );
      const over = settled(stage);
      const url = await serve(route);
      const outgoing = get(url).on("error", () => {});
      const [response] = (await once(outgoing, "response")) as [IncomingMessage];
      response.on("error", () => {}).destroy();
      await left.promise;
      expect(await stage.outcome()).toMatchObject({ settlements: 0, held: 5 });
      working.give();
      await over;
      expect(await stage.outcome()).toEqual({ settlements: 1, held: 0, billed: ["a and b"] });
    });

    it("while the gate decides asks no handler, and gives the hold back", async () => {
      const stage = createStage();
      const reached = signal();
      const handler = vi.fn();
      const left = signal();
      const hold = async () => {
        reached.give();
        await left.promise;
        return 5;
      };
      const route = withCredits(stage.gate, { ...paid, hold, defaultUsage, onAbort: "default" }, handler);
      const over = settled(stage);
      const url = await serve(route, ({ socket }) => void socket.once("close", left.give));
      await leave(url, reached.promise);
      await over;
      expect(handler).not.toHaveBeenCalled();
      expect(await stage.outcome()).toEqual({ settlements: 1, held: 0, billed: [] });
    });
  });

  describe("that is denied", () => {
    it("answers with a denial, and asks no handler", async () => {
      const stage = createStage(4);
      const handler = vi.fn();
      const response = await fetch(await serve(withCredits(stage.gate, paid, handler)));
      expect([response.status, response.headers.get("content-type")]).toEqual([
        402,
        "application/problem+json",
      ]);
      expect(await response.json()).toMatchObject({ code: "insufficient_credits", required: 5 });
      expect(handler).not.toHaveBeenCalled();
      expect(await stage.outcome()).toEqual({ settlements: 0, held: 0, billed: [] });
    });

    it.each([
      ["navigate", "text/html; charset=utf-8"],
      [["navigate"], "text/html; charset=utf-8"],
      ["cors", "application/problem+json"],
      [["navigate", "cors"], "application/problem+json"],
    ])("takes a request with the mode %j for what it is", async (mode, type) => {
      const route = withCredits(createStage(4).gate, paid, () => {});
      const url = await serve(route, ({ headers }) => Object.assign(headers, { "sec-fetch-mode": mode }));
      expect((await fetch(url)).headers.get("content-type")).toBe(type);
    });

    it("is left alone where someone has answered meanwhile", async () => {
      const stage = createStage(4);
      const route = withCredits(stage.gate, paid, () => {});
      const url = await serve(route, (_request, response) => void response.end("too late"));
      expect(await (await fetch(url)).text()).toBe("too late");
      await stage.outcome();
      expect(console.error).not.toHaveBeenCalled();
    });
  });

  it("gates OPTIONS as any other method", async () => {
    const handler = vi.fn();
    const url = await serve(withCredits(createStage(0).gate, paid, handler));
    expect((await fetch(url, { method: "OPTIONS" })).status).toBe(402);
    expect(handler).not.toHaveBeenCalled();
  });

  it("is refused at once with options that cannot be right", () => {
    expect(() => withCredits(createStage().gate, { ...paid, hold: 0 }, () => {})).toThrow("hold: expected");
  });
});
