import type { z } from "zod";
import {
  type WalletBalanceAnswer,
  type WalletTopUpAnswer,
  type WalletTopUpRequest,
  type WalletTopUpResult,
  walletBalanceAnswer,
  walletBalanceQuery,
  walletTopUpAnswer,
  walletTopUpRequest,
} from "../contract/wallet.ts";
import { CreditgateError } from "../errors/creditgate-error.ts";
import { oneLine } from "../errors/one-line.ts";
import type { CallInput, CallOptions, KeyedCallOptions } from "../transport/call.ts";
import { checkKeyed } from "../transport/call-options.ts";
import { checkAnswer, checkInput } from "../transport/checked-call.ts";
import type { Endpoint } from "../transport/endpoint.ts";
import { endpoints } from "../transport/endpoints.ts";
import type { Transport } from "../transport/transport.ts";

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

/**
 * Adds credits to prepaid wallets, once for each `idempotencyKey`: give the payment's own id. Throws `refused` if the
 * service has not topped up every wallet, and names those it has not; `problem` is its whole answer, with the others,
 * which have their credits: repeat what was refused alone, and under another key, once its wallet exists.
 */
export type TopUp<Request extends WalletTopUpRequest = WalletTopUpRequest> = (
  request: Request,
  options: KeyedCallOptions,
) => Promise<WalletTopUpAnswer>;

export function toppingUp<Request extends WalletTopUpRequest>(
  transport: Transport,
  endpoint: Endpoint,
  schema: z.ZodType,
  params?: CallInput["params"],
): TopUp<Request> {
  return async (request, options) => {
    checkKeyed(endpoint, options);
    const body = checkInput(endpoint, schema, request);
    const answer = await transport.send(endpoint, { params, body }, options);
    const { message, results } = checkAnswer(endpoint, walletTopUpAnswer, answer);
    const refused = results.filter(({ success }) => !success);
    if (refused.length === 0) return { message, results };
    throw new CreditgateError("refused", refusal(endpoint, refused, request), {
      status: answer.status,
      problem: { message, results },
    });
  };
}

const mostNamed = 5;

function refusal(
  { name }: Endpoint,
  refused: readonly WalletTopUpResult[],
  { top_ups: { length } }: WalletTopUpRequest,
): string {
  const named = refused.slice(0, mostNamed).map(({ credit_currency_key, reason = guess }) => {
    return oneLine(`${JSON.stringify(credit_currency_key)}: ${reason}`);
  });
  return `${name}: ${refused.length} of ${length} wallets were not topped up: ${named.join("; ")}`;
}

/** The API gives no reason (API, section 4.1); these are the two that there can be. */
const guess = "the customer has no wallet in this currency, or it is postpaid";
