import type { UsageBatchRequest, UsageReportRequest } from "@creditgate/client";
import type { Books } from "./books.ts";
import type { Answer, Call } from "./contestant.ts";

/** The API that Creditgate's client speaks, without the additions of its control plane. */
export function respondPlain(call: Call, books: Books): Answer {
  return respond(call, books, false);
}

/** The same with the additions: usage that is not settled, what a report costs, and batches. */
export function respondExtended(call: Call, books: Books): Answer {
  return respond(call, books, true);
}

function respond({ method, path, headers, body }: Call, books: Books, isExtended: boolean): Answer {
  const id = headers["creditgate-request-id"];
  const key = headers["idempotency-key"];
  const answered = {
    ...(isExtended && { "creditgate-usage-batch": "500" }),
    ...(isExtended && id !== undefined && { "creditgate-request-id": String(id) }),
    ...(key !== undefined && { "idempotency-key": String(key) }),
  };
  if (method === "GET") {
    const customer = new URL(path, "http://service").searchParams.get("customer_id") ?? "";
    const funds = {
      available: books.available(customer),
      pending: 0,
      overage_used: 0,
      overage_limit: 0,
      postpaid_used: 0,
      postpaid_limit: 0,
      ...(isExtended && { unsettled: books.unsettled(customer), kind: "prepaid" }),
    };
    return { headers: answered, body: { balances: { ai_credits: funds } } };
  }
  const take = ({ customerId, rawUsage }: UsageReportRequest, reportKey: string): object => {
    const credits = Number(rawUsage.outputTokens ?? 0);
    books.bill(customerId, credits, reportKey);
    return { status: "accepted", ...(isExtended && { credits, currency: "ai_credits" }) };
  };
  if (isExtended && path.endsWith("/batch")) {
    const { reports } = body as UsageBatchRequest;
    const results = reports.map((report) => ({
      key: report.key,
      status: 201,
      body: take(report, report.key),
    }));
    return { headers: answered, body: { results } };
  }
  return { status: 201, headers: answered, body: take(body as UsageReportRequest, String(key)) };
}
