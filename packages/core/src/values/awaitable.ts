/** A value, or the promise of one: memory answers at once, a shared store does not. */
export type Awaitable<T> = T | Promise<T>;

/** What comes next: at once where there is nothing to wait for. */
export function andThen<T, Next>(value: Awaitable<T>, next: (value: T) => Awaitable<Next>): Awaitable<Next> {
  return isThenable(value) ? Promise.resolve(value).then(next) : next(value);
}

/** Not all promises are instances of `Promise`: some are of another realm, and those of Prisma begin when someone asks. */
export function isThenable<T>(value: Awaitable<T>): value is Promise<T> {
  return typeof value === "object" && value !== null && "then" in value;
}

/** What a step comes to; one that throws rejects, so that there is one way to fail, and one kind of promise. */
export function attempt<T>(step: () => Awaitable<T>): Awaitable<T> {
  try {
    const value = step();
    return isThenable(value) ? Promise.resolve(value) : value;
  } catch (error) {
    return Promise.reject(error);
  }
}

/** Lets promises settle for this many rounds, without a macrotask: for chains that are known to be shorter. */
export async function microtasks(rounds: number): Promise<undefined> {
  for (let round = 0; round < rounds; round++) await undefined;
}

let last: { readonly promise: Promise<unknown>; readonly value: unknown } | undefined;

/** A promise of what may be there already: {@link atOnce} does not wait for it. */
export function promiseOf<T>(value: Awaitable<T>): Promise<T> {
  const promise = Promise.resolve(value);
  if (!isThenable(value)) last = { promise, value };
  return promise;
}

/** What comes next: in the same turn where the promise is the last that {@link promiseOf} has made, of a value. It rejects where `next` throws. */
export function atOnce<T, Next>(promise: Promise<T>, next: (value: T) => Awaitable<Next>): Awaitable<Next> {
  if (promise !== last?.promise) return andThen(promise, next);
  const { value } = last;
  last = undefined;
  return attempt(() => next(value as T));
}
