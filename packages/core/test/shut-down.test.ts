import { once } from "node:events";
import { Agent, createServer, get, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { type ShutdownOptions, shutDownOnSignal } from "@creditgate/core";
import { createManualClock } from "@creditgate/core/testing";
import { describe, expect, it, vi } from "vitest";
import { systemClock } from "../src/values/clock.ts";
import { pending } from "./service.ts";

/** A process, a server and a gate that write down what happens to them. */
function application(options: Partial<ShutdownOptions> = {}) {
  const clock = createManualClock();
  const listeners = new Map<string, () => void>();
  const happened: string[] = [];
  const requests = pending<void>();
  const stop = shutDownOnSignal({
    process: {
      on: (signal, listener) => listeners.set(signal, listener),
      off: (signal) => listeners.delete(signal),
      exit: () => happened.push("exit"),
    },
    server: {
      close(closed) {
        happened.push("server.close");
        requests.promise.then(closed);
      },
      closeIdleConnections: () => happened.push("closeIdleConnections"),
      closeAllConnections: () => happened.push("closeAllConnections"),
    },
    gate: {
      async close({ graceMs } = {}) {
        happened.push(`gate.close ${graceMs}`);
        return { queued: 3, parked: 0, dead: 0, open: 0, undelivered: [] };
      },
    },
    onClosed: ({ queued }) => void happened.push(`${queued} left`),
    clock,
    ...options,
  });
  const signal = (name = "SIGTERM") => listeners.get(name)?.();
  return { clock, happened, listeners, requests, signal, stop };
}

describe("shutDownOnSignal", () => {
  it.each(["SIGTERM", "SIGINT"])(
    "on %s stops accepting, lets requests end, closes the gate, exits",
    async (name) => {
      const it = application();
      it.signal(name);
      await it.clock.advance(5_000);
      expect(it.happened).toEqual(["server.close", "closeIdleConnections"]);
      it.requests.resolve();
      await it.clock.advance(0);
      expect(it.happened.slice(2)).toEqual(["gate.close 10000", "3 left", "exit"]);
    },
  );

  it("breaks off requests that take too long, before the gate closes", async () => {
    const it = application({ requestGraceMs: 1_000, deliveryGraceMs: 500 });
    it.signal();
    await it.clock.advance(999);
    expect(it.happened).toHaveLength(2);
    await it.clock.advance(1);
    expect(it.happened.slice(2)).toEqual(["closeAllConnections", "gate.close 500", "3 left", "exit"]);
  });

  it("takes a second signal for the first", async () => {
    const it = application();
    it.signal("SIGINT");
    it.signal("SIGTERM");
    it.requests.resolve();
    await it.clock.advance(0);
    expect(it.happened.filter((what) => what === "server.close" || what === "exit")).toHaveLength(2);
  });

  it("exits though something fails, and tells", async () => {
    const errors: unknown[] = [];
    const error = new Error("disk full");
    const it = application({
      gate: { close: () => Promise.reject(error) },
      onError: (what) => errors.push(what),
    });
    it.requests.resolve();
    it.signal();
    await it.clock.advance(0);
    expect(errors).toEqual([error]);
    expect(it.happened.at(-1)).toBe("exit");
  });

  it("listens only when asked, and until told not to", () => {
    const it = application();
    expect([...it.listeners.keys()]).toEqual(["SIGTERM", "SIGINT"]);
    it.stop();
    expect(it.listeners.size).toBe(0);
    expect(it.happened).toEqual([]);
  });

  it.each([
    ["process", { process: {} }],
    ["server", { server: undefined }],
    ["gate", { gate: {} }],
    ["requestGraceMs", { requestGraceMs: -1 }],
    ["onClosed", { onClosed: 5 }],
  ])("refuses a bad %s", (option, options) => {
    expect(() => application(options as never)).toThrow(`${option}: expected`);
  });
});

/** A server of Node's, and requests to it on connections that are kept alive. */
async function listening(answer: RequestListener, maxSockets: number) {
  const server = createServer(answer);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets });
  const begin = () =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const request = get({ host: "127.0.0.1", port, agent }, resolve);
      request.once("error", () => reject(new Error(request.reusedSocket ? "cut" : "not taken")));
    });
  const ask = async () => {
    const response = await begin();
    await once(response.resume(), "end");
    return response.headers.connection;
  };
  return { server, begin, ask };
}

describe("shutDownOnSignal with a server of Node's", () => {
  it("cuts no request of a busy connection: its next answer ends it, and says so", async () => {
    const { server, ask } = await listening((_, response) => void setImmediate(() => response.end("ok")), 8);
    const errors: unknown[] = [];
    let answered = 0;
    const closed = pending<void>();
    const it = application({ server, clock: systemClock, onClosed: () => closed.resolve() });
    const said: (string | undefined)[] = [];
    const loop = async () => {
      for (;;) {
        try {
          said.push(await ask());
        } catch (error) {
          errors.push(error);
          return;
        }
        if (++answered === 200) it.signal();
      }
    };
    await Promise.all(Array.from({ length: 8 }, loop));
    // What the kernel has queued for a port that closes never was the server's.
    expect(errors).toEqual(Array.from({ length: 8 }, () => new Error("not taken")));
    expect(said[0]).toBe("keep-alive");
    expect(said.at(-1)).toBe("close");
    await closed.promise;
  });

  it("answers one more on a connection whose answer was under way, and ends it when it is idle", async () => {
    const last = pending<void>();
    const { server, begin, ask } = await listening(async (_, response) => {
      response.write("first,");
      await last.promise;
      response.end("last");
    }, 1);
    const it = application({ server });
    const streamed = await begin();
    it.signal();
    await it.clock.advance(500);
    expect(server.listening).toBe(false);
    last.resolve();
    await once(streamed.resume(), "end");
    expect(await ask()).toBe("close");
    await vi.waitFor(() => expect(it.happened.at(-1)).toBe("exit"), { timeout: 30_000 });
  });

  it("ends an idle connection whose answer was under way", async () => {
    const last = pending<void>();
    const ended = pending<void>();
    const { server, begin } = await listening(async (_, response) => {
      response.once("close", () => ended.resolve());
      response.write("first,");
      await last.promise;
      response.end("last");
    }, 1);
    const it = application({ server });
    const streamed = await begin();
    it.signal();
    await it.clock.advance(500);
    last.resolve();
    await once(streamed.resume(), "end");
    await ended.promise;
    await it.clock.advance(500);
    await vi.waitFor(() => expect(it.happened.at(-1)).toBe("exit"), { timeout: 30_000 });
  });
});
