import type { Claimed } from "./claim.ts";

/** What an operator is told of an endpoint that gets nothing any more. */
export function describeDisabled(
  { orgId, endpointId, url }: Claimed,
  why: "failing" | "gone",
  error: string | undefined,
): string {
  const reason = why === "gone" ? "it has answered 410" : "it has failed for days";
  return (
    `webhooks: endpoint ${endpointId} (${hostOf(url)}) of organisation ${orgId} is disabled, since ${reason} (${error}). ` +
    `Mend it, enable it by POST /admin/api/organizations/${orgId}/webhook-endpoints/${endpointId}, and replay what it has missed`
  );
}

/** What an operator is told of an event that was tried for the last time. */
export function describeGivenUp(
  { orgId, endpointId, url, eventId, type, customerId, attempts }: Claimed,
  error: string | undefined,
): string {
  return (
    `webhooks: event ${eventId} (${type} of customer ${JSON.stringify(customerId)}) is given up after ${attempts + 1} attempts: ` +
    `endpoint ${endpointId} (${hostOf(url)}) of organisation ${orgId}: ${error}. The next events of its wallet follow. ` +
    `GET /admin/api/organizations/${orgId}/webhook-deliveries?status=given_up lists such events, and the endpoint's replay sends them again`
  );
}

/** The path may hold a token of the receiver's. */
function hostOf(url: string): string {
  return new URL(url).host;
}
