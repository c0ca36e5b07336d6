import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { PassThrough } from "node:stream";
import type { Gate } from "@creditgate/core";
import { createManualClock } from "@creditgate/core/testing";
import { requireCredits } from "@creditgate/express";
import type { ErrorRequestHandler, Express, RequestHandler, Response } from "express";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type ControlPlane, frameworks, gateOn, listen, next, signal, startControlPlane } from "./stage.ts";

type Options = Parameters<typeof requireCredits>[1];
type Mount = (app: Express, gate: Gate, handler: RequestHandler, options?: Partial<Options>) => Express;

const paid = { customer: "alice", agentId: "chat", indicator: "message", hold: 10 };

const middleware: Mount = (app, gate, handler, options) =>
  app.use("/chat", requireCredits(gate, { ...paid, ...options })).all("/chat", handler);
const wrapper: Mount = (app, gate, handler, options) =>
  app.all("/chat", requireCredits(gate, { ...paid, ...options }, handler));

/** A model that is asked once for each request, and remembers how often at a time. */
class Model {
  running = 0;
  peak = 0;
  calls = 0;
  readonly #finished = signal();

  finish(): void {
    this.#finished.give();
  }

  /** Answers when it may; a call that heeds its signal ends with that. */
  async answer(heeded?: AbortSignal): Promise<void> {
    this.calls++;
    this.peak = Math.max(this.peak, ++this.running);
    const left = new Promise((resolve) => heeded?.addEventListener("abort", resolve));
    await Promise.race([this.#finished.promise, left]);
    this.running--;
  }
}

/** A request that tells when it is answered, and is reset by `leave`. */
function ask(port: number) {
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  const answered = once(socket, "data").then(([bytes]) => String(bytes));
  answered.catch(() => {});
  socket.write("POST /chat HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
  return { answered, leave: () => socket.resetAndDestroy() };
}

describe.each(frameworks)("requireCredits on %s, of a client that disconnects", (_name, express) => {
  let plane: ControlPlane;

  beforeEach(async () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    vi.spyOn(console, "error").mockImplementation(() => {});
    plane = await startControlPlane();
  });
  afterEach(() => vi.restoreAllMocks());

  const standing = async (gate: Gate) => (await gate.balance("alice"))?.held;

  describe.each([
    ["as middleware", middleware],
    ["around a handler", wrapper],
  ])("%s", (_form, mount) => {
    it.each([true, false])(
      "lets 50 that open and reset at once run one model call at a time; the model heeds the signal: %s",
      async (heeds) => {
        plane.credits.set("alice", 10);
        const gate = gateOn(plane, { price: () => 10 });
        const model = new Model();
        const left = signal();
        let reached = signal();
        const app = mount(express(), gate, async ({ credits }, response) => {
          credits.signal.addEventListener("abort", left.give);
          const answering = model.answer(heeds ? credits.signal : undefined);
          reached.give();
          await answering;
          // A model that has been stopped in time has cost nothing.
          if (!heeds) credits.report({ model: "m" });
          response.end();
        });
        const { port } = await listen(app);
        const openAndReset = async () => {
          const { answered, leave } = ask(port);
          await Promise.race([answered, reached.promise]);
          leave();
        };
        await openAndReset();
        await left.promise;
        reached = signal();
        await Promise.all(Array.from({ length: 49 }, openAndReset));
        model.finish();
        await gate.close();
        expect(model.peak).toBe(1);
        expect(plane.billed).toHaveLength(heeds ? 0 : 1);
      },
    );

    it("serves a person who presses stop and asks again at once, each time, on a wallet of 3 holds", async () => {
      plane.credits.set("alice", 30);
      const gate = gateOn(plane);
      const model = new Model();
      let reached = signal();
      const app = mount(express(), gate, async ({ credits }, response) => {
        const answering = model.answer(credits.signal);
        reached.give();
        await answering;
        response.end();
      });
      const { port } = await listen(app);
      for (let question = 1; question <= 10; question++) {
        reached = signal();
        const { answered, leave } = ask(port);
        await Promise.race([reached.promise, answered]);
        expect(model.calls).toBe(question);
        leave();
      }
    });

    it("holds until res.end() is called, also by who has wrapped it", async () => {
      const gate = gateOn(plane, { clock: createManualClock() });
      const reached = signal();
      const finish = signal();
      const ends: unknown[] = [];
      const wrapping = (name: string) => (response: Response) => {
        const { end } = response;
        const wrapped = (...answer: readonly unknown[]) => {
          ends.push(name);
          return Reflect.apply(end, response, answer);
        };
        response.end = wrapped;
        return wrapped;
      };
      const app = express();
      let outer: unknown;
      let seen: Response | undefined;
      app.use((_request, response, pass) => {
        outer = wrapping("outer")(response);
        pass();
      });
      mount(app, gate, ({ credits }, response) => {
        seen = response;
        credits.signal.addEventListener("abort", async () => {
          await finish.promise;
          response.end();
          credits.report({ model: "behind it" });
        });
        expect(response.end).toBe(outer);
        reached.give();
      });
      const { leave } = ask((await listen(app)).port);
      await reached.promise;
      const closed = once(seen as Response, "close");
      leave();
      await closed;
      expect(await standing(gate)).toBe(10);
      const settled = next(gate, "settled");
      finish.give();
      expect(await settled).toMatchObject({ reports: 1 });
      expect(ends).toEqual(["outer"]);
      // By this clock no close() gives up: a report still queued when the control plane is gone would be tried for ever.
      await gate.flush();
    });

    it("holds for abortGraceMs where the handler has returned no promise and calls nothing", async () => {
      const clock = createManualClock();
      const gate = gateOn(plane, { clock });
      const reached = signal();
      const left = signal();
      const app = mount(
        express(),
        gate,
        ({ credits }) => {
          credits.signal.addEventListener("abort", left.give);
          reached.give();
        },
        { defaultUsage: { model: "default" } },
      );
      const { leave } = ask((await listen(app)).port);
      await reached.promise;
      leave();
      await left.promise;
      await clock.advance(59_999);
      expect(await standing(gate)).toBe(10);
      await clock.advance(1);
      expect(await standing(gate)).toBe(0);
      await gate.flush();
      expect(plane.billed).toEqual(["default"]);
    });

    it("holds behind another's error for what is metered, and tells a late report, where the handler has returned no promise", async () => {
      for (const isMetered of [true, false]) {
        const clock = createManualClock();
        const gate = gateOn(plane, { clock });
        const fired = signal();
        let report = () => {};
        const app = mount(express(), gate, ({ credits }, response) => {
          // As a metered call does.
          if (isMetered) credits.beforeBill(() => {});
          report = () => credits.report({ model: "m" });
          credits.signal.addEventListener("abort", () => setImmediate(fired.give));
          response.status(503).end();
        });
        const late = vi.fn();
        gate.on("late", late);
        const reported = next(gate, isMetered ? "settled" : "late");
        await ask((await listen(app)).port).answered;
        await fired.promise;
        expect(await standing(gate)).toBe(isMetered ? 10 : 0);
        report();
        await reported;
        expect(late).toHaveBeenCalledTimes(isMetered ? 0 : 1);
        await gate.flush();
      }
    });

    it("bills defaultUsage where it has taken the whole answer but its end", async () => {
      const gate = gateOn(plane);
      const over = signal();
      const app = mount(
        express(),
        gate,
        async (_request, response) => {
          response.write("the whole answer");
          await over.promise;
          response.end();
        },
        { defaultUsage: { model: "default" } },
      );
      const settled = next(gate, "settled");
      const outgoing = get(`${(await listen(app)).url}/chat`).on("error", () => {});
      const [response] = (await once(outgoing, "response")) as [IncomingMessage];
      await once(
        response.on("error", () => {}),
        "data",
      );
      outgoing.destroy();
      over.give();
      expect(await settled).toMatchObject({ reports: 1 });
    });

    it("warns of no leak where more than ten requests are pipelined", async () => {
      const gate = gateOn(plane);
      const warnings: Error[] = [];
      const warned = (warning: Error) => warnings.push(warning);
      process.on("warning", warned);
      let settlements = 0;
      const settled = signal();
      gate.on("settled", () => ++settlements === 30 && settled.give());
      const app = mount(express(), gate, (_request, response) => void response.end(), { hold: 1 });
      const socket = connect((await listen(app)).port, "127.0.0.1");
      socket.write("GET /chat HTTP/1.1\r\nHost: a\r\n\r\n".repeat(30));
      await settled.promise;
      // Warnings come with the next tick.
      await new Promise((resolve) => setImmediate(resolve));
      process.off("warning", warned);
      socket.destroy();
      expect(warnings).toEqual([]);
    });

    it("leaves the response as it is where the handler answers at once, but for one listener of each event", async () => {
      const gate = gateOn(plane);
      const added: number[] = [];
      let own: boolean[] = [];
      const app = express();
      app.use((_request, response, pass) => {
        for (const event of ["finish", "close"]) added.push(-response.listenerCount(event));
        pass();
      });
      mount(app, gate, (_request, response) => {
        ["finish", "close"].forEach((event, index) => {
          added[index] = (added[index] ?? 0) + response.listenerCount(event);
        });
        response.once("finish", () => {
          own = ["write", "end", "flushHeaders"].map((name) => Object.hasOwn(response, name));
        });
        response.end("text");
      });
      expect(await (await fetch(`${(await listen(app)).url}/chat`)).text()).toBe("text");
      expect(added).toEqual([1, 1]);
      expect(own).toEqual([false, false, false]);
    });
  });

  describe("around a handler", () => {
    it("holds as long as the handler's promise is pending, without a limit, and no longer", async () => {
      const clock = createManualClock();
      const gate = gateOn(plane, { clock });
      const [reached, left, working] = [signal(), signal(), signal()];
      const app = wrapper(express(), gate, async ({ credits }) => {
        credits.signal.addEventListener("abort", left.give);
        reached.give();
        await working.promise;
        credits.report({ model: "m" });
      });
      const { leave } = ask((await listen(app)).port);
      await reached.promise;
      leave();
      await left.promise;
      await clock.advance(3_600_000);
      expect(await standing(gate)).toBe(10);
      const settled = next(gate, "settled");
      working.give();
      expect(await settled).toMatchObject({ reports: 1 });
    });

    it("does not take a promise for the end that had settled while a stream went on", async () => {
      const clock = createManualClock();
      const gate = gateOn(plane, { clock });
      const [reached, left] = [signal(), signal()];
      const source = new PassThrough();
      const app = wrapper(express(), gate, async ({ credits }, response) => {
        credits.signal.addEventListener("abort", left.give);
        source.pipe(response);
        source.write("a");
        reached.give();
      });
      const { answered, leave } = ask((await listen(app)).port);
      await reached.promise;
      await answered;
      leave();
      await left.promise;
      await clock.advance(59_999);
      expect(await standing(gate)).toBe(10);
      await clock.advance(1);
      expect(await standing(gate)).toBe(0);
    });

    it("does not take a promise for the end that has passed the request on", async () => {
      const clock = createManualClock();
      const gate = gateOn(plane, { clock });
      const [reached, left, passing, working] = [signal(), signal(), signal(), signal()];
      const app = wrapper(express(), gate, async ({ credits }, _response, pass) => {
        credits.signal.addEventListener("abort", left.give);
        reached.give();
        await passing.promise;
        pass();
      });
      app.all("/chat", async (_request, response) => {
        await working.promise;
        response.end();
      });
      const { leave } = ask((await listen(app)).port);
      await reached.promise;
      leave();
      await left.promise;
      passing.give();
      await clock.advance(59_999);
      expect(await standing(gate)).toBe(10);
      const settled = next(gate, "settled");
      working.give();
      await settled;
    });
  });
});

describe.each(frameworks)("requireCredits around a handler on %s", (_name, express) => {
  let plane: ControlPlane;
  beforeEach(async () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    plane = await startControlPlane();
  });
  afterEach(() => vi.restoreAllMocks());

  it("has it answer, and bills what it reported when both have ended", async () => {
    const gate = gateOn(plane);
    const working = signal();
    const app = wrapper(express(), gate, async ({ credits }, response) => {
      response.send("text");
      await working.promise;
      credits.report({ model: "m" });
    });
    const settled = next(gate, "settled");
    expect(await (await fetch(`${(await listen(app)).url}/chat`)).text()).toBe("text");
    expect((await gate.balance("alice"))?.held).toBe(10);
    working.give();
    expect(await settled).toMatchObject({ reports: 1 });
  });

  it("does not call it where the customer cannot pay", async () => {
    const handler = vi.fn();
    const app = wrapper(express(), gateOn(plane), handler, { hold: 1_000 });
    expect((await fetch(`${(await listen(app)).url}/chat`)).status).toBe(402);
    expect(handler).not.toHaveBeenCalled();
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("handler");
      },
    ],
    ["rejects with", async () => Promise.reject(new Error("handler"))],
    ["passes on", (_request, _response, pass) => pass(new Error("handler"))],
  ] as [string, RequestHandler][])(
    "leaves to next() what it %s, and gives the hold back",
    async (_how, handler) => {
      const gate = gateOn(plane);
      const handled: ErrorRequestHandler = (error, _request, response, _next) => {
        response.status(418).send(error.message);
      };
      const settled = next(gate, "settled");
      const response = await fetch(
        `${(await listen(wrapper(express(), gate, handler).use(handled))).url}/chat`,
      );
      expect([response.status, await response.text()]).toEqual([418, "handler"]);
      expect(await settled).toMatchObject({ reports: 0 });
    },
  );

  it("takes a handler that throws amid its answer, which Express breaks off, for a failure", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const gate = gateOn(plane, { clock: createManualClock() });
    const app = wrapper(
      express(),
      gate,
      async ({ credits }, response) => {
        response.write("a");
        credits.report({ model: "m" });
        throw new Error("the model fails");
      },
      { onAbort: "none" },
    );
    const settled = next(gate, "settled");
    await fetch(`${(await listen(app)).url}/chat`)
      .then((response) => response.text())
      .catch(() => {});
    expect(await settled).toMatchObject({ reports: 1 });
  });

  it.each([undefined, "route"])("does not pass the request on where it rejects with %j", async (reason) => {
    const behind = vi.fn<RequestHandler>((_request, response) => void response.end());
    const app = wrapper(express(), gateOn(plane), () => Promise.reject(reason)).all("/chat", behind);
    app.set("env", "test");
    expect((await fetch(`${(await listen(app)).url}/chat`)).status).toBe(500);
    expect(behind).not.toHaveBeenCalled();
  });

  it("is refused at once where it is no function", () => {
    expect(() => requireCredits(gateOn(plane), paid, "answer" as unknown as RequestHandler)).toThrow(
      "handler: expected a function, received",
    );
  });
});
