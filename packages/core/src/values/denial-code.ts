/** Why a request is denied. 402: cannot pay; 503: the balance is unknown; 401: no customer. */
export type DenialCode =
  | "customer_unresolved"
  | "insufficient_credits"
  | "budget_exceeded"
  | "budget_unknown"
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
