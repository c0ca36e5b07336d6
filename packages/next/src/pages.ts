import type { Charge, CreditsOptions, Gate } from "@creditgate/core";
import { createAdmission, denialMessage, NodeWork } from "@creditgate/core/adapter";
import type { NextApiRequest, NextApiResponse } from "next";

/**
 * An API route (pages router) that answers a request whose customer cannot pay with 401, 402 or 503
 * (`application/problem+json`), and else has `handler` answer, to which it gives the charge. What was reported is billed
 * once the handler has ended and its response has gone out. When the client disconnects `credits.signal` fires, and the hold
 * stays until the handler has ended; where it had returned before, until `response.end()` has been called. Throws an `invalid_option` error for
 * options that cannot be right; rejects with what a resolver or the handler throws.
 */
export function withCredits<Body = unknown>(
  gate: Gate,
  options: CreditsOptions<NextApiRequest>,
  handler: (
    request: NextApiRequest,
    response: NextApiResponse<Body>,
    gated: { readonly credits: Charge },
  ) => unknown,
): (request: NextApiRequest, response: NextApiResponse<Body>) => Promise<void> {
  const admit = createAdmission(gate, options);
  return async (request, response) => {
    const work = new NodeWork(request, response);
    const admission = await admit(request);
    if (work.isOver(admission)) return;
    if (!admission.admitted) {
      const { status, headers, body } = denialMessage(admission.denial, (name) => headerOf(request, name));
      response.writeHead(status, headers).end(body);
      return;
    }
    const { credits } = admission;
    await work.run(admission, async () => void (await handler(request, response, { credits })));
  };
}

function headerOf({ headers }: NextApiRequest, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}
