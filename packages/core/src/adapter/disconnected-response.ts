/** The members of Node's `ServerResponse` that are replaced after a disconnect. */
export interface DisconnectedResponse {
  readonly writableEnded: boolean;
  readonly socket: { readonly destroyed: boolean } | null;
  /** What Node has not been able to write, with the callbacks that it then never calls. */
  readonly outputData?: readonly { readonly callback?: unknown }[];
  write(...chunk: never): unknown;
  flushHeaders(): unknown;
  end(...answer: never): unknown;
  emit(event: "drain"): unknown;
}

/**
 * Keeps handlers from waiting for a response after a disconnect. Node then returns `false` from each `write()`, never
 * emits `drain`, and drops callbacks. Here `write()` returns `true` and fails its callback, and handlers that already
 * wait are resumed. `ended` resolves when `end()` has been called, for which Node emits no event. Then, or by
 * `restore()`, the methods are put back.
 */
export function disconnectedResponse(response: DisconnectedResponse): {
  readonly ended: Promise<void>;
  restore(): void;
} {
  if (response.writableEnded) return { ended: Promise.resolve(), restore() {} };
  const pending = [...(response.outputData ?? [])];
  const restoreWrite = sinkWrites(response, () => true);
  let restoreEnd = () => {};
  const ended = new Promise<void>((resolve) => {
    restoreEnd = exchange(
      response,
      "end",
      (end) =>
        function (this: unknown, ...answer: readonly unknown[]) {
          restore();
          resolve();
          return Reflect.apply(end, this, answer);
        },
    );
  });
  const restore = () => {
    restoreWrite();
    restoreEnd();
  };
  for (const { callback } of pending) fail(callback);
  response.emit("drain");
  return { ended, restore };
}

/**
 * Between the end of its connection and its `close` Node drops the callback of a `write()`, so that a handler that awaits it
 * never ends. The returned function undoes this.
 */
export function keepCallbacks(response: DisconnectedResponse): () => void {
  return sinkWrites(response, () => response.socket?.destroyed === true);
}

/**
 * Calls `onStream` when an answer that has no body is written in parts, which nobody receives. What `end()` is given over HTTP/2
 * goes through `write()` too, and is no part. The returned function undoes this.
 */
export function whenStreamed(
  response: DisconnectedResponse,
  isBodiless: () => boolean,
  onStream: () => void,
): () => void {
  const restores = (["write", "flushHeaders"] as const).map((name) =>
    exchange(
      response,
      name,
      (method) =>
        function (this: unknown, ...values: readonly unknown[]) {
          if (isBodiless()) queueMicrotask(() => !response.writableEnded && onStream());
          return Reflect.apply(method, this, values);
        },
    ),
  );
  return () => {
    for (const restore of restores) restore();
  };
}

function sinkWrites(response: DisconnectedResponse, isGone: () => boolean): () => void {
  return exchange(
    response,
    "write",
    (write) =>
      function (this: unknown, ...chunk: readonly unknown[]) {
        if (!isGone()) return Reflect.apply(write, this, chunk);
        fail(chunk.findLast((argument) => typeof argument === "function"));
        return true;
      },
  );
}

/** As Node fails what is written to a response that has been destroyed: a handler that awaits it stops. */
function fail(callback: unknown): void {
  if (typeof callback !== "function") return;
  const error = Object.assign(new Error("The client has disconnected, so nothing can be written"), {
    code: "ERR_STREAM_DESTROYED",
  });
  queueMicrotask(() => callback(error));
}

type Method = (...values: never) => unknown;

/** Puts another method in place of this one. The returned function puts it back, unless it has been wrapped since. */
function exchange<Name extends "write" | "end" | "flushHeaders">(
  response: DisconnectedResponse,
  name: Name,
  make: (before: DisconnectedResponse[Name]) => (this: unknown, ...values: readonly unknown[]) => unknown,
): () => void {
  const own = Object.getOwnPropertyDescriptor(response, name);
  const value: Method = make(response[name]);
  Object.defineProperty(response, name, { value, configurable: true, writable: true, enumerable: true });
  return () => {
    if (response[name] !== value) return;
    if (own === undefined) Reflect.deleteProperty(response, name);
    else Object.defineProperty(response, name, own);
  };
}
