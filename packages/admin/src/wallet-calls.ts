import {
  type CallOptions,
  CreditgateError,
  type Data,
  isCreditgateError,
  type Transport,
} from "@creditgate/client";
import { type TopUp, toppingUp } from "@creditgate/client/parts";
import { type Calls, createCalls } from "./calls.ts";
import {
  type AdminWallet,
  adminTopUpRequest,
  type WalletCreateRequest,
  walletEnsure,
  wallets,
} from "./contract/wallet.ts";

/** The wallets of an organisation's customers, by customer and currency. Only here they come into being, but for the credits of an order. */
export interface AdminWallets extends Omit<Calls<typeof wallets>, "topUp"> {
  /**
   * The customer's wallet in the currency, opened if there is none. One that is there stays as it is, its limit too;
   * throws the 409 if it is of the other kind, and the 422s of `create`. Retried.
   */
  ensure(customerId: string, wallet: WalletCreateRequest, options?: CallOptions): Promise<AdminWallet>;
  /** Adds credits to prepaid wallets, as `createClient().wallets.topUp()` does, in an administrator's name, with a reason for the audit log. */
  readonly topUp: TopUp<Data<typeof adminTopUpRequest>>;
}

export function createWalletCalls(
  transport: Transport,
  params: { readonly organizationId: string },
): AdminWallets {
  const calls = createCalls(wallets, transport, params);
  const { create } = createCalls({ create: walletEnsure }, transport, params);
  return {
    ...calls,
    async ensure(customerId, wallet, options) {
      try {
        return await create(customerId, wallet, options);
      } catch (error) {
        if (!isCreditgateError(error) || error.problem?.code !== "wallet_exists") throw error;
        const there = await calls.get(customerId, wallet.creditCurrencyKey, options);
        if (there.kind !== wallet.kind) throw otherKind(error, wallet, there);
        return there;
      }
    },
    topUp: toppingUp(transport, wallets.topUp, adminTopUpRequest, params),
  };
}

function otherKind(cause: CreditgateError, wanted: WalletCreateRequest, there: AdminWallet): CreditgateError {
  const { status, problem } = cause;
  const message = `walletEnsure: kind: expected ${wanted.kind}, received a wallet that is there and ${there.kind}`;
  return new CreditgateError("http", message, { cause, status, problem });
}
