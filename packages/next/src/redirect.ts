import type { Charge } from "@creditgate/core";
import { type GatedRequest, gatedResponse } from "@creditgate/core/adapter";

/** As `gatedResponse()`; what `redirect()` throws is thrown on, and is a success all the same. */
export async function gatedOrRedirected(
  gated: GatedRequest,
  handle: (credits: Charge) => Promise<Response>,
): Promise<Response> {
  let redirection: unknown;
  const response = await gatedResponse(gated, async (credits) => {
    try {
      return await handle(credits);
    } catch (error) {
      if (!isRedirect(error)) throw error;
      redirection = error;
      return new Response(null, { status: 307 });
    }
  });
  // Next makes the response of it, with the cookies that were set.
  if (redirection !== undefined) throw redirection;
  return response;
}

/** `redirect()` ends a handler by throwing. */
function isRedirect(error: unknown): boolean {
  return (
    typeof error === "object" &&
    error !== null &&
    "digest" in error &&
    typeof error.digest === "string" &&
    error.digest.startsWith("NEXT_REDIRECT")
  );
}
