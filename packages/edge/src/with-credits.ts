import type { Awaitable, Charge, CreditsOptions, Gate, WaitUntil } from "@creditgate/core";
import { createAdmission, gatedResponse } from "@creditgate/core/adapter";

/**
 * A handler of web requests that answers a request whose customer cannot pay with 401, 402 or 503
 * (`application/problem+json`), and else what `handler` answers, to which it gives the charge. What was reported is
 * billed once the response has ended, behind `waitUntil` of whichever further argument has one. Streams pass as they
 * are. Throws an `invalid_option` error for options that cannot be right; rejects with what a resolver or the handler
 * throws.
 */
export function withCredits<Context extends readonly unknown[]>(
  gate: Gate,
  options: CreditsOptions<Request>,
  handler: (
    request: Request,
    gated: { readonly credits: Charge },
    ...context: Context
  ) => Awaitable<Response>,
): (request: Request, ...context: Context) => Promise<Response> {
  const admit = createAdmission(gate, options);
  return (request, ...context) => {
    const waitUntil = waitUntilOf(context);
    const admission = admit(request, waitUntil);
    return gatedResponse({ request, admission, waitUntil }, (credits) =>
      handler(request, { credits }, ...context),
    );
  };
}

/** The `waitUntil` of whichever argument has one: `ctx` of Workers, `event` of a middleware, `context` of Vercel. */
export function waitUntilOf(context: readonly unknown[]): WaitUntil | undefined {
  for (const one of context) {
    const { waitUntil }: { readonly waitUntil?: unknown } = Object(one);
    // As a method: runtimes refuse to have it called without its object.
    if (typeof waitUntil === "function") return (work) => waitUntil.call(one, work);
  }
  return undefined;
}
