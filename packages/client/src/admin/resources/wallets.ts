import type { z } from "zod";
import type { CallOptions, KeyedCallOptions } from "../../call.ts";
import { checkKeyed } from "../../call-options.ts";
import { call, checkPath } from "../../checked-call.ts";
import { checkInput } from "../../contract-check.ts";
import { CreditgateError, isCreditgateError } from "../../creditgate-error.ts";
import type { Endpoint } from "../../endpoint.ts";
import { type TopUp, toppingUp } from "../../resources/top-up.ts";
import type { Transport } from "../../transport.ts";
import {
  type AdjustmentRequest,
  type AdminTopUpRequest,
  type AdminWallet,
  adminTopUpRequest,
  adminWallet,
  correctionRequest,
  refundRequest,
  type WalletCreateRequest,
  type WalletLimitsRequest,
  type WalletListAnswer,
  type WalletListQuery,
  walletCreateRequest,
  walletLimitsRequest,
  walletListAnswer,
  walletListQuery,
} from "../contract/wallet.ts";
import { adminEndpoints } from "../endpoints.ts";
import { createListing, type Listing } from "../listing.ts";

/** The wallets of an organisation's customers, by customer and currency. Only here they come into being, but for the credits of an order. */
export interface AdminWallets extends Listing<WalletListQuery, WalletListAnswer, AdminWallet> {
  /** The customer's wallet in the currency; 404 `wallet_unknown` where there is none. Retried. */
  get(customerId: string, currency: string, options?: CallOptions): Promise<AdminWallet>;
  /**
   * Opens an empty wallet; 409 `wallet_exists` where the customer has one in the currency, 422 `currency_unknown` where the
   * organisation does not have the currency: `currencies.set()` makes one; 422 `too_many_wallets` where the customer has 500.
   * Never retried once sent.
   */
  create(customerId: string, wallet: WalletCreateRequest, options?: CallOptions): Promise<AdminWallet>;
  /**
   * The customer's wallet in the currency, opened if there is none. One that is there stays as it is, its limit too;
   * throws the 409 if it is of the other kind, and the 422s of `create`. Retried.
   */
  ensure(customerId: string, wallet: WalletCreateRequest, options?: CallOptions): Promise<AdminWallet>;
  /** Changes the limit that the kind of wallet has. Retried. */
  setLimits(
    customerId: string,
    currency: string,
    limits: WalletLimitsRequest,
    options?: CallOptions,
  ): Promise<AdminWallet>;
  /** Adds credits to prepaid wallets, as `createClient().wallets.topUp()` does, in an administrator's name, with a reason for the audit log. */
  readonly topUp: TopUp<AdminTopUpRequest>;
  /** Gives credits back, with a reason, once for each `idempotencyKey`. */
  refund(refund: AdjustmentRequest, options: KeyedCallOptions): Promise<AdminWallet>;
  /** Gives or takes credits, with a reason, once for each `idempotencyKey`. */
  correct(correction: AdjustmentRequest, options: KeyedCallOptions): Promise<AdminWallet>;
}

export function createAdminWallets(transport: Transport, organization_id: string): AdminWallets {
  function open(
    endpoint: Endpoint,
    customerId: string,
    wallet: WalletCreateRequest,
    options?: CallOptions,
  ): Promise<AdminWallet> {
    const body = checkInput(endpoint, walletCreateRequest, wallet);
    const params = checkPath(endpoint, { organization_id, external_id: customerId });
    return call(transport, endpoint, adminWallet, { params, body }, options);
  }

  function get(
    external_id: string,
    credit_currency_key: string,
    options?: CallOptions,
  ): Promise<AdminWallet> {
    const endpoint = adminEndpoints.walletRead;
    const params = checkPath(endpoint, { organization_id, external_id, credit_currency_key });
    return call(transport, endpoint, adminWallet, { params }, options);
  }

  async function adjust(
    endpoint: Endpoint,
    schema: z.ZodType<AdjustmentRequest>,
    adjustment: AdjustmentRequest,
    options: KeyedCallOptions,
  ): Promise<AdminWallet> {
    checkKeyed(endpoint, options);
    const body = checkInput(endpoint, schema, adjustment);
    return call(transport, endpoint, adminWallet, { params: { organization_id }, body }, options);
  }

  return {
    ...createListing(
      transport,
      { organization_id },
      {
        endpoint: adminEndpoints.walletList,
        query: walletListQuery,
        answer: walletListAnswer,
        itemsOf: ({ wallets }) => wallets,
      },
    ),
    get: async (customerId, currency, options) => get(customerId, currency, options),
    create: async (customerId, wallet, options) =>
      open(adminEndpoints.walletCreate, customerId, wallet, options),
    async ensure(customerId, wallet, options) {
      try {
        return await open(adminEndpoints.walletEnsure, customerId, wallet, options);
      } catch (error) {
        if (!isCreditgateError(error) || error.problem?.code !== "wallet_exists") throw error;
        const there = await get(customerId, wallet.credit_currency_key, options);
        if (there.kind !== wallet.kind) throw otherKind(error, wallet, there);
        return there;
      }
    },
    async setLimits(customerId, currency, limits, options) {
      const endpoint = adminEndpoints.walletLimits;
      const body = checkInput(endpoint, walletLimitsRequest, limits);
      const path = { organization_id, external_id: customerId, credit_currency_key: currency };
      return call(transport, endpoint, adminWallet, { params: checkPath(endpoint, path), body }, options);
    },
    topUp: toppingUp(transport, adminEndpoints.adminTopUp, adminTopUpRequest, { organization_id }),
    refund: (refund, options) => adjust(adminEndpoints.walletRefund, refundRequest, refund, options),
    correct: (correction, options) =>
      adjust(adminEndpoints.walletCorrection, correctionRequest, correction, options),
  };
}

function otherKind(cause: CreditgateError, wanted: WalletCreateRequest, there: AdminWallet): CreditgateError {
  const { status, problem } = cause;
  const message = `walletEnsure: kind: expected ${wanted.kind}, received a wallet that is there and ${there.kind}`;
  return new CreditgateError("http", message, { cause, status, problem });
}
