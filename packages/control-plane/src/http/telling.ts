import type { IncomingMessage, ServerResponse } from "node:http";

/** Usage reports in one request at most. */
export const maxReports = 500;

/**
 * Names the batch endpoint, and the request that is answered. A client takes an answer without the name of its own request
 * for one that a cache has kept, or that a proxy gives to several.
 */
export function identify({ headers }: IncomingMessage, response: ServerResponse): void {
  response.setHeader("Creditgate-Usage-Batch", maxReports);
  const id = headers["creditgate-request-id"];
  if (typeof id === "string" && /^[\x21-\x7e]{1,255}$/.test(id))
    response.setHeader("Creditgate-Request-Id", id);
}
