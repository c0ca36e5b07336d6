import type { CloseOutcome, Gate } from "../gate/gate.ts";
import type { Awaitable } from "../values/awaitable.ts";
import { type Clock, systemClock, within } from "../values/clock.ts";
import { checkFunction, checkNumber, checkShape, day } from "../values/option.ts";
import { type ClosableServer, ServerDrain } from "./server-drain.ts";

/** The part of Node's `process` that is used here. */
export interface SignalledProcess {
  on(signal: "SIGINT" | "SIGTERM", listener: () => void): unknown;
  off(signal: "SIGINT" | "SIGTERM", listener: () => void): unknown;
  /** Ends with `exitCode`. */
  exit(): unknown;
}

/** Options of {@link shutDownOnSignal}. Times are milliseconds; together they must be less than what the platform waits. */
export interface ShutdownOptions {
  /** Node's `process`: its SIGTERM and SIGINT are listened to. */
  readonly process: SignalledProcess;
  readonly server: ClosableServer;
  readonly gate: Pick<Gate, "close">;
  /** Requests may go on for so long, then they are broken off. @default 15_000 */
  readonly requestGraceMs?: number;
  /** The gate may deliver for so long. @default 10_000 */
  readonly deliveryGraceMs?: number;
  /** The last thing before the exit, with what could not be delivered: for closing the outbox, or for setting an exit code. */
  readonly onClosed?: (left: CloseOutcome) => Awaitable<void>;
  /** Called with each error on the way. The process exits all the same. @default console.error */
  readonly onError?: (error: unknown) => void;
  /** Time, for tests. @default the monotonic clock of the machine */
  readonly clock?: Clock;
}

/**
 * Shuts an application down on the first SIGTERM or SIGINT, in the order that loses nothing. Each response closes its
 * connection. New connections are refused after half a second. Then the requests in flight end, the gate delivers
 * what it can and leaves the remainder in its outbox, and the process exits. Later signals change nothing, since they
 * often come twice. Returns the function that removes the listeners. Throws an `invalid_option` error.
 */
export function shutDownOnSignal(options: ShutdownOptions): () => void {
  const { process, server } = options;
  checkShape("process", process, "the process of Node", ["on", "off", "exit"]);
  checkShape("server", server, "an HTTP server of Node", [
    "close",
    "closeIdleConnections",
    "closeAllConnections",
  ]);
  checkShape("gate", options.gate, "a gate, as createGate() makes it", ["close"]);
  const steps = {
    ...options,
    requestGraceMs: checkNumber("requestGraceMs", options.requestGraceMs ?? 15_000, 0, day),
    deliveryGraceMs: checkNumber("deliveryGraceMs", options.deliveryGraceMs ?? 10_000, 0, day),
    onClosed: checkFunction("onClosed", options.onClosed ?? (() => {})),
    onError: checkFunction("onError", options.onError ?? console.error),
    clock: options.clock ?? systemClock,
  };
  const drain = new ServerDrain(server, steps.clock);
  let begun = false;
  const listener = () => {
    if (begun) return;
    begun = true;
    void shutDown(steps, drain);
  };
  process.on("SIGTERM", listener);
  process.on("SIGINT", listener);
  return () => {
    process.off("SIGTERM", listener);
    process.off("SIGINT", listener);
    drain.stop();
  };
}

async function shutDown(options: Required<ShutdownOptions>, drain: ServerDrain): Promise<void> {
  const { process, server, gate, requestGraceMs, deliveryGraceMs, onClosed, onError, clock } = options;
  try {
    // A request that is broken off is settled as aborted, which the gate waits for.
    if ((await within(drain.close(requestGraceMs), requestGraceMs, clock)) === undefined)
      server.closeAllConnections();
    await onClosed(await gate.close({ graceMs: deliveryGraceMs }));
  } catch (error) {
    onError(error);
  }
  process.exit();
}
