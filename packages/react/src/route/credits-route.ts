import { type BalanceGate, readCredits } from "./read-credits.ts";

/** Whose balance is served, and how old it may be. */
export interface CreditsRouteOptions {
  /** The customer's external id, from verified authentication, never from what the request asks for; none is answered 401. */
  readonly customer: (request: Request) => string | null | undefined | Promise<string | null | undefined>;
  /** Keys of the budgets that are served with it, such as `member:42` of who has signed in. @default none */
  readonly budgets?: (request: Request) => readonly string[] | Promise<readonly string[]>;
  /** Milliseconds, up to a day, that a balance is served before the billing service is asked again. @default 0 */
  readonly maxAgeMs?: number;
}

/**
 * A handler that returns to a browser the wallet of its signed-in customer, and no other: GET only, 401 without a
 * customer, 503 if the wallet is not known. Its answers must not be cached. Throws a `TypeError` for options that
 * cannot be right; rejects with what `customer` throws.
 */
export function creditsRoute(
  gate: BalanceGate,
  { customer, budgets, maxAgeMs = 0 }: CreditsRouteOptions,
): (request: Request) => Promise<Response> {
  if (typeof customer !== "function") {
    throw new TypeError(`customer: expected a function, received ${typeof customer}`);
  }
  if (!(maxAgeMs >= 0 && maxAgeMs <= 86_400_000)) {
    throw new TypeError(`maxAgeMs: expected a number, from 0 to 86400000, received ${maxAgeMs}`);
  }
  return async (request) => {
    if (request.method !== "GET") return problem(405, "Only GET is answered here", { allow: "GET" });
    const customerId = await customer(request);
    if (typeof customerId !== "string" || customerId === "") return problem(401, "No customer is signed in");
    const credits = await readCredits(gate, customerId, {
      maxAgeMs,
      ...(budgets && { budgets: await budgets(request) }),
    });
    if (credits === undefined) {
      return problem(503, "The balance cannot be read at the moment", { "retry-after": "1" });
    }
    return new Response(JSON.stringify(credits), {
      headers: { "content-type": "application/json", ...forOwnPages },
    });
  };
}

/** Nothing keeps the answer, no other site embeds it, and no browser takes it for another type. */
const forOwnPages = {
  "cache-control": "no-store",
  "cross-origin-resource-policy": "same-origin",
  "x-content-type-options": "nosniff",
} as const;

function problem(status: number, title: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify({ type: "about:blank", title, status }), {
    status,
    headers: { "content-type": "application/problem+json", ...forOwnPages, ...headers },
  });
}
