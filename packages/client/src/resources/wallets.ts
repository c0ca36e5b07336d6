import type { CallOptions } from "../call.ts";
import {
  type WalletBalanceAnswer,
  walletBalanceAnswer,
  walletBalanceQuery,
  walletTopUpRequest,
} from "../contract/index.ts";
import { checkAnswer, checkInput } from "../contract-check.ts";
import { endpoints } from "../endpoints.ts";
import type { Transport } from "../transport.ts";
import { type TopUp, toppingUp } from "./top-up.ts";

/** Wallets (API, section 4.1). */
export interface Wallets {
  /** All wallets of a customer, in credits by currency. Retried. */
  balance(customerId: string, options?: CallOptions): Promise<WalletBalanceAnswer>;
  /**
   * Adds credits to prepaid wallets, once for each `idempotencyKey`: give the payment's own id. Throws `refused` if the
   * service has not topped up every wallet, and names those it has not; `problem` is its whole answer, with the others,
   * which have their credits: repeat what was refused alone, and under another key, once its wallet exists.
   */
  readonly topUp: TopUp;
}

export function createWallets(transport: Transport): Wallets {
  return {
    async balance(customerId, options) {
      const query = checkInput(endpoints.walletBalance, walletBalanceQuery, { customer_id: customerId });
      const answer = await transport.send(endpoints.walletBalance, { query: { ...query } }, options);
      return checkAnswer(endpoints.walletBalance, walletBalanceAnswer, answer);
    },
    topUp: toppingUp(transport, endpoints.walletTopUp, walletTopUpRequest),
  };
}
