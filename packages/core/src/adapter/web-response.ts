import { verbose } from "#verbosity";
import type { Charge } from "../charge/charge.ts";
import type { WaitUntil } from "../decision/authorize-request.ts";
import type { HeadedRequest } from "../denial/response.ts";
import type { Awaitable } from "../values/awaitable.ts";
import { invalidOption } from "../values/option.ts";
import type { Admission } from "./admission.ts";
import type { Ending } from "./request-work.ts";
import { watchStream } from "./watched-stream.ts";
import { WorkEnd } from "./work-end.ts";

/** A web request on its way through the gate. */
export interface GatedRequest {
  /** A `Request`, or as much of one as is read here. */
  readonly request: Pick<Request, "method" | "signal"> & HeadedRequest;
  /** The gate's decision. */
  readonly admission: Promise<Admission>;
  /** Takes the promise of all that goes on behind the response, before any of it begins. */
  readonly waitUntil?: WaitUntil | undefined;
}

/**
 * The life of a web request, for adapters to translate. Resolves to the denial, or to the handler's response
 * unchanged. The body is read only when the client reads, and is cancelled when the client disconnects. {@link
 * WorkEnd} decides when the work ends. A request whose client disconnects during the decision is not served.
 * `hasFailed` returns whether the framework has answered for a handler that threw. Rejects with what a resolver or
 * the handler throws. Rejects with an `invalid_option` error if the handler returns no response, or one whose body
 * has been read.
 */
export async function gatedResponse(
  { request, admission: deciding, waitUntil }: GatedRequest,
  handle: (credits: Charge) => Awaitable<Response>,
  hasFailed: () => boolean = () => false,
): Promise<Response> {
  const { signal } = request;
  let close: (billed?: Promise<void>) => void = () => {};
  const billed = new Promise<void>((resolve) => {
    close = resolve;
  });
  // The gate's events report what could not be billed.
  const settled = billed.catch(() => {});
  try {
    // Registered before anything is awaited: some runtimes drop a request after a disconnect, and its hold with it.
    waitUntil?.(settled);
  } catch {
    // The billing of this work will meet the same error, and report it.
  }
  const admission = await deciding.catch((error: unknown) => {
    close();
    throw error;
  });
  if (!admission.admitted) {
    close();
    return admission.toResponse(request);
  }
  const { credits } = admission;
  if (signal.aborted) {
    credits.release();
    close();
    return new Response(null, { status: 499 });
  }
  const work = new WorkEnd(admission, close);
  let begun = () => {};
  const leave = () => {
    begun();
    signal.removeEventListener("abort", leave);
    work.over("aborted");
  };
  const over = (ending: Ending) => {
    begun();
    signal.removeEventListener("abort", leave);
    work.over(ending);
  };
  let ending: Ending | undefined;
  const answer = (response: Response): Response => {
    if (typeof response?.status !== "number" || response.bodyUsed) {
      invalidOption("handler", verbose && "a Response, unread", response);
    }
    if (hasFailed()) work.fail();
    const { body, status } = response;
    // The status of a network error is 0.
    const answered = status && status < 400 ? "completed" : "failed";
    if (body === null) {
      ending = answered;
      return response;
    }
    // Other middleware may have answered instead. The web API does not show that.
    begun = admission.unread(() => over(answered));
    const watched = watchStream(body, {
      begun: () => begun(),
      // To a client that has gone workerd reads no more than that, and cancels nothing: the answer may be complete.
      given(readOn) {
        begun = admission.unread(readOn);
      },
      ended: () => over(answered),
      failed: () => over("failed"),
      reason: () => signal.reason,
      dropped() {
        leave();
        return settled;
      },
    });
    if (request.method !== "HEAD") {
      work.answers(watched.body);
      return new Response(watched.sent, response);
    }
    ending = answered;
    void work.answersHead(watched.body);
    return new Response(null, response);
  };
  signal.addEventListener("abort", leave);
  // Called after the listener is added: the client may disconnect within its first step.
  const answering = Promise.resolve(credits).then(handle).then(answer);
  work.handles(answering, () => false);
  try {
    const response = await answering;
    if (ending !== undefined) over(ending);
    return response;
  } catch (error) {
    over("failed");
    throw error;
  }
}
