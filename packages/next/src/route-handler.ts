import type { Awaitable, Charge, CreditsOptions, Gate } from "@creditgate/core";
import { createAdmission } from "@creditgate/core/adapter";
import type { NextRequest } from "next/server.js";
import { waitUntilAfter, withAfter } from "./after.ts";
import { gatedOrRedirected } from "./redirect.ts";

/**
 * A route handler that answers a request whose customer cannot pay with 401, 402 or 503 (`application/problem+json`),
 * and else what `handler` answers, to which it gives the charge beside `params`. What was reported is billed once the
 * response has ended, and all that the handler gave to `after()`. Streams pass as they are. Throws an `invalid_option` error for options that
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
    const admission = withAfter(admit(request, waitUntil));
    return gatedOrRedirected({ request, admission, waitUntil }, async (credits) =>
      handler(request, { params, credits }),
    );
  };
}
