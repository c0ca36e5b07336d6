import type { Charge } from "../charge/charge.ts";
import type { WaitUntil } from "../decision/authorize-request.ts";
import type { HeadedRequest } from "../denial/response.ts";
import type { Awaitable } from "../values/awaitable.ts";
import { invalidOption } from "../values/option.ts";
import type { Admission } from "./admission.ts";
import type { Ending } from "./ending.ts";

/** A web request on its way through the gate. */
export interface GatedRequest {
  /** A `Request`, or as much of one as is read here. */
  readonly request: Pick<Request, "method" | "signal"> & HeadedRequest;
  /** What the gate will say to it. */
  readonly admission: Promise<Admission>;
  /** Takes the promise of all that goes on behind the response, before any of it begins. */
  readonly waitUntil?: WaitUntil | undefined;
}

/**
 * The life of a web request, for adapters to translate: answers with the denial, else with what the handler answers, as
 * it is. Its body is read when the client reads and no sooner, and is cancelled when the client leaves. The work is
 * settled once the handler has returned and the body has ended or has failed. When the client leaves `credits.signal`
 * fires at once; the work is settled once the handler has returned, and where it returns a body when `left()` of an
 * admission says so, since a cancelled body shows little. An answer to HEAD is without its body: where nothing has been
 * reported, its client counts as one that has left. A client that leaves while the gate decides is not served. Rejects
 * with what a resolver or the handler throws, and with an `invalid_option` error where the handler's answer is no
 * response, or one whose body has been read.
 */
export async function gatedResponse(
  { request, admission: deciding, waitUntil }: GatedRequest,
  handle: (credits: Charge) => Awaitable<Response>,
): Promise<Response> {
  const { signal } = request;
  let close: (ending: Ending) => void = () => {};
  const ended = new Promise<Ending>((resolve) => {
    close = resolve;
  });
  const settled = deciding
    .then((admission) => (admission.admitted ? ended.then((ending) => admission.end(ending)) : undefined))
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
  const { credits } = admission;
  if (signal.aborted) {
    credits.release();
    close("aborted");
    return new Response(null, { status: 499 });
  }
  // Not called before the listener is there: the client may leave within its first step.
  const handling = Promise.resolve(credits).then(handle);
  const abort = () => close("aborted");
  let cancelled = () => {};
  const cancelling = new Promise<void>((resolve) => {
    cancelled = resolve;
  });
  const leave = () => admission.left(handling, cancelling).then(abort, abort);
  const end = (ending: Ending) => {
    signal.removeEventListener("abort", leave);
    close(signal.aborted ? "aborted" : ending);
  };
  signal.addEventListener("abort", leave);
  try {
    const response = await handling;
    if (typeof response?.status !== "number" || response.bodyUsed) {
      invalidOption("handler", "a Response, unread", response);
    }
    const { body, status } = response;
    // The status of a network error is 0.
    const ending = status && status < 400 ? "completed" : "failed";
    if (body) signal.removeEventListener("abort", leave);
    if (body && request.method === "HEAD") {
      const done = ending === "failed" || !credits.open || credits.reported.length > 0;
      if (done) end(ending);
      else leave();
      body.cancel().then(cancelled, cancelled);
      return new Response(null, response);
    }
    if (body) {
      return new Response(watch(body, { signal, ending, leave, cancelled, end }), response);
    }
    end(ending);
    return response;
  } catch (error) {
    end("failed");
    throw error;
  }
}

interface Watch {
  readonly signal: AbortSignal;
  /** How the work ends if the body comes to its end. */
  readonly ending: Ending;
  /** The client has left. Resolves when the work is billed. */
  leave(): Promise<void>;
  /** The source has been cancelled, which says little about what fills it. */
  cancelled(): void;
  end(ending: Ending): void;
}

/** The same bytes, each read when it is asked for. Tells when the client leaves, and how the body ended. */
function watch(body: ReadableStream, { signal, ending, leave, cancelled, end }: Watch): ReadableStream {
  const reader = body.getReader();
  let left = false;
  let watched: ReadableStreamDefaultController;
  const abort = () => {
    watched.error(signal.reason);
    cancel(signal.reason).catch(() => {});
  };
  /** What the source reports while it is being cancelled still counts. */
  const cancel = (reason: unknown) => {
    left = true;
    signal.removeEventListener("abort", abort);
    // A branch of a tee, such as a clone, is cancelled only once the other one is, and that may be never.
    return Promise.race([leave(), reader.cancel(reason).finally(cancelled)]);
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
          // What was left takes nothing more, or its source has failed of the same abort: `cancel` tells when it is over.
          if (left) return;
          controller.error(error);
          end("failed");
        }
        signal.removeEventListener("abort", abort);
      },
      cancel,
    },
    { highWaterMark: 0 },
  );
}
