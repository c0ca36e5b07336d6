import type { Readable } from "node:stream";

/**
 * Reads a stream of Node chunk by chunk: `undefined` at its end, and an error where it breaks off. Of what is here already it listens to
 * nothing, which is quicker than the stream's iterator and counts in the first token of an answer.
 */
export function chunkReader(stream: Readable): () => Promise<Uint8Array<ArrayBuffer> | undefined> {
  let wake: (() => void) | undefined;
  const listen = () => {
    const news = () => wake?.();
    stream.on("readable", news).on("end", news).on("error", news).on("close", news);
  };
  return async () => {
    for (;;) {
      const chunk = stream.destroyed ? null : stream.read();
      if (chunk !== null) return chunk;
      if (stream.readableEnded) return undefined;
      if (stream.destroyed) throw stream.errored ?? new Error("the stream broke off");
      if (wake === undefined) listen();
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
}
