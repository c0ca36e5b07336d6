import type { ModelCall } from "./model-call.ts";

/** What sees the chunks of a stream as they pass. */
export interface StreamWatch<T> {
  /** The chunks that go on in place of this one. Never throws. */
  see(chunk: T): readonly T[];
  /** The chunks that have been held back, at the end. Never throws. */
  rest(): readonly T[];
  /** Whether to read on before the caller asks. Never throws. @default not */
  ahead?(): boolean;
}

/**
 * The same stream. Each chunk is read on demand, or ahead if the watch allows it. The call ends with the stream: at
 * its end, by an error, when the caller cancels it, or when the call's signal fires. If a drain is set, the source is
 * then read on in the background.
 */
export function watchedStream<T>(
  source: ReadableStream<T>,
  call: ModelCall,
  watch: StreamWatch<T>,
): ReadableStream<T> {
  const reader = source.getReader();
  let left = false;

  const next = async (): Promise<{ readonly chunks: readonly T[]; readonly done: boolean }> => {
    const { done, value } = await reader.read();
    if (!done) return { chunks: watch.see(value), done };
    const chunks = watch.rest();
    call.end(left ? "aborted" : "finished");
    call.detach();
    return { chunks, done };
  };

  const drain = async (bounds: { readonly ms: number; readonly tokens: number }): Promise<void> => {
    // Also where the work is billed meanwhile: what is written after that would be free.
    call.onOver(() => {
      call.stop(undefined);
      reader.cancel().catch(() => {});
    });
    call.schedule(bounds.ms, () => call.end("aborted"));
    let { pieces } = call;
    let tokens = 0;
    try {
      while (!call.over && tokens <= bounds.tokens) {
        if ((await next()).done) return;
        tokens += call.tokensSince(pieces);
        pieces = call.pieces;
      }
    } catch {
      // The provider has failed: there is no more to learn.
    }
    call.end("aborted");
  };

  /** The caller takes nothing any more. Whether the source is to be stopped. */
  const leave = (): boolean => {
    left = true;
    if (call.drain !== undefined && !call.over) {
      void drain(call.drain);
      return false;
    }
    call.end("aborted");
    call.detach();
    return true;
  };

  /** Passes on what comes next. Whether there may be more. */
  const step = async (controller: ReadableStreamDefaultController<T>): Promise<boolean> => {
    try {
      for (;;) {
        const { chunks, done } = await next();
        if (left) return false;
        for (const chunk of chunks) controller.enqueue(chunk);
        if (done) controller.close();
        if (done || chunks.length > 0) return !done;
      }
    } catch (error) {
      call.end(call.signal.aborted ? "aborted" : "failed");
      call.detach();
      if (!left) controller.error(error);
      return false;
    }
  };

  /** Whether there may be more. */
  const readAhead = async (controller: ReadableStreamDefaultController<T>): Promise<boolean> => {
    while (watch.ahead?.()) if (!(await step(controller))) return false;
    return true;
  };
  let ahead = Promise.resolve(true);

  return new ReadableStream<T>(
    {
      start(controller) {
        const abort = (reason: unknown) => {
          if (left) return;
          if (leave()) call.stop(reason);
          controller.error(reason);
        };
        call.onLeave(abort);
        if (call.signal.aborted) abort(call.signal.reason);
        else ahead = readAhead(controller);
      },
      async pull(controller) {
        if (await ahead) await step(controller);
      },
      cancel: (reason) => (leave() ? reader.cancel(reason) : undefined),
    },
    { highWaterMark: 0 },
  );
}
