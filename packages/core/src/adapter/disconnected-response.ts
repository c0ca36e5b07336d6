type Method = (...values: never) => unknown;

/** The members of Node's `ServerResponse` that are replaced while work goes on, and after a disconnect. */
export interface DisconnectedResponse {
  readonly writableEnded: boolean;
  /** What Node has not been able to write, with the callbacks that it then never calls. */
  readonly outputData?: readonly { readonly callback?: unknown }[];
  write: Method;
  flushHeaders: Method;
  end: Method;
  emit(event: "drain"): unknown;
}

interface WriteWatch {
  /** The client has disconnected: nothing can be written any more. */
  isGone(): boolean;
  /** The client receives headers alone, whatever is written. */
  isBodiless(): boolean;
  /** An answer that has no body is written in parts, which nobody receives. */
  onStream(): void;
}

/**
 * Watches what is written from now on. After a disconnect Node returns `false` from each `write()`, never emits `drain`, and
 * drops callbacks, so that a handler which awaits them never ends. Here `write()` returns `true` then, and fails its callback.
 */
export function watchWrites(
  response: DisconnectedResponse,
  { isGone, isBodiless, onStream }: WriteWatch,
): void {
  // What `end()` is given over HTTP/2 goes through `write()` too, and is no part.
  const streams = () => {
    if (isBodiless()) queueMicrotask(() => !response.writableEnded && onStream());
  };
  const { write, flushHeaders } = response;
  // Never taken back: a response that has lost a property is slow from then on. Other middleware may have made one read-only.
  Reflect.set(response, "write", function (this: unknown, ...chunk: readonly unknown[]) {
    if (isGone()) {
      fail(chunk.findLast((argument) => typeof argument === "function"));
      return true;
    }
    streams();
    return Reflect.apply(write, this, chunk);
  });
  Reflect.set(response, "flushHeaders", function (this: unknown) {
    streams();
    return Reflect.apply(flushHeaders, this, []);
  });
}

/** The client has disconnected: handlers that already wait to write are resumed. */
export function resumeWriters(response: DisconnectedResponse): void {
  if (response.writableEnded) return;
  for (const { callback } of [...(response.outputData ?? [])]) fail(callback);
  response.emit("drain");
}

/** Calls `onEnd` when `end()` has been called, for which Node emits no event after a disconnect. */
export function whenEnded(response: DisconnectedResponse, onEnd: () => void): void {
  if (response.writableEnded) queueMicrotask(onEnd);
  const { end } = response;
  Reflect.set(response, "end", function (this: unknown, ...answer: readonly unknown[]) {
    queueMicrotask(onEnd);
    return Reflect.apply(end, this, answer);
  });
}

/** As Node fails what is written to a response that has been destroyed: a handler that awaits it stops. */
function fail(callback: unknown): void {
  if (typeof callback !== "function") return;
  const error = Object.assign(new Error("The client has disconnected, so nothing can be written"), {
    code: "ERR_STREAM_DESTROYED",
  });
  queueMicrotask(() => callback(error));
}
