/** As much of Node's `ServerResponse` as is exchanged when its client has left. */
export interface LeftResponse {
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
 * Lets no handler wait for a response whose client has left: Node answers `false` to each `write()` from here
 * on, never emits `drain`, and forgets callbacks. `write()` answers `true` and fails its callback; what waits already is
 * told. Resolves when `end()` has been called, which Node says by no event; then, or by `restore()`, all is as before.
 */
export function leftResponse(response: LeftResponse): {
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
export function keepCallbacks(response: LeftResponse): () => void {
  return sinkWrites(response, () => response.socket?.destroyed === true);
}

/**
 * Calls `onStream` when an answer goes out in parts, which nobody receives if it has no body. That of HTTP/2 writes what `end()` is
 * given by `write()`, which is no part. The returned function undoes this.
 */
export function whenStreamed(response: LeftResponse, onStream: () => void): () => void {
  const restores = (["write", "flushHeaders"] as const).map((name) =>
    exchange(
      response,
      name,
      (method) =>
        function (this: unknown, ...values: readonly unknown[]) {
          queueMicrotask(() => !response.writableEnded && onStream());
          return Reflect.apply(method, this, values);
        },
    ),
  );
  return () => {
    for (const restore of restores) restore();
  };
}

function sinkWrites(response: LeftResponse, isGone: () => boolean): () => void {
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
  const error = Object.assign(new Error("The client has left, so nothing can be written"), {
    code: "ERR_STREAM_DESTROYED",
  });
  queueMicrotask(() => callback(error));
}

type Method = (...values: never) => unknown;

/** Puts another method in place of this one. The returned function puts it back, unless it has been wrapped since. */
function exchange<Name extends "write" | "end" | "flushHeaders">(
  response: LeftResponse,
  name: Name,
  make: (before: LeftResponse[Name]) => (this: unknown, ...values: readonly unknown[]) => unknown,
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
