import type { Charge, CreditsOptions, Gate } from "@creditgate/core";
import { createAdmission, gatedResponse } from "@creditgate/core/adapter";
import { waitUntilOf } from "./with-credits.ts";

/** As much of Hono's context as is used. */
export interface HonoContext {
  readonly req: { readonly raw: Request };
  /** Throws where the runtime has none. */
  readonly executionCtx: unknown;
  /** Setting it adds the headers that the one before had. */
  res: Response;
  /** What a handler has thrown. */
  readonly error?: unknown;
  set(key: "credits", credits: Charge): void;
}

/**
 * Middleware for Hono that answers a request whose customer cannot pay with 401, 402 or 503
 * (`application/problem+json`), and else puts the charge into `c.var.credits`, lets the request on, and bills what was
 * reported once the response has ended. Streams pass as they are. Throws an `invalid_option` error for options that
 * cannot be right; what a resolver throws goes to `app.onError`.
 */
export function creditsMiddleware<Context extends HonoContext>(
  gate: Gate,
  options: CreditsOptions<Context>,
): (context: Context, next: () => Promise<void>) => Promise<void> {
  const admit = createAdmission(gate, options);
  return async (context, next) => {
    const waitUntil = waitUntilOf([executionOf(context)]);
    const admission = admit(context, waitUntil);
    let isDropped = false;
    const response = await gatedResponse(
      { request: context.req.raw, admission, waitUntil },
      async (credits) => {
        context.set("credits", credits);
        await next();
        // Another's has gone out, and Hono drops that of the handler, which may be a stream: one that nobody reads stands for it.
        isDropped = context.res.bodyUsed || context.res.body?.locked === true;
        return isDropped ? new Response(new ReadableStream()) : context.res;
      },
      // Hono has answered for a handler that threw.
      () => context.error !== undefined,
    );
    // A denial gets what the outer middleware has set, such as the headers of CORS; of an answer, Hono has them already.
    if (!isDropped && response !== context.res) context.res = response;
  };
}

function executionOf(context: HonoContext): unknown {
  try {
    return context.executionCtx;
  } catch {
    return undefined;
  }
}
