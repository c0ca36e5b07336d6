import type { Denial } from "@creditgate/core";
import type { Dialect } from "./endpoints.ts";

/** Why a request is not served. */
export interface RefusalReason {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** The field that is meant. */
  readonly param?: string;
  /** Seconds. */
  readonly retryAfter?: number;
  /** What a program may want to know. */
  readonly details?: object;
}

/** Ends the serving of a request; its client receives the reason in its provider's format. */
export class Refusal extends Error {
  override readonly name = "Refusal" as const;
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason) {
    super(reason.message);
    this.reason = reason;
  }
}

/** Of a field that is not as it must be. */
export function badField(param: string, expected: string): Refusal {
  return new Refusal({
    status: 400,
    code: "invalid_value",
    message: `${param}: expected ${expected}`,
    param,
  });
}

/** What the gate says of a customer who is not let in. */
export function reasonOf({ status, code, title, retryAfter, ...details }: Denial): RefusalReason {
  const { required, currency } = details;
  const left = leftOf(details);
  const message =
    left === undefined ? title : `${title}: the request may cost ${required} ${currency}, ${left}`;
  return { status, code, message, details, ...(retryAfter !== undefined && { retryAfter }) };
}

/** What there is instead of what the request may cost. */
function leftOf({ available, budget }: Pick<Denial, "available" | "budget">): string | undefined {
  if (budget === undefined) return available === undefined ? undefined : `the wallet can pay ${available}`;
  const { key, limit, left, resetsAt } = budget;
  if (limit === undefined) return `and ${key} has no limit yet`;
  return `${key} has ${left} of ${limit} left${resetsAt === undefined ? "" : ` until ${resetsAt}`}`;
}

/** The reason as the provider would say it, so that its own clients raise their own errors. */
export function refusalResponse(reason: RefusalReason, dialect: Dialect): Response {
  const headers = {
    "cache-control": "no-store",
    ...(reason.retryAfter !== undefined && { "retry-after": String(reason.retryAfter) }),
  };
  return Response.json(bodies[dialect](reason), { status: reason.status, headers });
}

const bodies: Readonly<Record<Dialect, (reason: RefusalReason) => object>> = {
  openai: ({ status, code, message, param = null, details }) => ({
    error: {
      message,
      type: openAITypes[status] ?? otherType(status, "server_error"),
      param,
      code,
      ...details,
    },
  }),
  anthropic: ({ status, code, message, details }) => ({
    type: "error",
    error: {
      type: anthropicTypes[status] ?? otherType(status, "api_error"),
      message,
      details: { error_code: code, ...details },
    },
    request_id: null,
  }),
};

const openAITypes: Readonly<Record<number, string>> = { 402: "insufficient_quota" };
const anthropicTypes: Readonly<Record<number, string>> = {
  401: "authentication_error",
  402: "billing_error",
  404: "not_found_error",
  413: "request_too_large",
};

function otherType(status: number, ours: string): string {
  return status >= 500 ? ours : "invalid_request_error";
}
