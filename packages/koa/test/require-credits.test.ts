import { once } from "node:events";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import type { ReadableStream as WebStream } from "node:stream/web";
import { meteredFetch } from "@creditgate/ai";
import { currentCredits, runWithCredits } from "@creditgate/ai/node";
import type { Charge } from "@creditgate/core";
import { createTestGate, type TestGate } from "@creditgate/core/testing";
import { requireCredits } from "@creditgate/koa";
import Router from "@koa/router";
import Koa, { type Context } from "koa";
import { afterEach, beforeEach, describe, expect, expectTypeOf, it, vi } from "vitest";

// Installed as an alias; its API is the same as far as it is used here.
const Koa2: typeof Koa = createRequire(import.meta.url)("koa2");
const paid = { customer: "alice", agentId: "chat", indicator: "message", hold: 5 };

const endings: (() => Promise<unknown>)[] = [];
beforeEach(() => void vi.spyOn(console, "warn").mockImplementation(() => {}));
afterEach(async () => {
  vi.restoreAllMocks();
  for (const end of endings.splice(0)) await end();
});

/** Listens on a free port until the test is over. */
async function listen(app: { callback(): ReturnType<Koa["callback"]>; silent: boolean }): Promise<string> {
  app.silent = true;
  const server = createServer(app.callback()).listen(0, "127.0.0.1");
  await once(server, "listening");
  endings.push(async () => {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Resolves with what the next piece of work to be settled was billed. */
function settled({ gate, outcome }: TestGate): Promise<readonly unknown[]> {
  return new Promise((resolve) => {
    const off = gate.on("settled", () => {
      off();
      resolve(outcome("alice").then(({ billed }) => billed.map(({ model }) => model)));
    });
  });
}

describe.each([
  ["Koa 3", Koa],
  ["Koa 2", Koa2],
])("requireCredits on %s", (_name, framework) => {
  describe("a request that can pay", () => {
    it("reaches what comes next, which finds the charge in ctx.state, and is billed what that reported", async () => {
      const stage = createTestGate({ alice: 10 });
      const app = new framework().use(requireCredits(stage.gate, paid)).use(async (ctx) => {
        expectTypeOf(ctx.state.credits).toEqualTypeOf<Charge>();
        ctx.state.credits.report({ model: "m" });
        ctx.body = { held: ctx.state.credits.held };
      });
      const over = settled(stage);
      const response = await fetch(await listen(app));
      expect([response.status, await response.json()]).toEqual([200, { held: 5 }]);
      expect(await over).toEqual(["m"]);
    });

    it("may be of one route, whose parameters the resolvers read", async () => {
      const stage = createTestGate({ alice: 10 });
      const router = new Router();
      router.get("/free", (ctx) => {
        ctx.body = "free";
      });
      const options = { ...paid, customer: (ctx: Context) => ctx.params.customer };
      router.get("/chat/:customer", requireCredits(stage.gate, options), (ctx) => {
        ctx.state.credits.report({ model: "m" });
        ctx.body = "paid";
      });
      const url = await listen(new framework().use(router.routes()));
      expect(await (await fetch(`${url}/free`)).text()).toBe("free");
      const over = settled(stage);
      expect(await (await fetch(`${url}/chat/alice`)).text()).toBe("paid");
      expect(await over).toEqual(["m"]);
    });

    it("is billed nothing where nothing comes next, and Koa answers 404", async () => {
      const stage = createTestGate({ alice: 10 });
      const app = new framework().use(
        requireCredits(stage.gate, { ...paid, defaultUsage: { model: "default" } }),
      );
      const over = settled(stage);
      expect((await fetch(await listen(app))).status).toBe(404);
      expect(await over).toEqual([]);
    });
  });

  describe("a request that cannot pay", () => {
    it("is answered with problem+json, past which the outer middleware goes on", async () => {
      const { gate } = createTestGate({ alice: 4 });
      const handler = vi.fn();
      const app = new framework()
        .use(async (ctx, next) => {
          await next();
          ctx.set("access-control-allow-origin", "*");
        })
        .use(requireCredits(gate, paid))
        .use(handler);
      const { status, headers, json } = await fetch(await listen(app)).then(async (response) => ({
        status: response.status,
        headers: Object.fromEntries(response.headers),
        json: await response.json(),
      }));
      expect([status, json]).toMatchObject([402, { code: "insufficient_credits", shortfall: 1 }]);
      expect(headers).toMatchObject({
        "content-type": "application/problem+json",
        "cache-control": "no-store",
        "access-control-allow-origin": "*",
      });
      expect(handler).not.toHaveBeenCalled();
    });
  });

  describe("a stream", () => {
    it("is told for a HEAD that it is not read, and has reported before the work is billed", async () => {
      const stage = createTestGate({ alice: 10 });
      const app = new framework();
      app
        .use(requireCredits(stage.gate, { ...paid, defaultUsage: { model: "default" } }))
        .use(async (ctx) => {
          const { credits } = ctx.state;
          const body = new ReadableStream({
            async cancel() {
              await new Promise(setImmediate);
              credits.report({ model: "m" });
            },
          });
          ctx.body = framework === Koa ? body : Readable.fromWeb(body as WebStream);
        });
      const over = settled(stage);
      const { status } = await fetch(await listen(app), { method: "HEAD" });
      expect([status, await over, stage.emitted("late")]).toEqual([200, ["m"], []]);
    });

    it("of a handler whose client disconnected before it returned one has reported before the work is billed", async () => {
      const stage = createTestGate({ alice: 10 });
      const app = new framework();
      const client = new AbortController();
      let cancelled = 0;
      const answer = async (credits: Charge) => {
        client.abort();
        await new Promise((resolve) => credits.signal.addEventListener("abort", resolve));
        return new ReadableStream({
          async cancel() {
            await new Promise(setImmediate);
            cancelled++;
            credits.report({ model: "m" });
          },
        });
      };
      app
        .use(requireCredits(stage.gate, { ...paid, defaultUsage: { model: "default" } }))
        .use(async (ctx) => {
          const body = await answer(ctx.state.credits);
          ctx.body = framework === Koa ? body : Readable.fromWeb(body as WebStream);
        });
      const over = settled(stage);
      await fetch(await listen(app), { signal: client.signal }).catch(() => {});
      expect([await over, cancelled]).toEqual([["m"], 1]);
      expect(stage.emitted("late")).toEqual([]);
    });

    it("that fails amid the answer is a failure, and no client has disconnected", async () => {
      const onAbort = vi.fn();
      const stage = createTestGate({ alice: 10 });
      let signal: AbortSignal | undefined;
      const app = new framework().use(requireCredits(stage.gate, { ...paid, onAbort })).use(async (ctx) => {
        const { credits } = ctx.state;
        signal = credits.signal;
        async function* chunks() {
          yield "a";
          credits.report({ model: "m" });
          throw new Error("the model has failed");
        }
        ctx.body = Readable.from(chunks());
      });
      const over = settled(stage);
      const response = await fetch(await listen(app));
      await expect(response.text()).rejects.toThrow();
      expect(await over).toEqual(["m"]);
      expect([signal?.aborted, onAbort.mock.calls]).toEqual([false, []]);
    });

    // Koa 2 answers with streams of Node only.
    it.each([["of Node", false], ...(framework === Koa ? [["of the web", true] as const] : [])] as const)(
      "%s bills what it reports when its client has disconnected, and gives the hold back at once",
      async (_kind, isWeb) => {
        const stage = createTestGate({ alice: 10 });
        const app = new framework().use(requireCredits(stage.gate, paid)).use(async (ctx) => {
          const { credits } = ctx.state;
          const parting = () => credits.report({ model: "parting" });
          if (isWeb) {
            const start = (controller: ReadableStreamDefaultController) =>
              controller.enqueue(Buffer.from("a"));
            ctx.body = new ReadableStream({ start, cancel: parting });
          } else {
            const body = new Readable({
              read() {},
              destroy(error, destroyed) {
                parting();
                destroyed(error);
              },
            });
            body.push("a");
            ctx.body = body;
          }
        });
        const client = new AbortController();
        const over = settled(stage);
        const response = await fetch(await listen(app), { signal: client.signal });
        await response.body?.getReader().read();
        client.abort();
        expect(await over).toEqual(["parting"]);
        expect(stage.emitted("late")).toEqual([]);
      },
    );
  });

  it("calls nothing for a client that left while it decided, and gives the hold back", async () => {
    const stage = createTestGate({ alice: 10 });
    const handler = vi.fn();
    const client = new AbortController();
    const customer = async ({ req }: Context) => {
      const closed = once(req.socket, "close");
      client.abort();
      await closed;
      return "alice";
    };
    const app = new framework().use(requireCredits(stage.gate, { ...paid, customer })).use(handler);
    const over = settled(stage);
    await expect(fetch(await listen(app), { signal: client.signal })).rejects.toThrow();
    expect(await over).toEqual([]);
    expect(handler).not.toHaveBeenCalled();
  });

  describe("an error", () => {
    it("of a resolver is Koa's to answer, and lets nobody in", async () => {
      const { gate } = createTestGate({ alice: 10 });
      const handler = vi.fn();
      const customer = () => Promise.reject(new Error("no"));
      const app = new framework().use(requireCredits(gate, { ...paid, customer })).use(handler);
      expect((await fetch(await listen(app))).status).toBe(500);
      expect(handler).not.toHaveBeenCalled();
    });

    it("in the options is thrown at once", () => {
      const { gate } = createTestGate({});
      // @ts-expect-error a hold is a number
      expect(() => requireCredits(gate, { ...paid, hold: "5" })).toThrow("hold");
    });
  });

  it("bills a model call to its request that is given no credits, by the context of @creditgate/ai/node", async () => {
    const completion = { model: "gpt-5", usage: { prompt_tokens: 12, completion_tokens: 40 } };
    const ask = meteredFetch(currentCredits, { fetch: async () => Response.json(completion), logger: false });
    const stage = createTestGate({ alice: 10 });
    const app = new framework()
      .use(requireCredits(stage.gate, paid))
      .use((ctx, next) => runWithCredits(ctx.state.credits, next))
      .use(async (ctx) => {
        const body = JSON.stringify({ model: "gpt-5", messages: [] });
        const answer = await ask("https://api.openai.com/v1/chat/completions", { method: "POST", body });
        ctx.body = await answer.json();
      });
    const over = settled(stage);
    expect((await fetch(await listen(app))).status).toBe(200);
    expect(await over).toEqual(["gpt-5"]);
    const { billed } = await stage.outcome("alice");
    expect(billed).toMatchObject([{ provider: "openai", inputTokens: 12, outputTokens: 40 }]);
  });
});
