import {
  type Awaitable,
  type Charge,
  type CreditsOptions,
  createAdmission,
  type Gate,
  gatedResponse,
} from "@creditgate/core";
import type { NextRequest } from "next/server.js";
import { waitUntilAfter } from "./after.ts";
import { isRedirect } from "./redirect.ts";

/**
 * A route handler that answers a request whose customer cannot pay with 401, 402 or 503 (`application/problem+json`),
 * and else what `handler` answers, to which it gives the charge beside `params`. What was reported is billed once the
 * response has ended, behind `after()`. Streams pass as they are. Throws an `invalid_option` error for options that
 * cannot be right; rejects with what a resolver or the handler throws, of which a `redirect()` is a success.
 */
export function withCredits<Params = Promise<object>>(
  gate: Gate,
  options: CreditsOptions<NextRequest>,
  handler: (
    request: NextRequest,
    context: { readonly params: Params; readonly credits: Charge },
  ) => Awaitable<Response>,
): (request: NextRequest, context: { params: Params }) => Promise<Response> {
  const admit = createAdmission(gate, options);
  return async (request, { params }) => {
    const waitUntil = waitUntilAfter();
    const admission = admit(request, waitUntil);
    let redirection: unknown;
    const response = await gatedResponse({ request, admission, waitUntil }, async (credits) => {
      try {
        return await handler(request, { params, credits });
      } catch (error) {
        if (!isRedirect(error)) throw error;
        redirection = error;
        return new Response(null, { status: 307 });
      }
    });
    // Next makes the response of it, with the cookies that were set.
    if (redirection !== undefined) throw redirection;
    return response;
  };
}
