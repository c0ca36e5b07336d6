import type { Admission, Ending } from "./admission.ts";
import type { Charge, WaitUntil } from "./charge.ts";
import { systemClock, within } from "./clock.ts";
import type { Awaitable } from "./ledger.ts";
import { invalidOption } from "./option.ts";

/** A stream that is not cancelled by then is billed as it stands. */
const cancelTimeoutMs = 10_000;

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
 * while the gate decides is not served. Rejects with what a resolver or the handler throws, and with an `invalid_option`
 * error where the handler's answer is no response, or one whose body has been read.
 */
export async function gatedResponse(
  { request, admission: deciding, waitUntil }: GatedRequest,
  handle: (credits: Charge) => Awaitable<Response>,
): Promise<Response> {
  const { signal } = request;
  let close: (ending: Ending) => void = () => {};
  const over = new Promise<Ending>((resolve) => {
    close = resolve;
  });
  const end = (ending: Ending) => close(signal.aborted ? "aborted" : ending);
  const settled = deciding
    .then((admission) => (admission.admitted ? over.then((ending) => admission.end(ending)) : undefined))
    // A resolver's error is the framework's; of the rest the gate's events tell.
    .catch(() => {});
  try {
    // Told before anything is awaited: some runtimes forget a request whose client has left, and its hold with it.
    waitUntil?.(settled);
  } catch {
    // The billing of this work will meet the same error, and tell.
  }
  const admission = await deciding;
  if (!admission.admitted) return admission.toResponse(request);
  if (signal.aborted) {
    admission.credits.release();
    end("aborted");
    return new Response(null, { status: 499 });
  }
  try {
    const response = await handle(admission.credits);
    if (typeof response?.status !== "number" || response.bodyUsed) {
      invalidOption("handler", "a Response, unread", response);
    }
    const { body, status } = response;
    // The status of a network error is 0.
    const ending = status && status < 400 ? "completed" : "failed";
    // Nobody reads the body of an answer to HEAD, nor tells that it is over.
    if (body && request.method !== "HEAD") return new Response(watch(body, signal, ending, end), response);
    end(ending);
    return response;
  } catch (error) {
    end("failed");
    throw error;
  }
}

/** The same bytes, each read when it is asked for. Tells how that ended: as `ending` says if it came to its end. */
function watch(
  body: ReadableStream,
  signal: AbortSignal,
  ending: Ending,
  end: (ending: Ending) => void,
): ReadableStream {
  const reader = body.getReader();
  let left = false;
  let watched: ReadableStreamDefaultController;
  const abort = () => {
    watched.error(signal.reason);
    leave(signal.reason).catch(() => {});
  };
  /** What the source reports while it is being cancelled still counts. */
  const leave = (reason: unknown) => {
    left = true;
    signal.removeEventListener("abort", abort);
    // A branch of a tee, such as a clone, is cancelled only once the other one is, and that may be never.
    return within(reader.cancel(reason), cancelTimeoutMs, systemClock).finally(() => end("aborted"));
  };
  return new ReadableStream(
    {
      start(controller) {
        watched = controller;
        if (signal.aborted) abort();
        else signal.addEventListener("abort", abort);
      },
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
          controller.close();
          end(ending);
        } catch (error) {
          // What was left takes nothing more, or its source has failed of the same abort: `leave` tells when it is over.
          if (left) return;
          controller.error(error);
          end("failed");
        }
        signal.removeEventListener("abort", abort);
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );
}
