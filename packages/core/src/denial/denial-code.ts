/** Why a request is not let in. 402 says "cannot pay", 503 says "cannot tell", 401 "who is it". */
export type DenialCode =
  | "customer_unresolved"
  | "insufficient_credits"
  | "wallet_missing"
  | "customer_unknown"
  | "upstream_unavailable"
  | "upstream_invalid"
  | "ledger_unavailable"
  | "wallet_mismatch"
  | "unbillable"
  | "outbox_full"
  | "outbox_unavailable"
  | "over_capacity"
  | "closing";
