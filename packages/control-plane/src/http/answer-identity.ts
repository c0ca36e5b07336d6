import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { budgetRules, usageParts } from "@creditgate/client";

/** Usage reports in one request at most. */
export const maxReports = 500;

/**
 * Names the batch endpoint, how many budgets a report may name, the parts of a usage that have prices, and the request that is answered. A client takes an answer without the name of its own request
 * for one that a cache has kept, or that a proxy gives to several.
 */
export function identity(request: IncomingMessage): Readonly<Record<string, string>> {
  return { ...nameless, [requestIdHeader]: requestIdOf(request) };
}

const requestIdHeader = "creditgate-request-id";

/** The ID that the client has given to a request, or one that it gets with the first question: its answer and its log lines name it. */
export function requestIdOf({ headers }: Pick<IncomingMessage, "headers">): string {
  const given = headers[requestIdHeader];
  if (typeof given === "string" && /^[\x21-\x7e]{1,255}$/.test(given)) return given;
  const id = randomUUID();
  headers[requestIdHeader] = id;
  return id;
}

const nameless = {
  "creditgate-budgets": String(budgetRules.inReport),
  "creditgate-usage-batch": String(maxReports),
  "creditgate-usage-parts": [...Object.keys(usageParts), "units"].join(),
};

/** Sets them on a response whose other headers come later. */
export function identify(request: IncomingMessage, response: ServerResponse): void {
  for (const [name, value] of Object.entries(identity(request))) response.setHeader(name, value);
}
