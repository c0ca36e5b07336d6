// What tRPC takes for values that come later.

export function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

export function isPromise(value: unknown): value is Promise<unknown> {
  const { then, catch: fail } = Object(value);
  return typeof then === "function" && typeof fail === "function";
}

export function isLater(value: unknown): boolean {
  return isAsyncIterable(value) || isPromise(value);
}

/** An object whose own values tRPC looks at. */
export function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
