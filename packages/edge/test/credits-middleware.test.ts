import type { Charge } from "@creditgate/core";
import { creditsMiddleware } from "@creditgate/edge";
import { type Context, Hono } from "hono";
import { cors } from "hono/cors";
import { afterEach, beforeEach, describe, expect, expectTypeOf, it, vi } from "vitest";
import { createStage, paid, signal } from "./stage.ts";

interface Env {
  Variables: { credits: Charge; user: string };
}

const defaultUsage = { model: "default" };

describe("creditsMiddleware", () => {
  beforeEach(() => void vi.spyOn(console, "warn").mockImplementation(() => {}));
  afterEach(() => vi.restoreAllMocks());

  it("puts the charge where handlers find it, and bills what they reported", async () => {
    const { gate, outcome } = createStage();
    const app = new Hono<Env>();
    app.use(creditsMiddleware(gate, paid)).post("/chat", (context) => {
      expectTypeOf(context.var.credits).toEqualTypeOf<Charge>();
      context.var.credits.report({ model: "m" });
      return context.text("text");
    });
    const response = await app.request("/chat", { method: "POST" });
    expect([response.status, await response.text()]).toEqual([200, "text"]);
    expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: ["m"] });
  });

  it("asks its resolvers with Hono's context", async () => {
    const { gate, emitted } = createStage();
    const app = new Hono<Env>();
    const options = {
      ...paid,
      customer: (context: Context<Env>) => context.var.user,
      hold: async ({ req }: Context<Env>) => Number(req.param("hold")),
    };
    app.use(async (context, next) => {
      context.set("user", "alice");
      await next();
    });
    app.get("/:hold", creditsMiddleware(gate, options), (context) => context.text("text"));
    expect((await app.request("/7")).status).toBe(200);
    expect(emitted("decision")).toMatchObject([{ customerId: "alice", trace: { hold: 7 } }]);
  });

  it("answers who cannot pay before the handler, past which the outer middleware goes on", async () => {
    const { gate, outcome } = createStage(4);
    const handler = vi.fn((context: Context<Env>) => context.text("text"));
    const app = new Hono<Env>();
    app.use(async (context, next) => {
      await next();
      context.header("x-outer", "1");
    });
    app.get("/", creditsMiddleware(gate, paid), handler);
    const response = await app.request("/");
    expect([response.status, response.headers.get("content-type"), response.headers.get("x-outer")]).toEqual([
      402,
      "application/problem+json",
      "1",
    ]);
    expect(handler).not.toHaveBeenCalled();
    expect(await outcome()).toEqual({ settlements: 0, held: 0, billed: [] });
  });

  it("adds to a denial the headers of CORS, without which no page may read it", async () => {
    const app = new Hono<Env>();
    app.use(cors({ origin: "https://page.example" }));
    app.get("/", creditsMiddleware(createStage(4).gate, paid), (context) => context.text("text"));
    const response = await app.request("/", { headers: { origin: "https://page.example" } });
    expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([
      402,
      "https://page.example",
    ]);
    expect(await response.json()).toMatchObject({ code: "insufficient_credits" });
  });

  it("adds to a denial what was set before there was a response, but for what is the denial's own", async () => {
    const app = new Hono<Env>();
    app.use(async (context, next) => {
      context.header("x-outer", "1");
      context.header("content-type", "text/x-mine");
      await next();
    });
    app.get("/", creditsMiddleware(createStage(4).gate, paid), (context) => context.text("text"));
    const { headers } = await app.request("/");
    expect([headers.get("x-outer"), headers.get("content-type")]).toEqual(["1", "application/problem+json"]);
  });

  it.each([
    ["with a body", (context: Context<Env>) => context.body("text")],
    ["without a body", (context: Context<Env>) => context.body(null, 204)],
  ])("doubles no header of an answer %s, wherever it was set", async (_what, answer) => {
    const { gate } = createStage();
    const app = new Hono<Env>();
    app.use(async (context, next) => {
      context.header("set-cookie", "outer=1", { append: true });
      await next();
      context.header("x-after", "1");
    });
    app.use(creditsMiddleware(gate, paid));
    app.use(async (context, next) => {
      await next();
      context.header("set-cookie", "inner=2", { append: true });
    });
    app.get("/", (context) => {
      context.header("set-cookie", "own=3", { append: true });
      context.header("vary", "accept", { append: true });
      context.header("content-type", "text/x-mine");
      return answer(context);
    });
    const { headers } = await app.request("/");
    expect(headers.getSetCookie()).toEqual(["outer=1", "own=3", "inner=2"]);
    expect([headers.get("vary"), headers.get("content-type"), headers.get("x-after")]).toEqual([
      "accept",
      "text/x-mine",
      "1",
    ]);
  });

  it("leaves what a handler throws to onError, and gives the hold back", async () => {
    const { gate, outcome } = createStage();
    const app = new Hono<Env>();
    app.onError((error, context) => context.text(error.message, 418));
    app.get("/", creditsMiddleware(gate, { ...paid, defaultUsage }), () => {
      throw new Error("handler");
    });
    const response = await app.request("/");
    expect([response.status, await response.text()]).toEqual([418, "handler"]);
    expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: [] });
  });

  it("leaves what a handler throws to the caller where Hono does, and gives the hold back", async () => {
    const { gate, outcome } = createStage();
    const app = new Hono<Env>();
    app.get("/", creditsMiddleware(gate, { ...paid, defaultUsage }), () => {
      throw "not an Error";
    });
    await expect(async () => app.request("/")).rejects.toBe("not an Error");
    expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: [] });
  });

  it("leaves what a resolver throws to onError, and asks no handler", async () => {
    const { gate, outcome } = createStage();
    const handler = vi.fn((context: Context<Env>) => context.text("text"));
    const app = new Hono<Env>();
    app.onError((error, context) => context.text(error.message, 418));
    const options = { ...paid, hold: () => Promise.reject(new Error("resolver")) };
    app.get("/", creditsMiddleware(gate, options), handler);
    const response = await app.request("/");
    expect([response.status, await response.text()]).toEqual([418, "resolver"]);
    expect(handler).not.toHaveBeenCalled();
    expect(await outcome()).toMatchObject({ settlements: 0 });
  });

  it("gives the hold back where no handler matches", async () => {
    const { gate, outcome } = createStage();
    const app = new Hono<Env>().use(creditsMiddleware(gate, { ...paid, defaultUsage }));
    const response = await app.request("/nowhere");
    expect([response.status, await response.text()]).toEqual([404, "404 Not Found"]);
    expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: [] });
  });

  it("denies OPTIONS as any other method, behind the preflights that cors() answers", async () => {
    const { gate } = createStage(0);
    const handler = vi.fn((context: Context<Env>) => context.text("text"));
    const app = new Hono<Env>();
    app.use("/shared", cors());
    app.all("*", creditsMiddleware(gate, paid), handler);
    const ask = async (path: string) => (await app.request(path, { method: "OPTIONS" })).status;
    expect([await ask("/"), await ask("/shared")]).toEqual([402, 204]);
    expect(handler).not.toHaveBeenCalled();
  });

  it("settles a stream when the client has read it, not when the handler has returned", async () => {
    const { gate, outcome } = createStage();
    const app = new Hono<Env>();
    const more = signal();
    app.get("/", creditsMiddleware(gate, { ...paid, defaultUsage }), (context) => {
      const stream = new ReadableStream({
        async pull(controller) {
          await more.promise;
          controller.close();
        },
      });
      return context.body(stream);
    });
    const response = await app.request("/");
    expect(await outcome()).toMatchObject({ settlements: 0, held: 5 });
    more.give();
    await response.text();
    expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: ["default"] });
  });

  it("tells the execution context, before anything is awaited, to wait until all is settled", async () => {
    const { gate, outcome } = createStage();
    const works: Promise<unknown>[] = [];
    const context = {
      props: {},
      passThroughOnException() {},
      waitUntil(this: unknown, work: Promise<unknown>) {
        expect(this).toBe(context);
        works.push(work);
      },
    };
    const app = new Hono<Env>();
    app.get("/", creditsMiddleware(gate, { ...paid, defaultUsage }), (asked) => asked.text("text"));
    const answering = app.request("/", {}, {}, context);
    expect(works).toHaveLength(1);
    await (await answering).text();
    await Promise.all(works);
    expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: ["default"] });
  });

  it("works where there is no execution context, whose getter throws", async () => {
    const { gate, outcome } = createStage();
    const app = new Hono<Env>();
    const absent = vi.fn();
    app.get("/", creditsMiddleware(gate, { ...paid, defaultUsage }), (context) => {
      expect(() => context.executionCtx).toThrow();
      absent();
      return context.text("text");
    });
    expect(await (await app.request("/")).text()).toBe("text");
    expect(absent).toHaveBeenCalledOnce();
    expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: ["default"] });
  });

  it("refuses at once options that cannot be right", () => {
    expect(() => creditsMiddleware(createStage().gate, { ...paid, hold: 0 })).toThrow("hold: expected");
  });
});
