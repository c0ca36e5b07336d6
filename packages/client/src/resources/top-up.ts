import type { z } from "zod";
import type { CallInput, KeyedCallOptions } from "../call.ts";
import { checkKeyed } from "../call-options.ts";
import {
  type WalletTopUpAnswer,
  type WalletTopUpRequest,
  type WalletTopUpResult,
  walletTopUpAnswer,
} from "../contract/index.ts";
import { checkAnswer, checkInput } from "../contract-check.ts";
import { CreditgateError } from "../creditgate-error.ts";
import type { Endpoint } from "../endpoint.ts";
import { oneLine } from "../service-words.ts";
import type { Transport } from "../transport.ts";

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
  schema: z.ZodType<Request>,
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
