import type { Admission, Ending } from "./admission.ts";
import type { Charge, WaitUntil } from "./charge.ts";
import type { Awaitable } from "./ledger.ts";

/** A web request on its way through the gate. */
export interface GatedRequest {
  readonly request: Request;
  /** What the gate will say to it. */
  readonly admission: Promise<Admission>;
  /** Takes the promise of all that goes on behind the response, before any of it begins. */
  readonly waitUntil?: WaitUntil | undefined;
}

/**
 * The life of a web request, for adapters to translate: answers with the denial, else with what the handler answers, as
 * it is. Its body is read when the client reads and no sooner, and is cancelled when the client leaves. The work is
 * settled once the handler has returned and the body has ended, has failed or has been cancelled. A client that leaves
 * while the gate decides is not served. Rejects with what a resolver or the handler throws.
 */
export async function gatedResponse(
  { request, admission: deciding, waitUntil }: GatedRequest,
  handle: (credits: Charge) => Awaitable<Response>,
): Promise<Response> {
  const { signal } = request;
  let end: (ending: Ending) => void = () => {};
  const over = new Promise<Ending>((resolve) => {
    end = resolve;
  });
  // Told before anything is awaited: some runtimes forget a request whose client has left, and its hold with it.
  const settled = settle(deciding, over);
  waitUntil?.(settled);
  const admission = await deciding;
  if (!admission.admitted) return admission.toResponse(request);
  if (signal.aborted) {
    admission.credits.release();
    end("aborted");
    return new Response(null, { status: 499 });
  }
  try {
    const response = await handle(admission.credits);
    const ending = response.status < 400 ? "completed" : "failed";
    const { body } = response;
    // Nobody reads the body of an answer to HEAD, nor tells that it is over.
    if (!signal.aborted && body !== null && request.method !== "HEAD") {
      const watched = watch(body, signal, (how) => end(how === "completed" ? ending : how));
      return new Response(watched, response);
    }
    end(signal.aborted ? "aborted" : ending);
    return response;
  } catch (error) {
    end(signal.aborted ? "aborted" : "failed");
    throw error;
  }
}

async function settle(deciding: Promise<Admission>, over: Promise<Ending>): Promise<void> {
  try {
    const admission = await deciding;
    if (admission.admitted) await admission.end(await over);
  } catch {
    // A resolver's error is the framework's; of the rest the gate's events tell.
  }
}

/** The same bytes, each read when it is asked for, and how that ended. */
function watch(body: ReadableStream, signal: AbortSignal, end: (ending: Ending) => void): ReadableStream {
  const reader = body.getReader();
  let left = false;
  /** What the source reports while it is being cancelled still counts. */
  async function leave(reason: unknown): Promise<void> {
    left = true;
    signal.removeEventListener("abort", abort);
    try {
      await reader.cancel(reason);
    } finally {
      end("aborted");
    }
  }
  let abort = () => {};
  return new ReadableStream(
    {
      start(controller) {
        abort = () => {
          controller.error(signal.reason);
          leave(signal.reason).catch(() => {});
        };
        signal.addEventListener("abort", abort);
      },
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (left) return;
          if (!done) return controller.enqueue(value);
          controller.close();
          end("completed");
        } catch (error) {
          if (!left) controller.error(error);
          end("failed");
        }
        signal.removeEventListener("abort", abort);
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );
}
