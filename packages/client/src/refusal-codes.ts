/**
 * The `code` of each problem by which the service refuses a usage report or a balance request as it is. The API shows no error
 * bodies: these are the service's own words, and any other code is that of something before it, such as a gateway.
 */
export const refusalCodes: RegExp =
  /^((agent|customer|indicator)_unknown|malformed_(json|request)|invalid_request|body_too_large|amount_out_of_range|idempotency_key_reused)$/;
