import type { IncomingMessage, ServerResponse } from "node:http";
import type { Database, DatabaseTransaction } from "../database/connection.ts";
import { agentExists, customerExists } from "../database/existence.ts";
import { type JsonObject, stringify } from "./json.ts";

/** A field of a request that is wrong. */
export interface FieldError {
  /** A JSON pointer into the body, or the name of a query parameter or header. */
  readonly pointer: string;
  /** What was expected, and what was received. */
  readonly detail: string;
}

export interface ProblemOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly errors?: readonly FieldError[];
  /** Fields of its own, beside those that all problems have. */
  readonly further?: JsonObject;
  /** Whether the answer is held back for a moment: for refusals of a client that asks too often. @default false */
  readonly isHeldBack?: boolean;
}

/** An answer that is an error, as problem+json (RFC 9457). The spec shows no error bodies; this is our choice. */
export class Problem extends Error {
  override readonly name = "Problem" as const;
  readonly status: number;
  readonly code: string;
  readonly options: ProblemOptions;

  constructor(status: number, code: string, detail: string, options: ProblemOptions = {}) {
    super(detail);
    this.status = status;
    this.code = code;
    this.options = options;
  }
}

const titles: Readonly<Record<number, string>> = {
  400: "Bad request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not found",
  405: "Method not allowed",
  409: "Conflict",
  413: "Body too large",
  415: "Unsupported media type",
  422: "Unprocessable content",
  429: "Too many requests",
  500: "Internal server error",
  503: "Service unavailable",
};

/** What is left of a body is read and thrown away up to this size, so that the connection can be used again. */
const cheapBytes = 64 * 1024;

/** A client that still sends when its connection is closed is reset and loses the response: it has this time to read it first. */
const lingerMs = 5_000;

/** The body of a problem. */
export function describeProblem({ status, code, message, options }: Problem): string {
  return stringify({
    type: "about:blank",
    title: titles[status] ?? "Error",
    status,
    detail: message,
    code,
    ...(options.errors === undefined ? {} : { errors: options.errors.map((error) => ({ ...error })) }),
    ...options.further,
  });
}

/** Answers with a problem. Past Express, whose `send` finds out again what is known here. */
export function sendProblem(request: IncomingMessage, response: ServerResponse, problem: Problem): void {
  const { status, options } = problem;
  const body = describeProblem(problem);
  const leavesMuch = isMuchUnread(request);
  response.writeHead(status, {
    "cache-control": "no-store",
    "content-type": "application/problem+json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
    ...(leavesMuch ? { connection: "close" } : {}),
    ...options.headers,
  });
  if (!leavesMuch) {
    response.end(body);
    return;
  }
  response.write(body);
  const end = setTimeout(() => response.end(), lingerMs);
  response.once("close", () => clearTimeout(end));
}

function isMuchUnread({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > cheapBytes;
}

type Referent =
  | "customer"
  | "agent"
  | "indicator"
  | "order"
  | "invoice"
  | "credit_note"
  | "organization"
  | "api_key"
  | "session"
  | "usage"
  | "wallet"
  | "budget"
  | "grant"
  | "allowance"
  | "gate"
  | "webhook"
  | "event"
  | "user"
  | "user_token"
  | "invitation";

/** A 404 that says what the request refers to; a name of another organisation is as unknown as any. */
export function unknown(what: Referent, name: string): Problem {
  return new Problem(
    404,
    `${what}_unknown`,
    `${what}: expected one that exists, received ${JSON.stringify(name)}`,
  );
}

export async function requireCustomer(
  database: Pick<Database, "selectFrom">,
  orgId: bigint,
  customerId: string,
): Promise<void> {
  if (!(await customerExists(database, orgId, customerId))) throw unknown("customer", customerId);
}

/** Throws, also a 409 for a customer who is erased: an erasure waits, and ends what is made in this transaction. */
export async function requireUnerased(
  transaction: DatabaseTransaction,
  orgId: bigint,
  customerId: string,
): Promise<void> {
  const customer = await transaction
    .selectFrom("customers")
    .select("erased_at")
    .where("org_id", "=", orgId)
    .where("external_id", "=", customerId)
    .forShare()
    .executeTakeFirst();
  if (customer === undefined) throw unknown("customer", customerId);
  if (customer.erased_at !== null)
    throw new Problem(
      409,
      "customer_erased",
      "customer: expected one that is not erased, received an erased one: edit the customer first",
    );
}

export async function requireAgent(
  database: Pick<Database, "selectFrom">,
  orgId: bigint,
  agentId: string,
): Promise<void> {
  if (!(await agentExists(database, orgId, agentId))) throw unknown("agent", agentId);
}

/** Whether a name out of a path can be one of our ids; what cannot be is unknown without asking the database. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
