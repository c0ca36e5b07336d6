import type { ModelCall } from "./model-call.ts";

/** What sees the chunks of a stream as they pass. */
export interface StreamWatch<T> {
  /** What goes on in place of this chunk; `undefined` for nothing yet. Never throws. */
  see(chunk: T): T | undefined;
  /** What has been held back, at the end. Never throws. */
  rest(): T | undefined;
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
  let isOver = false;

  const next = async (): Promise<ReadableStreamReadResult<T>> => {
    while (!isOver) {
      const read = await reader.read();
      if (!read.done) {
        const value = watch.see(read.value);
        if (value === read.value) return read;
        if (value !== undefined) return { done: false, value };
        continue;
      }
      isOver = true;
      const value = watch.rest();
      call.end(left ? "aborted" : "finished");
      call.detach();
      if (value !== undefined) return { done: false, value };
    }
    return { done: true, value: undefined };
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
        call.catchUp();
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
    call.catchUp();
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
      const { done, value } = await next();
      if (left) return false;
      if (done) controller.close();
      else controller.enqueue(value);
      return !done;
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
  let ahead: Promise<boolean> | undefined;

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
        else if (watch.ahead !== undefined) ahead = readAhead(controller);
      },
      async pull(controller) {
        if (ahead === undefined || (await ahead)) await step(controller);
      },
      cancel: (reason) => (leave() ? reader.cancel(reason) : undefined),
    },
    { highWaterMark: 0 },
  );
}
