import type { CallOptions } from "../call.ts";
import {
  type WalletBalanceAnswer,
  type WalletTopUpAnswer,
  type WalletTopUpRequest,
  walletBalanceAnswer,
  walletBalanceQuery,
  walletTopUpAnswer,
  walletTopUpRequest,
} from "../contract/index.ts";
import { checkAnswer, checkInput } from "../contract-check.ts";
import { endpoints } from "../endpoints.ts";
import type { Transport } from "../transport.ts";

/** Wallets (API, section 4.1). */
export interface Wallets {
  /** All wallets of a customer, in credits by currency. Retried. */
  balance(customerId: string, options?: CallOptions): Promise<WalletBalanceAnswer>;
  /** Adds credits to prepaid wallets. Repeated only with the same `idempotencyKey`, by the caller. */
  topUp(request: WalletTopUpRequest, options?: CallOptions): Promise<WalletTopUpAnswer>;
}

export function createWallets(transport: Transport): Wallets {
  return {
    async balance(customerId, options) {
      const query = checkInput(endpoints.walletBalance, walletBalanceQuery, { customer_id: customerId });
      const answer = await transport.send(endpoints.walletBalance, { query: { ...query } }, options);
      return checkAnswer(endpoints.walletBalance, walletBalanceAnswer, answer);
    },
    async topUp(request, options) {
      const body = checkInput(endpoints.walletTopUp, walletTopUpRequest, request);
      const answer = await transport.send(endpoints.walletTopUp, { body }, options);
      return checkAnswer(endpoints.walletTopUp, walletTopUpAnswer, answer);
    },
  };
}
