import type { IncomingMessage, ServerResponse } from "node:http";
import {
  endpoints,
  type GateIdentity,
  gateHeader,
  parseGateIdentity,
  type UsageReportRequest,
  usageReportRequest,
} from "@creditgate/client";
import { z } from "zod";
import type { Authenticate } from "../endpoint/authentication.ts";
import type { ErrorAnswers } from "../endpoint/errors.ts";
import { checkedKey, hashOf, idempotencyKey, keyReused } from "../endpoint/idempotency.ts";
import type { RateLimit } from "../endpoint/rate-limit.ts";
import type { SpendingWatch } from "../gates/spending-watch.ts";
import { identify, identity, maxReports } from "../http/answer-identity.ts";
import { readJson, usualLimit } from "../http/body.ts";
import type { ByteBudget } from "../http/byte-budget.ts";
import { sendText } from "../http/json.ts";
import { describeProblem, type Problem, unknown } from "../http/problem.ts";
import { parse } from "../http/validation.ts";
import type { TimeRequest } from "../metrics/request-duration.ts";
import { formatCredits } from "../money/decimal.ts";
import type { AcceptedUsage, RefusedUsage, UsageIntake } from "../usage/intake.ts";
import { plainReport } from "../usage/plain-report.ts";
import { amountOutOfRange, unitUnknown } from "../usage/price.ts";
import { operations } from "./table.ts";

export interface UsageEndpointsOptions {
  readonly authenticate: Authenticate;
  readonly limit: RateLimit;
  readonly bodies: ByteBudget;
  readonly intake: UsageIntake;
  readonly spending: Pick<SpendingWatch, "note">;
  readonly time: TimeRequest;
  readonly errors: ErrorAnswers;
}

/** Answers a request for one of these endpoints. Returns whether it is one. */
export type Endpoints = (request: IncomingMessage, response: ServerResponse) => boolean;

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Who reports: the organisation of the key, and the process, if it is a gate. */
interface Sender {
  readonly orgId: bigint;
  readonly gate: GateIdentity | undefined;
}

function senderOf(orgId: bigint, { headers }: IncomingMessage): Sender {
  return { orgId, gate: parseGateIdentity(headers[gateHeader]) };
}

interface Keyed {
  readonly key: string;
}

interface Batch {
  readonly reports: readonly Keyed[];
}

/** Each report is parsed by itself, so that one that is wrong is refused alone. */
const batch: z.ZodType<Batch> = z.object({
  reports: z
    .array(z.looseObject({ key: z.string() }))
    .min(1)
    .max(maxReports),
});

/** Whether the schema would find nothing wrong. It copies each report, and is asked only what is wrong. */
function isBatch(body: unknown): body is Batch {
  if (typeof body !== "object" || body === null || !("reports" in body)) return false;
  const { reports } = body;
  return (
    Array.isArray(reports) && reports.length > 0 && reports.length <= maxReports && reports.every(isKeyed)
  );
}

function isKeyed(report: unknown): report is Keyed {
  return typeof report === "object" && report !== null && "key" in report && typeof report.key === "string";
}

/**
 * Usage reports (API, section 4.2) and batches of them: stored, acknowledged, settled later. They come most, so they are
 * answered before Express, whose chain of handlers takes longer than all that is done here.
 */
export function usageEndpoints(options: UsageEndpointsOptions): Endpoints {
  const { authenticate, limit, bodies: budget, intake, spending, time, errors } = options;

  /** Refused at once where something is wrong, stored else. Not async: of a batch each promise is made five hundred times. */
  const take = (
    { orgId, gate }: Sender,
    body: unknown,
    idempotencyKey: string | undefined,
  ): Promise<Answer> => {
    const report = plainReport(body) ?? parse(usageReportRequest, body, "body");
    const key = idempotencyKey === undefined ? undefined : checkedKey(idempotencyKey);
    // Without its budgets: a version that knows none has hashed what it has stored without them.
    const { budgets: _, ...hashed } = report;
    return intake.accept({ orgId, report, idempotencyKey: key, hash: hashOf(hashed) }).then((receipt) => {
      if (!receipt.accepted) throw refusal(receipt, report, key);
      const { currency } = receipt;
      if (gate !== undefined && currency !== null) spending.note(orgId, gate, report.customerId, currency);
      return { status: 202, body: describe(receipt, key) };
    });
  };

  const single = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const caller = await authenticate(request, operations.usageReport.scope);
    const { orgId } = caller;
    limit.take(caller);
    limit.takeReport(caller);
    const body = await readJson(request, response, { budget, by: orgId, limit: usualLimit });
    const key = idempotencyKey(request);
    const answer = await take(senderOf(orgId, request), body, key);
    // With all headers at once: set before, each would be copied again.
    const echo = key === undefined ? {} : { "idempotency-key": key };
    sendText(response, answer.status, answer.body, { ...identity(request), ...echo });
  };

  const inBatch = (request: IncomingMessage, sender: Sender, report: Keyed): string | Promise<string> => {
    const entry = ({ status, body }: Answer) =>
      `{"key":${JSON.stringify(report.key)},"status":${status},"body":${body}}`;
    const refused = (error: unknown) => {
      const problem = errors.problemOf(error, request);
      return entry({ status: problem.status, body: describeProblem(problem) });
    };
    try {
      return take(sender, report, report.key).then(entry, refused);
    } catch (error) {
      return refused(error);
    }
  };

  const several = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { scope, maxBytes = usualLimit } = operations.usageBatch;
    const caller = await authenticate(request, scope);
    const { orgId } = caller;
    limit.take(caller);
    limit.takeReport(caller);
    const body = await readJson(request, response, { budget, by: orgId, limit: maxBytes });
    const { reports } = isBatch(body) ? body : parse(batch, body, "body");
    limit.spendReports(caller, reports.length - 1);
    const sender = senderOf(orgId, request);
    const results = await Promise.all(inOrder(reports, (report) => inBatch(request, sender, report)));
    sendText(response, 200, `{"results":[${results.join()}]}`, identity(request));
  };

  const handlers = new Map([
    [endpoints.usageReport.path, single],
    [endpoints.usageBatch.path, several],
  ]);
  return (request, response) => {
    const { method, url = "" } = request;
    const handle = method === "POST" ? (handlers.get(url) ?? handlers.get(pathOf(url))) : undefined;
    if (handle === undefined) return false;
    time(request, response);
    handle(request, response).catch((error) => {
      // Thrown here, a second answer would end the process.
      if (response.headersSent) return void response.destroy();
      identify(request, response);
      errors.send(error, request, response);
    });
    return true;
  };
}

/** The answers to reports; of those with one key each is taken when the one before it has been answered. */
function inOrder(
  reports: readonly Keyed[],
  take: (report: Keyed) => string | Promise<string>,
): readonly (string | Promise<string>)[] {
  const byKey = new Map<string, string | Promise<string>>();
  return reports.map((report) => {
    const earlier = byKey.get(report.key);
    const answer = earlier === undefined ? take(report) : Promise.resolve(earlier).then(() => take(report));
    byKey.set(report.key, answer);
    return answer;
  });
}

/** The path as Express matches it: whatever the case, with a slash at the end or without, after a host or not. */
function pathOf(url: string): string {
  const [path = ""] = url.toLowerCase().split("?", 1);
  return path.replace(/^https?:\/\/[^/]*/, "").replace(/\/$/, "");
}

/** Written out, since it is written for each report: what knows nothing of its fields takes several times as long. */
function describe({ usageId, amount, currency, budgets }: AcceptedUsage, key: string | undefined): string {
  const [idempotencyKey, credits] = [JSON.stringify(key ?? null), formatCredits(amount)];
  const stored = budgets === undefined ? "" : `,"budgets":${JSON.stringify(budgets)}`;
  return `{"id":"${usageId}","status":"accepted","idempotencyKey":${idempotencyKey},"credits":${credits},"currency":${JSON.stringify(currency)}${stored}}`;
}

function refusal({ reason, unit }: RefusedUsage, report: UsageReportRequest, key = ""): Problem {
  switch (reason) {
    case "customer_unknown":
      return unknown("customer", report.customerId);
    case "agent_unknown":
      return unknown("agent", report.agentId);
    case "indicator_unknown":
      return unknown("indicator", report.indicator);
    case "key_reused":
      return keyReused(key);
    case "unit_unknown":
      return unitUnknown(report.indicator, unit);
    case "out_of_range":
      return amountOutOfRange();
  }
}
