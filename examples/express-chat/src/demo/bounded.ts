/** Waits for the promise, but neither beyond `withinMs` nor beyond the signal: then it throws an error that names `what`. */
export async function bounded<T>(
  promise: Promise<T>,
  { what, withinMs, signal }: { what: string; withinMs: number; signal?: AbortSignal },
): Promise<T> {
  let settle = (): void => {};
  const cut = new Promise<never>((_, reject) => {
    const late = new Error(`${what}: expected within ${withinMs / 1000} s, received nothing`);
    const timer = setTimeout(() => reject(late), withinMs);
    const interrupt = () => reject(signal?.reason);
    settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", interrupt);
    };
    signal?.addEventListener("abort", interrupt, { once: true });
    if (signal?.aborted) interrupt();
  });
  try {
    return await Promise.race([promise, cut]);
  } finally {
    settle();
  }
}
