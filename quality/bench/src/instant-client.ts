import { type Answer, endpoints, type Transport } from "@creditgate/client";

/** The part of a client that a gate calls. */
export type Service = Pick<Transport, "fingerprint" | "send">;

/** A service without a network: every balance is `wallet` in `ai_credits`, every report is taken, all at once. */
export function createInstantClient(wallet: Readonly<Record<string, number>>): Service {
  const balance: Answer = {
    status: 200,
    body: { balances: { ai_credits: wallet } },
    idempotencyKey: undefined,
  };
  return {
    fingerprint: async () => "instant",
    send: async (endpoint, _input, options) =>
      endpoint === endpoints.walletBalance
        ? balance
        : { status: 202, body: {}, idempotencyKey: options?.idempotencyKey },
  };
}

/** A prepaid wallet with this amount of credits. */
export function prepaid(available: number): Readonly<Record<string, number>> {
  return { available, pending: 0, overage_used: 0, overage_limit: 0, postpaid_used: 0, postpaid_limit: 0 };
}
