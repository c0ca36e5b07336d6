import { AsyncLocalStorage } from "node:async_hooks";
import { once } from "node:events";
import { Agent, get, request as httpRequest, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { requireCredits } from "@creditgate/express";
import type { ErrorRequestHandler, RequestHandler } from "express";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type ControlPlane, frameworks, gateOn, listen, next, signal, startControlPlane } from "./stage.ts";

const paid = { customer: "alice", agentId: "chat", indicator: "message", hold: 5 };
const report: RequestHandler = (request, response) => {
  request.credits.report({ model: "m" });
  response.json({ ok: true });
};

describe.each(frameworks)("requireCredits on %s", (_name, express) => {
  let plane: ControlPlane;

  beforeEach(async () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    plane = await startControlPlane();
  });
  afterEach(() => vi.restoreAllMocks());

  /** What is held for alice when all is over. */
  const held = async (gate: ReturnType<typeof gateOn>) => (await gate.balance("alice"))?.held;

  describe("a route whose indicator is misspelt", () => {
    it("serves nothing once another route has been asked for: the service was asked beside that, once", async () => {
      plane.agents = [{ agentId: "chat", indicators: [{ name: "message" }] }];
      const gate = gateOn(plane);
      const serve = vi.fn(report);
      const { url } = await listen(
        express()
          .get("/", requireCredits(gate, paid), report)
          .get("/image", requireCredits(gate, { ...paid, indicator: "massage" }), serve),
      );
      expect(plane.listed).toBe(0);
      const emitted = next(gate, "degraded");
      expect((await fetch(url)).status).toBe(200);
      expect(await emitted).toMatchObject({
        what: "setup",
        error: { message: expect.stringContaining('did you mean "message"?') },
      });
      expect((await fetch(`${url}/image`)).status).toBe(503);
      expect(serve).not.toHaveBeenCalled();
      expect((await fetch(url)).status).toBe(200);
      expect(plane.listed).toBe(1);
      await gate.flush();
    });
  });

  describe("a request that can pay", () => {
    it("reaches its handler, and is billed what the handler reported", async () => {
      const gate = gateOn(plane);
      const { url } = await listen(express().use(requireCredits(gate, paid)).get("/", report));
      const settled = next(gate, "settled");
      const response = await fetch(url);
      expect([response.status, await response.json()]).toEqual([200, { ok: true }]);
      expect(await settled).toMatchObject({ customerId: "alice", reports: 1 });
      expect(await gate.flush()).toMatchObject({ queued: 0 });
      expect(plane.billed).toEqual(["m"]);
      expect(await held(gate)).toBe(0);
    });

    it("gets the answer that it would get without the gate", async () => {
      const answer: RequestHandler = (_request, response) => {
        response.status(201).set("x-mine", "1").cookie("a", "b").send("created");
      };
      const gated = await listen(express().get("/", requireCredits(gateOn(plane), paid), answer));
      const plain = await listen(express().get("/", answer));
      const parts = async ({ url }: { url: string }) => {
        const response = await fetch(url);
        const { date: _date, ...headers } = Object.fromEntries(response.headers);
        return { status: response.status, headers, body: await response.text() };
      };
      expect(await parts(gated)).toEqual(await parts(plain));
    });

    it("reaches it in the turn and the context in which it came, once the balance is cached", async () => {
      const gate = gateOn(plane);
      const context = new AsyncLocalStorage<{ isSame: boolean }>();
      const seen: unknown[] = [];
      const app = express()
        .use((_request, _response, next) => {
          const turn = { isSame: true };
          context.run(turn, next);
          turn.isSame = false;
        })
        .use(requireCredits(gate, paid))
        .get("/", (request, response, next) => {
          seen.push(context.getStore()?.isSame);
          report(request, response, next);
        });
      const { url } = await listen(app);
      for (let turn = 0; turn < 2; turn++) expect((await fetch(url)).status).toBe(200);
      expect(seen).toEqual([false, true]);
      await gate.flush();
    });

    it("keeps its charge when an app within the app passes it on", async () => {
      const gate = gateOn(plane);
      const mounted = express().use(requireCredits(gate, paid));
      const { url } = await listen(express().use(mounted).get("/", report));
      for (let turn = 0; turn < 2; turn++) expect((await fetch(url)).status).toBe(200);
      await gate.flush();
      expect(plane.billed).toEqual(["m", "m"]);
    });

    it("has the charge of the last gate before its handler, also in an app within the app, until it is given another", async () => {
      const [outer, inner] = [gateOn(plane), gateOn(plane)];
      const charges: unknown[] = [];
      const note: RequestHandler = (request, _response, next) => {
        charges.push(request.credits);
        next();
      };
      const mounted = express()
        .use(note, requireCredits(inner, { ...paid, indicator: "other" }), note)
        .get("/", (request, response) => {
          Object.assign(request, { credits: "mine" });
          charges.push(request.credits);
          response.json({});
        });
      const { url } = await listen(express().use(requireCredits(outer, paid), note, mounted));
      await fetch(url);
      const [first, second, third, last] = charges;
      expect(first).toHaveProperty("report");
      expect(second).toBe(first);
      expect(third).toHaveProperty("report");
      expect(third).not.toBe(first);
      expect(last).toBe("mine");
    });

    it("is answered though the control plane takes no usage, which arrives once it does", async () => {
      plane.usageStatus = 503;
      const gate = gateOn(plane);
      const { url } = await listen(express().get("/", requireCredits(gate, paid), report));
      const degraded = next(gate, "degraded");
      expect((await fetch(url)).status).toBe(200);
      expect(await degraded).toMatchObject({ what: "delivery" });
      plane.usageStatus = 200;
      expect(await gate.flush()).toMatchObject({ queued: 0 });
      expect(plane.billed).toEqual(["m"]);
    });

    it("is billed defaultUsage when its handler reported nothing", async () => {
      const gate = gateOn(plane);
      const options = { ...paid, defaultUsage: { model: "default" } };
      const { url } = await listen(
        express().get("/", requireCredits(gate, options), (_, response) => void response.end()),
      );
      const settled = next(gate, "settled");
      await fetch(url);
      await settled;
      await gate.flush();
      expect(plane.billed).toEqual(["default"]);
    });

    it("may be a HEAD", async () => {
      const gate = gateOn(plane);
      const { url } = await listen(express().use(requireCredits(gate, paid)).get("/", report));
      const settled = next(gate, "settled");
      expect((await fetch(url, { method: "HEAD" })).status).toBe(200);
      expect(await settled).toMatchObject({ reports: 1 });
    });

    it("is one of several on a connection that is kept alive, and leaves no listener on it", async () => {
      const gate = gateOn(plane);
      const listeners: number[] = [];
      const app = express().get("/", requireCredits(gate, paid), (request, response) => {
        listeners.push(request.socket.listenerCount("close"));
        report(request, response, () => {});
      });
      const { url } = await listen(app);
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (let turn = 0; turn < 5; turn++) {
        const settled = next(gate, "settled");
        const [response] = (await once(get(url, { agent }), "response")) as [IncomingMessage];
        response.resume();
        await Promise.all([once(response, "end"), settled]);
      }
      agent.destroy();
      expect(new Set(listeners).size).toBe(1);
      expect(await held(gate)).toBe(0);
    });
  });

  it("leaves no listener on a connection whose requests were pipelined", async () => {
    const gate = gateOn(plane);
    const listeners: number[] = [];
    const app = express().get("/", requireCredits(gate, paid), (request, response) => {
      listeners.push(request.socket.listenerCount("close"));
      report(request, response, () => {});
    });
    const { port } = await listen(app);
    const socket = connect(port, "127.0.0.1");
    const ask = async (requests: number) => {
      let settlements = 0;
      const settled = signal();
      const off = gate.on("settled", () => ++settlements === requests && settled.give());
      socket.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n".repeat(requests));
      await settled.promise;
      off();
    };
    await ask(1);
    await ask(3);
    await ask(1);
    socket.destroy();
    expect(listeners).toHaveLength(5);
    expect(listeners.at(-1)).toBe(listeners[0]);
  });

  describe("a request that cannot pay", () => {
    const denied = async (customer: string | undefined, hold: number, options = {}) => {
      const handler = vi.fn(report);
      const gate = gateOn(plane, options);
      const app = express().get(
        "/",
        requireCredits(gate, { ...paid, customer: () => customer, hold }),
        handler,
      );
      const response = await fetch((await listen(app)).url);
      expect(handler).not.toHaveBeenCalled();
      return response;
    };

    it("is answered 402 before its handler, as problem+json that is not to be cached", async () => {
      const response = await denied("alice", 101);
      expect(response.status).toBe(402);
      expect(response.headers.get("content-type")).toMatch(/^application\/problem\+json/);
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(response.headers.has("retry-after")).toBe(false);
      expect(await response.json()).toMatchObject({
        code: "insufficient_credits",
        required: 101,
        available: 100,
      });
    });

    it("is answered 401 without a customer", async () => {
      const response = await denied(undefined, 1);
      expect([response.status, (await response.json()).code]).toEqual([401, "customer_unresolved"]);
    });

    it("is answered 503 with Retry-After while the control plane hangs", async () => {
      plane.gateOpens = new Promise(() => {});
      const response = await denied("alice", 1, { checkTimeoutMs: 20 });
      expect([response.status, (await response.json()).code]).toEqual([503, "upstream_unavailable"]);
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    });

    it("is served by the very next request after a top-up", async () => {
      plane.credits.set("alice", 0);
      const { url } = await listen(express().get("/", requireCredits(gateOn(plane), paid), report));
      expect((await fetch(url)).status).toBe(402);
      plane.credits.set("alice", 10);
      expect((await fetch(url)).status).toBe(200);
    });
  });

  describe("many requests at once", () => {
    /** Sends `count` requests; the control plane answers no balance before all of them have come to the gate. */
    async function crowd(gate: ReturnType<typeof gateOn>, requests: number): Promise<readonly number[]> {
      const arrived = signal();
      const decided = signal();
      plane.gateOpens = arrived.promise;
      let arrivals = 0;
      let decisions = 0;
      const hold = () => {
        if (++arrivals === requests) arrived.give();
        return 1;
      };
      gate.on("decision", () => {
        if (++decisions === requests) decided.give();
      });
      const app = express().get("/", requireCredits(gate, { ...paid, hold }), async (request, response) => {
        await decided.promise;
        report(request, response, () => {});
      });
      const { url } = await listen(app);
      return Promise.all(Array.from({ length: requests }, async () => (await fetch(url)).status));
    }

    it("on a cold cache make one balance call", async () => {
      expect(new Set(await crowd(gateOn(plane), 50))).toEqual(new Set([200]));
      expect(plane.balanceRequests).toHaveLength(1);
    });

    it("are admitted as far as the wallet goes; the others share one more call, and are denied", async () => {
      plane.credits.set("alice", 50);
      const gate = gateOn(plane);
      const statuses = await crowd(gate, 200);
      expect(statuses.filter((status) => status === 200)).toHaveLength(50);
      expect(statuses.filter((status) => status === 402)).toHaveLength(150);
      expect(plane.balanceRequests).toHaveLength(2);
      await gate.close();
      expect(plane.billed).toHaveLength(50);
    });
  });

  describe("an error", () => {
    it.each([
      [
        "thrown",
        () => {
          throw new Error("handler");
        },
      ],
      ["passed on", (_request, _response, pass) => pass(new Error("handler"))],
    ] as [string, RequestHandler][])(
      "of the handler, %s, is the framework's, and gives the hold back",
      async (_how, handler) => {
        const gate = gateOn(plane);
        const { url } = await listen(express().get("/", requireCredits(gate, paid), handler));
        const settled = next(gate, "settled");
        expect((await fetch(url)).status).toBe(500);
        expect(await settled).toMatchObject({ reports: 0, credits: 0 });
        expect(await held(gate)).toBe(0);
      },
    );

    it.each([
      [400, [], 0],
      [404, ["m"], 1],
      [500, ["m"], 1],
      [399, [], 1],
    ])("or an answer of %i with reports %j bills %i", async (status, models, bills) => {
      const gate = gateOn(plane);
      const options = { ...paid, defaultUsage: { model: "default" } };
      const app = express().get("/", requireCredits(gate, options), (request, response) => {
        for (const model of models) request.credits.report({ model });
        response.status(status).end();
      });
      const settled = next(gate, "settled");
      await fetch((await listen(app)).url);
      expect(await settled).toMatchObject({ reports: bills });
    });

    it.each(["customer", "agentId", "indicator", "hold", "skip"] as const)(
      "of the resolver of %s, sync or async, is the framework's",
      async (option) => {
        const handler = vi.fn(report);
        const handled: ErrorRequestHandler = (error, _request, response, _next) => {
          response.status(418).send(error.message);
        };
        const resolvers = [
          () => {
            throw new Error("resolver");
          },
          () => Promise.reject(new Error("resolver")),
        ];
        for (const resolver of resolvers) {
          const app = express().get(
            "/",
            requireCredits(gateOn(plane), { ...paid, [option]: resolver }),
            handler,
          );
          const response = await fetch((await listen(app.use(handled))).url);
          expect([response.status, await response.text()]).toEqual([418, "resolver"]);
        }
        expect(handler).not.toHaveBeenCalled();
      },
    );

    it.each([undefined, null, 0, "", "route", "router"])(
      "of a resolver that is %j does not let the request in",
      async (thrown) => {
        const handler = vi.fn(report);
        const app = express();
        app.get(
          "/",
          requireCredits(gateOn(plane), { ...paid, customer: () => Promise.reject(thrown) }),
          handler,
        );
        app.get("/", handler);
        expect((await fetch((await listen(app)).url)).status).toBe(500);
        expect(handler).not.toHaveBeenCalled();
      },
    );

    it("in the options is thrown at once", () => {
      expect(() => requireCredits(gateOn(plane), { ...paid, hold: 0 })).toThrow("hold: expected");
    });
  });

  describe("routes", () => {
    it("gates what is below the path at which it is mounted, and nothing else", async () => {
      const router = express.Router();
      router.get("/deep", report);
      const app = express();
      app.use("/chat", requireCredits(gateOn(plane, {}), { ...paid, hold: 1_000 }), router);
      app.get("/free", (_request, response) => void response.end());
      const { url } = await listen(app);
      expect((await fetch(`${url}/chat/deep`)).status).toBe(402);
      expect((await fetch(`${url}/CHAT/deep/`)).status).toBe(402);
      expect((await fetch(`${url}/free`)).status).toBe(200);
    });

    it("works within a router and reads the parameters of a route", async () => {
      plane.credits.set("bob", 5);
      const gate = gateOn(plane);
      const router = express.Router();
      router.post(
        "/:user/ask",
        requireCredits(gate, { ...paid, customer: (request) => String(request.params.user) }),
        report,
      );
      const { url } = await listen(express().use("/api", router));
      const settled = next(gate, "settled");
      expect((await fetch(`${url}/api/bob/ask`, { method: "POST" })).status).toBe(200);
      expect(await settled).toMatchObject({ customerId: "bob" });
      expect((await fetch(`${url}/api/carol/ask`, { method: "POST" })).status).toBe(402);
    });

    it("lets what is skipped through, ungated and unbilled, and no method else", async () => {
      const skip = { ...paid, hold: 1_000, skip: (request: { path: string }) => request.path === "/health" };
      const app = express();
      app.get("/health", requireCredits(gateOn(plane), skip), report);
      app.use("/all", requireCredits(gateOn(plane), { ...paid, hold: 1_000 }), report);
      const { url } = await listen(app);
      expect((await fetch(`${url}/health`)).status).toBe(200);
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "PROPFIND"]) {
        expect([method, (await fetch(`${url}/all`, { method })).status]).toEqual([method, 402]);
      }
      expect(plane.billed).toEqual([]);
    });
  });

  describe("a stream", () => {
    /** Writes a chunk at each call of `step`, and reports it; ends when its client has disconnected. */
    function streaming(chunks: number) {
      const steps = Array.from({ length: chunks + 1 }, signal);
      const handler: RequestHandler = async ({ credits }, response) => {
        const left = new Promise((resolve) => credits.signal.addEventListener("abort", resolve));
        for (let chunk = 0; chunk <= chunks; chunk++) {
          await Promise.race([steps[chunk]?.promise, left]);
          if (credits.signal.aborted || chunk === chunks) break;
          credits.report({ model: `chunk ${chunk}` });
          response.write(`${chunk};`);
        }
        response.end();
      };
      return { handler, step: (chunk: number) => steps[chunk]?.give() };
    }

    it("passes chunk by chunk, the first one at once, and is billed at its end", async () => {
      const gate = gateOn(plane);
      const { handler, step } = streaming(3);
      const { url } = await listen(express().get("/", requireCredits(gate, paid), handler));
      const settled = next(gate, "settled");
      step(0);
      const [response] = (await once(get(url), "response")) as [IncomingMessage];
      response.setEncoding("utf8");
      for (let chunk = 0; chunk < 3; chunk++) {
        expect(await once(response, "data")).toEqual([`${chunk};`]);
        expect(await held(gate)).toBe(5);
        step(chunk + 1);
      }
      await once(response, "end");
      expect(await settled).toMatchObject({ reports: 3 });
    });

    it.each([0, 1, 2, 3])(
      "that its client disconnects after %i chunks is settled once, by what was reported",
      async (left) => {
        const gate = gateOn(plane);
        const { handler, step } = streaming(3);
        const app = express().get("/", requireCredits(gate, paid), (request, response, pass) => {
          response.flushHeaders();
          return handler(request, response, pass);
        });
        const { url } = await listen(app);
        let settlements = 0;
        gate.on("settled", () => settlements++);
        const settled = next(gate, "settled");
        const outgoing = get(url).on("error", () => {});
        const [response] = (await once(outgoing, "response")) as [IncomingMessage];
        response.on("error", () => {});
        for (let chunk = 0; chunk < left; chunk++) {
          step(chunk);
          await once(response, "data");
        }
        outgoing.destroy();
        expect(await settled).toMatchObject({ reports: left });
        expect(await gate.close()).toMatchObject({ queued: 0 });
        expect(settlements).toBe(1);
        expect(await held(gate)).toBe(0);
      },
    );

    it.each([
      ["default", ["default"]],
      ["none", []],
      [() => ({ model: "estimate" }), ["estimate"]],
    ] as const)("that its client disconnects is billed by onAbort: %s", async (onAbort, models) => {
      const gate = gateOn(plane);
      const options = { ...paid, onAbort, defaultUsage: { model: "default" } };
      const { handler, step } = streaming(2);
      const { url } = await listen(express().get("/", requireCredits(gate, options), handler));
      const settled = next(gate, "settled");
      const outgoing = get(url).on("error", () => {});
      step(0);
      const [response] = (await once(outgoing, "response")) as [IncomingMessage];
      response.on("error", () => {});
      outgoing.destroy();
      await settled;
      await gate.flush();
      expect(plane.billed).toEqual(models);
    });

    it("that its handler breaks off with an error is a failure, and billed what was reported", async () => {
      const gate = gateOn(plane);
      const app = express().get(
        "/",
        requireCredits(gate, { ...paid, onAbort: "none" }),
        (request, response) => {
          request.credits.report({ model: "m" });
          response.write("a");
          response.destroy(new Error("the model fails"));
        },
      );
      const settled = next(gate, "settled");
      await fetch((await listen(app)).url)
        .then((response) => response.text())
        .catch(() => {});
      expect(await settled).toMatchObject({ reports: 1 });
    });
  });

  describe("a client that disconnects", () => {
    it("while the gate decides gets no work done and holds nothing", async () => {
      const opens = signal();
      plane.gateOpens = opens.promise;
      const gate = gateOn(plane);
      const handler = vi.fn(report);
      const gone = signal();
      const app = express();
      app.use((request, _response, pass) => {
        request.socket.once("close", gone.give);
        pass();
      });
      const asked = signal();
      const hold = () => {
        asked.give();
        return 5;
      };
      app.get("/", requireCredits(gate, { ...paid, hold }), handler);
      const outgoing = get((await listen(app)).url).on("error", () => {});
      await asked.promise;
      outgoing.destroy();
      await gone.promise;
      const settled = next(gate, "settled");
      opens.give();
      expect(await settled).toMatchObject({ reports: 0 });
      expect(await held(gate)).toBe(0);
      expect(handler).not.toHaveBeenCalled();
    });

    it("while its pipelined request waits for its turn gives the hold back", async () => {
      const gate = gateOn(plane);
      const blocked = signal();
      const reached = signal();
      const app = express();
      app.get("/slow", () => void blocked.promise);
      app.get("/next", requireCredits(gate, paid), (request, response) => {
        request.credits.signal.addEventListener("abort", () => response.end());
        reached.give();
      });
      const { port } = await listen(app);
      const socket = connect(port, "127.0.0.1");
      const settled = next(gate, "settled");
      socket.write("GET /slow HTTP/1.1\r\nhost: a\r\n\r\nGET /next HTTP/1.1\r\nhost: a\r\n\r\n");
      await reached.promise;
      socket.destroy();
      expect(await settled).toMatchObject({ reports: 0 });
      expect(await held(gate)).toBe(0);
    });
  });

  describe("someone else who has answered while the gate decided", () => {
    it.each([
      [5, "allowed"],
      [1_000, "denied"],
    ])("is not contradicted: hold %i is %s", async (hold, _decision) => {
      const opens = signal();
      plane.gateOpens = opens.promise;
      const gate = gateOn(plane);
      const handler = vi.fn(report);
      const failed = vi.fn<ErrorRequestHandler>((_error, _request, _response, pass) => pass());
      const app = express();
      app.use((_request, response, pass) => {
        pass();
        response.status(408).send("too late");
      });
      app.get("/", requireCredits(gate, { ...paid, hold }), handler);
      app.use(failed);
      const { url } = await listen(app);
      const decision = next(gate, "decision");
      const response = await fetch(url);
      expect([response.status, await response.text()]).toEqual([408, "too late"]);
      opens.give();
      await decision;
      await gate.close();
      expect(await held(gate)).toBe(0);
      expect(handler).not.toHaveBeenCalled();
      expect(failed).not.toHaveBeenCalled();
    });
  });

  it("is not confused by a body, read or not", async () => {
    const gate = gateOn(plane);
    const app = express();
    app.post(
      "/read",
      express.json(),
      requireCredits(gate, { ...paid, hold: (request) => request.body.hold }),
      report,
    );
    app.post("/unread", requireCredits(gate, paid), report);
    const { url } = await listen(app);
    for (const path of ["/read", "/unread"]) {
      const settled = next(gate, "settled");
      const outgoing = httpRequest(`${url}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
      });
      outgoing.end(JSON.stringify({ hold: 2 }));
      const [response] = (await once(outgoing, "response")) as [IncomingMessage];
      response.resume();
      expect(response.statusCode).toBe(200);
      expect(await settled).toMatchObject({ reports: 1 });
    }
    await gate.flush();
    expect(await gate.balance("alice")).toMatchObject({ held: 0, unconfirmed: 7 });
  });
});
