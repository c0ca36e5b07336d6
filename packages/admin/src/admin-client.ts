import {
  type CallOptions,
  CreditgateError,
  type Data,
  isCreditgateError,
  type Transport,
} from "@creditgate/client";
import { type Settings, type TopUp, toppingUp, transportOf } from "@creditgate/client/parts";
import { type Calls, createCalls } from "./calls.ts";
import type { UsageCost, UsageCostRequest } from "./contract/usage-cost.ts";
import {
  type AdminWallet,
  adminTopUpRequest,
  type WalletCreateRequest,
  walletEnsure,
  wallets,
} from "./contract/wallet.ts";
import { organizationEndpoints, serviceEndpoints } from "./endpoints.ts";
import { type AdminClientOptions, readAdminSettings } from "./options.ts";
import { createUsageFeed, type UsageFeed } from "./usage-feed.ts";

/** What the public API leaves to operators: organisations, their keys, wallets and records. */
export interface AdminClient extends Calls<typeof serviceEndpoints> {
  /** The organisation with this id, whether there is one or not: nothing is sent. */
  organization(organizationId: string): OrganizationAdmin;
  /** The organisation with this name. Throws `invalid_option`, naming those that there are, if there is none. */
  organizationNamed(name: string, options?: CallOptions): Promise<OrganizationAdmin>;
}

type OrganizationCalls = Calls<typeof organizationEndpoints>;

/** What an administrator may do with one organisation. */
export interface OrganizationAdmin
  extends Omit<OrganizationCalls, "gates" | "indicators" | "usage" | "wallets"> {
  readonly organizationId: string;
  readonly gates: Omit<OrganizationCalls["gates"], "retry"> & {
    /** Asks a gate to send parked or dead reports again: it does with its next heartbeat. Retried. */
    retry(
      gateId: string,
      reportIds: readonly string[],
      options?: CallOptions,
    ): ReturnType<OrganizationCalls["gates"]["retry"]>;
  };
  readonly indicators: Omit<OrganizationCalls["indicators"], "cost"> & {
    /**
     * What a use would cost, line by line: by the price of an instant, and by the code that prices reports. Nothing is
     * billed. 422 `unit_unknown`, `amount_out_of_range`. Retried.
     */
    cost(
      agentId: string,
      indicator: string,
      usage?: UsageCostRequest,
      options?: CallOptions,
    ): Promise<UsageCost>;
  };
  readonly usage: OrganizationCalls["usage"] & {
    /** Reports as they are taken and settled: an async iterator that resumes by itself. */
    readonly feed: UsageFeed;
  };
  readonly wallets: AdminWallets;
}

/**
 * Creates a client of the control plane's admin API: with a token for servers, or, by the option `session`, for a page of the
 * control plane itself, whose browser has the session of the person who uses it. Its methods throw a
 * `CreditgateError`, as those of `createClient` do: `invalid_option` for input that does not fit the contract, before
 * anything is sent.
 */
export function createAdminClient(options: AdminClientOptions = {}): AdminClient {
  const settings = readAdminSettings(options);
  const transport = transportOf(settings);
  const calls = createCalls(serviceEndpoints, transport);
  const organization = (id: string) => createOrganizationAdmin(transport, settings, id);
  return {
    ...calls,
    organization,
    async organizationNamed(name, callOptions) {
      const all = await calls.organizations.list(callOptions);
      const found = all.find((candidate) => candidate.name === name);
      if (found !== undefined) return organization(found.organizationId);
      const names = all.map((one) => JSON.stringify(one.name)).join(", ") || "none at all";
      const message = `name: expected that of an organisation (there is ${names}), received ${JSON.stringify(name)}`;
      throw new CreditgateError("invalid_option", message);
    },
  };
}

function createOrganizationAdmin(
  transport: Transport,
  settings: () => Settings,
  organizationId: string,
): OrganizationAdmin {
  const params = { organizationId };
  const { gates, indicators, usage, ...calls } = createCalls(organizationEndpoints, transport, params);
  return {
    ...calls,
    organizationId,
    gates: { ...gates, retry: (gateId, reportIds, options) => gates.retry(gateId, { reportIds }, options) },
    indicators: {
      ...indicators,
      cost: async (agentId, indicator, { rawUsage, callMinutes, at } = {}, options) => {
        const query = {
          rawUsage: rawUsage === undefined ? undefined : JSON.stringify(rawUsage),
          callMinutes: callMinutes === undefined ? undefined : String(callMinutes),
          at,
        };
        return indicators.cost(agentId, indicator, query, options);
      },
    },
    usage: { ...usage, feed: createUsageFeed(settings, organizationId) },
    wallets: createWalletCalls(transport, params),
  };
}

/** The wallets of an organisation's customers, by customer and currency. Only here they come into being, but for the credits of an order. */
interface AdminWallets extends Omit<Calls<typeof wallets>, "topUp"> {
  /**
   * The customer's wallet in the currency, opened if there is none. One that is there stays as it is, its limit too;
   * throws the 409 if it is of the other kind, and the 422s of `create`. Retried.
   */
  ensure(customerId: string, wallet: WalletCreateRequest, options?: CallOptions): Promise<AdminWallet>;
  /** Adds credits to prepaid wallets, as `createClient().wallets.topUp()` does, in an administrator's name, with a reason for the audit log. */
  readonly topUp: TopUp<Data<typeof adminTopUpRequest>>;
}

function createWalletCalls(transport: Transport, params: { readonly organizationId: string }): AdminWallets {
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
