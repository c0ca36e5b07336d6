import { PassThrough, Readable } from "node:stream";
import type { ReadableStream as WebStream } from "node:stream/web";
import { meteredFetch } from "@creditgate/ai";
import { creditsContext, currentCredits, runWithCredits } from "@creditgate/ai/node";
import type { Charge } from "@creditgate/core";
import { createTestGate, type TestGate } from "@creditgate/core/testing";
import { requireCredits } from "@creditgate/fastify";
import { type FastifyInstance, type FastifyTypeProvider, fastify } from "fastify";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

const paid = { customer: "alice", agentId: "chat", indicator: "message", hold: 5 };

const endings: (() => Promise<unknown>)[] = [];
beforeEach(() => void vi.spyOn(console, "warn").mockImplementation(() => {}));
afterEach(async () => {
  vi.restoreAllMocks();
  for (const end of endings.splice(0)) await end();
});

function app(): FastifyInstance {
  const server = fastify({ forceCloseConnections: true });
  endings.push(() => server.close());
  return server;
}

const listen = (server: FastifyInstance) => server.listen({ port: 0, host: "127.0.0.1" });

/** Resolves with what the next piece of work to be settled was billed. */
function settled({ gate, outcome }: TestGate): Promise<readonly unknown[]> {
  return new Promise((resolve) => {
    const off = gate.on("settled", () => {
      off();
      resolve(outcome("alice").then(({ billed }) => billed.map(({ model }) => model)));
    });
  });
}

describe("requireCredits", () => {
  describe("around the handler of a route", () => {
    it("has it answer, and bills what it reported", async () => {
      const stage = createTestGate({ alice: 10 });
      const server = app();
      server.post(
        "/chat",
        requireCredits(stage.gate, paid, async ({ credits }) => {
          credits.report({ model: "m" });
          return { held: credits.held };
        }),
      );
      const over = settled(stage);
      const response = await fetch(`${await listen(server)}/chat`, { method: "POST" });
      expect([response.status, await response.json()]).toEqual([200, { held: 5 }]);
      expect(await over).toEqual(["m"]);
    });

    it("asks its resolvers with the request, whose body has been read and checked", async () => {
      const { gate } = createTestGate({ alice: 10 }, { minRefreshMs: 0 });
      const server = app();
      const schema = {
        body: { type: "object", required: ["hold"], properties: { hold: { type: "number" } } },
      } as const;
      const held = vi.fn();
      server.post<{ Body: { hold: number } }>(
        "/chat",
        { schema },
        requireCredits(gate, { ...paid, hold: ({ body }) => body.hold }, async ({ body, credits }) => {
          held(body.hold, credits.held);
          return {};
        }),
      );
      const post = (body: object) => server.inject({ method: "POST", url: "/chat", body });
      expect((await post({ hold: 3 })).statusCode).toBe(200);
      expect(held).toHaveBeenCalledWith(3, 3);
      expect((await post({ hold: 11 })).statusCode).toBe(402);
      expect((await post({})).statusCode).toBe(400);
      expect(held).toHaveBeenCalledOnce();
    });

    it("leaves the types of schemas to the type provider", () => {
      interface Provider extends FastifyTypeProvider {
        readonly validator: this["schema"] extends { readonly type: "text" } ? string : never;
      }
      const { gate } = createTestGate({});
      app()
        .withTypeProvider<Provider>()
        .post(
          "/chat",
          { schema: { body: { type: "text" } } },
          requireCredits(
            gate,
            { ...paid, customer: ({ body }) => body.slice(1) },
            async ({ body }) => body.length,
          ),
        );
      // @ts-expect-error a hold is a number
      const misuse = () => requireCredits(gate, { ...paid, hold: "5" }, async () => {});
      expect(misuse).toThrow("hold");
    });

    it("lets one answer later that returns nothing", async () => {
      const stage = createTestGate({ alice: 10 });
      const server = app();
      server.get(
        "/chat",
        requireCredits(stage.gate, paid, ({ credits }, reply) => {
          setImmediate(() => {
            credits.report({ model: "m" });
            reply.send("later");
          });
        }),
      );
      const over = settled(stage);
      expect(await (await fetch(`${await listen(server)}/chat`)).text()).toBe("later");
      expect(await over).toEqual(["m"]);
    });

    it("calls it on the instance that has the route", async () => {
      const { gate } = createTestGate({ alice: 10 });
      const server = app();
      server.get(
        "/chat",
        requireCredits(gate, paid, async function () {
          return this === server ? "mine" : "another";
        }),
      );
      expect((await server.inject("/chat")).body).toBe("mine");
    });
  });

  describe("as a hook", () => {
    it("gates the routes of its context, declared before it or later, and no others", async () => {
      const { gate } = createTestGate({ alice: 1 });
      const server = app();
      server.get("/free", async () => "free");
      await server.register(async (chat) => {
        chat.get("/early", async () => "served");
        chat.addHook("preHandler", requireCredits(gate, paid));
        chat.register(async (inner) => void inner.get("/inner", async () => "served"));
      });
      const statuses = ["/free", "/early", "/inner"].map(
        async (url) => (await server.inject(url)).statusCode,
      );
      expect(await Promise.all(statuses)).toEqual([200, 402, 402]);
    });

    it("stands among the hooks of one route, which read what those before it have found out", async () => {
      const stage = createTestGate({ alice: 10 });
      const server = app();
      server.decorateRequest("user", "");
      server.get(
        "/chat",
        {
          preHandler: [
            async (request) => void request.setDecorator("user", "alice"),
            requireCredits(stage.gate, {
              ...paid,
              customer: (request) => request.getDecorator<string>("user"),
            }),
          ],
        },
        async ({ credits }) => {
          credits.report({ model: "m" });
          return "done";
        },
      );
      const over = settled(stage);
      expect((await fetch(`${await listen(server)}/chat`)).status).toBe(200);
      expect(await over).toEqual(["m"]);
    });

    it("calls no handler for a client that left while it decided", async () => {
      const stage = createTestGate({ alice: 10 });
      const server = app();
      const handler = vi.fn(async () => "served");
      const client = new AbortController();
      server.addHook(
        "preHandler",
        requireCredits(stage.gate, {
          ...paid,
          async customer({ raw }) {
            const closed = new Promise((resolve) => raw.socket.once("close", resolve));
            client.abort();
            await closed;
            return "alice";
          },
        }),
      );
      server.get("/chat", handler);
      const over = settled(stage);
      await expect(fetch(`${await listen(server)}/chat`, { signal: client.signal })).rejects.toThrow();
      expect(await over).toEqual([]);
      expect(handler).not.toHaveBeenCalled();
    });
  });

  describe("a denial", () => {
    it("is problem+json, goes through the hooks of the reply, and calls no handler", async () => {
      const { gate } = createTestGate({ alice: 4 });
      const server = app();
      server.addHook(
        "onSend",
        async (_request, reply) => void reply.header("access-control-allow-origin", "*"),
      );
      const handler = vi.fn(async () => "served");
      server.get("/chat", requireCredits(gate, paid, handler));
      const { statusCode, headers, body } = await server.inject("/chat");
      expect([statusCode, JSON.parse(body)]).toMatchObject([
        402,
        { code: "insufficient_credits", shortfall: 1 },
      ]);
      expect(headers).toMatchObject({
        "content-type": expect.stringMatching(/^application\/problem\+json/),
        "cache-control": "no-store",
        "access-control-allow-origin": "*",
      });
      expect(handler).not.toHaveBeenCalled();
    });
  });

  describe("a stream", () => {
    /** The client reads the first chunk and leaves. */
    async function leave(server: FastifyInstance): Promise<void> {
      const client = new AbortController();
      const response = await fetch(`${await listen(server)}/chat`, { signal: client.signal });
      await response.body?.getReader().read();
      client.abort();
    }

    it.each([
      ["of Node, returned", (chunks: AsyncIterable<string>) => Readable.from(chunks)],
      [
        "of the web",
        (chunks: AsyncIterable<string>) => Readable.toWeb(Readable.from(chunks).pipe(new PassThrough())),
      ],
      [
        "in a Response",
        (chunks: AsyncIterable<string>) =>
          new Response(Readable.toWeb(Readable.from(chunks)) as BodyInit, { headers: { "x-mine": "1" } }),
      ],
    ])("%s, is billed when it has ended", async (_name, bodyOf) => {
      const stage = createTestGate({ alice: 10 });
      const server = app();
      server.get(
        "/chat",
        requireCredits(stage.gate, paid, async ({ credits }) => {
          async function* chunks() {
            yield "a";
            credits.report({ model: "m" });
            yield "b";
          }
          return bodyOf(chunks());
        }),
      );
      const over = settled(stage);
      expect(await (await fetch(`${await listen(server)}/chat`)).text()).toBe("ab");
      expect(await over).toEqual(["m"]);
    });

    it("keeps status, headers and cookies of a Response", async () => {
      const { gate } = createTestGate({ alice: 10 });
      const server = app();
      const cookies = [
        ["set-cookie", "a=1"],
        ["set-cookie", "b=2"],
      ] satisfies [string, string][];
      server.get(
        "/chat",
        requireCredits(
          gate,
          paid,
          async () =>
            new Response(new Blob(["text"]).stream(), {
              status: 201,
              headers: [["x-mine", "1"], ...cookies],
            }),
        ),
      );
      const { statusCode, headers, body } = await server.inject("/chat");
      expect([statusCode, headers["x-mine"], headers["set-cookie"], body]).toEqual([
        201,
        "1",
        ["a=1", "b=2"],
        "text",
      ]);
    });

    it.each([
      ["returned", (stream: Readable) => stream],
      ["sent, where the handler returns the reply", undefined],
    ])(
      "%s, bills what it reports when it is destroyed, and gives the hold back at once",
      async (_name, give) => {
        const stage = createTestGate({ alice: 10 });
        const server = app();
        server.get(
          "/chat",
          requireCredits(stage.gate, paid, async ({ credits }, reply) => {
            const stream = new Readable({
              read() {},
              destroy(error, destroyed) {
                credits.report({ model: "parting" });
                destroyed(error);
              },
            });
            stream.push("a");
            return give?.(stream) ?? reply.send(stream);
          }),
        );
        const over = settled(stage);
        await leave(server);
        expect(await over).toEqual(["parting"]);
        expect(stage.emitted("late")).toEqual([]);
      },
    );

    it.each([
      ["of the web", (body: ReadableStream) => body],
      ["of Node", (body: ReadableStream) => Readable.fromWeb(body as WebStream)],
    ])("%s, is not read for a HEAD, behind whose answer a model would work on unheld", async (_name, of) => {
      const stage = createTestGate({ alice: 10 });
      const server = app();
      let pulled = 0;
      let cancelled = () => {};
      const cancellation = new Promise<void>((resolve) => {
        cancelled = resolve;
      });
      server.get(
        "/chat",
        requireCredits(stage.gate, paid, async ({ credits }) => {
          const pull = (stream: ReadableStreamDefaultController) => {
            if (++pulled === 1_000) cancelled();
            else stream.enqueue(new Uint8Array(1_000));
          };
          const cancel = () => {
            credits.report({ model: "m" });
            cancelled();
          };
          return of(new ReadableStream({ pull, cancel }));
        }),
      );
      const over = settled(stage);
      const response = await fetch(`${await listen(server)}/chat`, { method: "HEAD" });
      expect([response.status, await over]).toEqual([200, ["m"]]);
      await cancellation;
      expect(pulled).toBeLessThan(1_000);
    });

    it("of a handler whose client disconnected before it returned one has reported before the work is billed", async () => {
      const stage = createTestGate({ alice: 10 });
      const server = app();
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
      server.get(
        "/chat",
        requireCredits(stage.gate, { ...paid, defaultUsage: { model: "default" } }, ({ credits }) =>
          answer(credits),
        ),
      );
      const over = settled(stage);
      await fetch(`${await listen(server)}/chat`, { signal: client.signal }).catch(() => {});
      expect([await over, cancelled]).toEqual([["m"], 1]);
      expect(stage.emitted("late")).toEqual([]);
    });

    it("that fails is a failure, and no client has disconnected", async () => {
      const onAbort = vi.fn();
      const stage = createTestGate({ alice: 10 });
      const server = app();
      let signal: AbortSignal | undefined;
      server.get(
        "/chat",
        requireCredits(stage.gate, { ...paid, onAbort }, async ({ credits }) => {
          signal = credits.signal;
          return Readable.from(
            (async function* () {
              yield "a";
              credits.report({ model: "m" });
              throw new Error("the model has failed");
            })(),
          );
        }),
      );
      const over = settled(stage);
      const response = await fetch(`${await listen(server)}/chat`);
      await expect(response.text()).rejects.toThrow();
      expect(await over).toEqual(["m"]);
      expect([signal?.aborted, onAbort.mock.calls]).toEqual([false, []]);
    });
  });

  describe("an error", () => {
    it.each([[new Error("no")], ["no"], [undefined]])(
      "of a resolver, %s, is answered by Fastify, and lets nobody in",
      async (thrown) => {
        const { gate } = createTestGate({ alice: 10 });
        const server = app();
        const handler = vi.fn(async () => "served");
        const options = { ...paid, customer: () => Promise.reject(thrown) };
        server.get("/handler", requireCredits(gate, options, handler));
        server.get("/hook", { preHandler: requireCredits(gate, options) }, handler);
        for (const url of ["/handler", "/hook"]) {
          // Fastify cannot answer for `undefined` alone.
          await server.inject(url).then(
            ({ statusCode }) => expect(statusCode).toBe(500),
            () => {},
          );
        }
        expect(handler).not.toHaveBeenCalled();
      },
    );

    it("in the options is thrown at once", () => {
      const { gate } = createTestGate({});
      // @ts-expect-error hold is missing
      expect(() => requireCredits(gate, { customer: "a", agentId: "a", indicator: "i" })).toThrow("hold");
      // @ts-expect-error no handler
      expect(() => requireCredits(gate, paid, "handler")).toThrow("handler: expected a function");
    });
  });

  describe("with the context of @creditgate/ai/node", () => {
    const completion = {
      object: "chat.completion",
      model: "gpt-5",
      usage: { prompt_tokens: 12, completion_tokens: 40 },
    };
    /** One for all requests: it is given no credits. */
    const ask = meteredFetch(currentCredits, { fetch: async () => Response.json(completion), logger: false });
    const answer = async () => {
      const response = await ask("https://api.openai.com/v1/chat/completions", {
        method: "POST",
        body: JSON.stringify({ model: "gpt-5", messages: [] }),
      });
      return response.json();
    };

    it.each([
      [
        "a hook",
        (server: FastifyInstance, { gate }: TestGate) => {
          server.addHook("preHandler", requireCredits(gate, paid));
          server.addHook("preHandler", creditsContext);
          server.get("/chat", answer);
        },
      ],
      [
        "a handler",
        (server: FastifyInstance, { gate }: TestGate) => {
          server.get(
            "/chat",
            requireCredits(gate, paid, ({ credits }) => runWithCredits(credits, answer)),
          );
        },
      ],
    ])("bills a model call in %s to its request", async (_name, mount) => {
      const stage = createTestGate({ alice: 10 });
      const server = app();
      mount(server, stage);
      const over = settled(stage);
      expect((await fetch(`${await listen(server)}/chat`)).status).toBe(200);
      expect(await over).toEqual(["gpt-5"]);
      const { billed } = await stage.outcome("alice");
      expect(billed).toMatchObject([{ provider: "openai", inputTokens: 12, outputTokens: 40 }]);
    });
  });
});
