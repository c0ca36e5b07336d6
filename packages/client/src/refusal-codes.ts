/**
 * The `code` of each problem by which the service refuses a usage report or a balance request as it is. The API shows no error
 * bodies: these are the service's own words, and any other code is that of something before it, such as a gateway.
 */
export const refusalCodes: ReadonlySet<string> = new Set([
  "agent_unknown",
  "amount_out_of_range",
  "body_too_large",
  "currency_unknown",
  "customer_unknown",
  "idempotency_key_reused",
  "indicator_unknown",
  "invalid_request",
  "malformed_json",
  "malformed_request",
]);
