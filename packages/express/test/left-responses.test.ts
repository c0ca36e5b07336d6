import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Charge, Gate } from "@creditgate/core";
import { requireCredits } from "@creditgate/express";
import type { ErrorRequestHandler, Express, Request, Response } from "express";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type ControlPlane, frameworks, gateOn, listen, next, signal, startControlPlane } from "./stage.ts";

type Handle = (response: Response, credits: Charge, request: Request) => Promise<unknown>;

const options = {
  customer: "alice",
  agentId: "chat",
  indicator: "message",
  hold: 10,
  defaultUsage: { model: "default" },
  onAbort: "default",
} as const;
const chunk = "~".repeat(65_536);

/** A client that reads nothing from the moment on that it is paused. */
async function ask(app: Express, requests = 1): Promise<Socket> {
  const socket = connect((await listen(app)).port, "127.0.0.1").on("error", () => {});
  socket.write("GET /chat HTTP/1.1\r\nHost: a\r\n\r\n".repeat(requests));
  return socket;
}

const written = (response: Response, text: string) =>
  new Promise<void>((resolve, reject) => {
    response.write(text, (error) => (error ? reject(error) : resolve()));
  });

describe.each(frameworks)(
  "requireCredits around a handler on %s, whose client disconnects while it writes",
  (_name, express) => {
    let plane: ControlPlane;
    let gate: Gate;
    beforeEach(async () => {
      vi.spyOn(console, "warn").mockImplementation(() => {});
      vi.spyOn(console, "error").mockImplementation(() => {});
      plane = await startControlPlane();
      gate = gateOn(plane);
    });
    afterEach(() => vi.restoreAllMocks());

    const gated = (handle: Handle) =>
      express().get(
        "/chat",
        requireCredits(gate, options, (request, response) => handle(response, request.credits, request)),
      );

    it.each(["destroy", "resetAndDestroy"] as const)(
      "settles where it waits for a drain that never comes, and each write from then on answers true: %s",
      async (leave) => {
        const full = signal();
        const answers: boolean[] = [];
        const app = gated(async (response, { signal: left }) => {
          while (response.write(chunk)) await new Promise(setImmediate);
          full.give();
          await once(response, "drain");
          if (!left.aborted) await once(left, "abort");
          for (let turn = 0; turn < 3; turn++) answers.push(response.write(chunk));
          response.end();
        });
        const settled = next(gate, "settled");
        const socket = (await ask(app)).pause();
        await full.promise;
        socket[leave]();
        expect(await settled).toMatchObject({ reports: 1 });
        expect(answers).toEqual([true, true, true]);
      },
    );

    it("fails each write as Node does, so that a handler which awaits it stops", async () => {
      const codes: unknown[] = [];
      const reached = signal();
      const app = gated(async (response, { signal: left }) => {
        response.write("a");
        reached.give();
        await once(left, "abort");
        await written(response, "b").catch(({ code }) => codes.push(code));
        response.end();
      });
      const settled = next(gate, "settled");
      const socket = await ask(app);
      await reached.promise;
      socket.destroy();
      await settled;
      expect(codes).toEqual(["ERR_STREAM_DESTROYED"]);
    });

    it("lets work go on whose headers are set, which is no part of an answer without a body", async () => {
      const aborted: boolean[] = [];
      const app = gated(async (response, { signal: left }, request) => {
        if (request.method === "HEAD") response.writeHead(200);
        else response.writeHead(204);
        await new Promise((resolve) => setImmediate(resolve));
        aborted.push(left.aborted);
        response.end();
      });
      const { url } = await listen(app);
      for (const method of ["HEAD", "GET"]) await fetch(`${url}/chat`, { method });
      expect(aborted).toEqual([false, false]);
    });

    it("takes a response whose methods other middleware has made read-only as it is", async () => {
      const [reached, left] = [signal(), signal()];
      const app = express();
      app.use((_request, response, pass) => {
        for (const name of ["write", "end"] as const)
          Object.defineProperty(response, name, { value: response[name] });
        pass();
      });
      app.use(
        gated(async (_response, { signal: gone }) => {
          reached.give();
          await once(gone, "abort");
          left.give();
        }),
      );
      const settled = next(gate, "settled");
      const socket = await ask(app);
      await reached.promise;
      socket.destroy();
      await Promise.all([left.promise, settled]);
    });

    it("fails the callback of a write that Node drops: its connection has ended, and is not closed yet", async () => {
      const app = gated(async (response, _credits, request) => {
        response.flushHeaders();
        await once(request.socket, "end");
        request.socket.destroy();
        await written(response, "a");
      });
      const settled = next(gate, "settled");
      const socket = await ask(app);
      await once(socket, "data");
      socket.end();
      expect(await settled).toMatchObject({ reports: 1 });
    });

    it("fails the callbacks of a pipelined response that never had its turn", async () => {
      const [first, second] = [signal(), signal()];
      const app = gated(async (response, credits) => {
        // The gate may let in the second before the first: the one whose turn it is has the connection.
        if (response.socket !== null) {
          first.give();
          await once(credits.signal, "abort");
          response.end();
          return;
        }
        const writing = written(response, "a");
        second.give();
        await writing;
      });
      let settlements = 0;
      const all = signal();
      gate.on("settled", () => ++settlements === 2 && all.give());
      const socket = await ask(app, 2);
      await Promise.all([first.promise, second.promise]);
      socket.destroy();
      await all.promise;
      expect((await gate.balance("alice"))?.held).toBe(0);
    });

    it.each([
      [
        "its writes",
        async (response) => {
          for (;;) await written(response, "a").then(() => new Promise(setImmediate));
        },
      ],
      ["a pipeline", (response) => pipeline(Readable.from(endless()), response)],
      [
        "a web stream",
        (response) => Readable.toWeb(Readable.from(endless())).pipeTo(Writable.toWeb(response)),
      ],
      [
        "an error of its connection",
        async (response, _credits, request) => {
          response.write("a");
          await new Promise((_resolve, reject) => request.socket.once("error", reject));
        },
      ],
    ] as [string, Handle][])(
      "takes a reset that fails %s for an abort: onAbort is asked, the signal fires",
      async (_how, handle) => {
        const left = signal();
        const app = gated(async (response, credits, request) => {
          credits.signal.addEventListener("abort", left.give);
          await handle(response, credits, request);
        });
        const settled = next(gate, "settled");
        const socket = await ask(app);
        await once(socket, "data");
        socket.resetAndDestroy();
        await left.promise;
        expect(await settled).toMatchObject({ reports: 1 });
        await gate.flush();
        expect(plane.billed).toEqual(["default"]);
      },
    );

    it("takes a handler that throws of its own accord for a failure, though its client resets then", async () => {
      const thrown = signal();
      const app = gated(async (response) => {
        response.write("a");
        thrown.give();
        throw new Error("the model fails");
      });
      const settled = next(gate, "settled");
      const socket = await ask(app);
      await thrown.promise;
      socket.resetAndDestroy();
      expect(await settled).toMatchObject({ reports: 0 });
    });

    it("holds while its promise is pending though it calls res.end() when the client disconnects", async () => {
      const [reached, ended, working] = [signal(), signal(), signal()];
      const app = gated(async (response, credits) => {
        response.once("close", () => {
          response.end();
          ended.give();
        });
        reached.give();
        await working.promise;
        credits.report({ model: "m" });
      });
      const socket = await ask(app);
      await reached.promise;
      socket.destroy();
      await ended.promise;
      await new Promise(setImmediate);
      expect((await gate.balance("alice"))?.held).toBe(10);
      const settled = next(gate, "settled");
      working.give();
      expect(await settled).toMatchObject({ reports: 1 });
    });
  },
);

async function* endless(): AsyncGenerator<string> {
  for (;;) {
    yield "a";
    await new Promise(setImmediate);
  }
}

describe.each(frameworks)(
  "requireCredits in front of a handler on %s, which it was not given",
  (_name, express) => {
    let plane: ControlPlane;
    let gate: Gate;
    beforeEach(async () => {
      plane = await startControlPlane();
      gate = gateOn(plane);
    });
    afterEach(() => vi.restoreAllMocks());

    it("holds while that works behind the error of another, whose signal fires, through nested routers too", async () => {
      const [reached, emitted, working] = [signal(), signal(), signal()];
      let early: Response | undefined;
      const inner = express.Router().get("/chat", async (request) => {
        request.credits.signal.addEventListener("abort", emitted.give);
        reached.give();
        await working.promise;
        request.credits.report({ model: "m" });
      });
      const app = express()
        .use((_request, response, next) => {
          early = response;
          next();
        })
        .use(requireCredits(gate, options))
        .use((_request, _response, next) => next())
        .use(inner);
      const late = vi.fn();
      gate.on("late", late);
      const socket = await ask(app);
      await reached.promise;
      early?.status(503).end();
      await Promise.all([emitted.promise, once(socket, "data")]);
      await new Promise(setImmediate);
      expect((await gate.balance("alice"))?.held).toBe(10);
      const settled = next(gate, "settled");
      working.give();
      expect(await settled).toMatchObject({ reports: 1 });
      expect(late).not.toHaveBeenCalled();
    });

    it.each(["throws", "passes an error on"])(
      "bills nothing by default where that %s, whatever the error handler answers",
      async (how) => {
        const app = express()
          .use(requireCredits(gate, options))
          .get("/chat", (_request, _response, next) => {
            if (how === "throws") throw new Error("the model fails");
            next(new Error("the model fails"));
          })
          .use(((_error, _request, response, _next) => void response.end()) as ErrorRequestHandler);
        const settled = next(gate, "settled");
        await ask(app);
        expect(await settled).toMatchObject({ reports: 0 });
      },
    );
  },
);

it("tells once where it cannot see the handlers behind it, as in a router that is not Express's", async () => {
  const warning = vi.spyOn(console, "warn").mockImplementation(() => {});
  const gate = gateOn(await startControlPlane());
  const middleware = requireCredits(gate, options) as unknown as (
    request: IncomingMessage,
    response: ServerResponse,
    next: () => void,
  ) => void;
  const { url } = await listen((request, response) => middleware(request, response, () => response.end()));
  for (let turn = 0; turn < 2; turn++) await fetch(url);
  const emitted = warning.mock.calls
    .map(String)
    .filter((line) => line.includes("a router that is not Express's"));
  expect(emitted).toHaveLength(1);
});
