import type { CreditsOptions, Gate } from "@creditgate/core";
import { createAdmission } from "@creditgate/core/adapter";
import type { NextRequest } from "next/server.js";

/**
 * An early hint for `proxy.ts` (`middleware.ts` before Next 16): answers a request whose customer cannot pay before any
 * of it is rendered, and lets every other on with `undefined`, holding and billing nothing. It protects nothing: a proxy
 * can be gone around, so each handler behind it needs its own wrapper.
 */
export function creditsProxy(
  gate: Gate,
  options: Omit<CreditsOptions<NextRequest>, "defaultUsage" | "onAbort" | "abortGraceMs">,
): (request: NextRequest) => Promise<Response | undefined> {
  const admit = createAdmission(gate, options);
  return async (request) => {
    const admission = await admit(request);
    if (!admission.admitted) return admission.toResponse(request);
    admission.credits.release();
    return undefined;
  };
}
