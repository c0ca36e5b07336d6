import { type ShutdownOptions, shutDownOnSignal } from "@creditgate/core";
import { createManualClock } from "@creditgate/core/testing";
import { describe, expect, it } from "vitest";
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
