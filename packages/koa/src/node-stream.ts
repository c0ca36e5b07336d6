import { Readable } from "node:stream";

/** A stream of the web as one of Node: Koa destroys that at once when its client leaves, and waits for what it reads from the other. */
export function nodeStream(body: ReadableStream): Readable {
  const reader = body.getReader();
  return new Readable({
    async read() {
      try {
        const { done, value } = await reader.read();
        if (!this.destroyed) this.push(done ? null : value);
      } catch (error) {
        this.destroy(error instanceof Error ? error : new Error("the stream failed", { cause: error }));
      }
    },
    async destroy(error, destroyed) {
      // Koa hears of a reset first. What is reported while the stream is cancelled is of a client that is known to have left.
      await null;
      await reader.cancel(error).catch(() => {});
      destroyed(error);
    },
  });
}

/** Destroys it. Resolves when it has closed, which a stream does when what it reads from has been told. */
export function destroyed(stream: Readable): Promise<void> {
  return new Promise((resolve) => {
    if (stream.closed) return resolve();
    stream.once("close", resolve);
    // Of a client that has left, no error is told.
    stream.once("error", () => {});
    stream.destroy();
  });
}
