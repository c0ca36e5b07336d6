import type {
  AdminAgent,
  AdminCustomer,
  AdminIndicator,
  AdminUsage,
  AdminWallet,
  OrganizationAdmin,
} from "@creditgate/admin";
import { queryOptions } from "@tanstack/react-query";
import { admin } from "../api/client.ts";
import { organizationQuery } from "../api/query.ts";

/** What there is of what a first request needs. */
export interface Setup {
  readonly isEmpty: boolean;
  /** The customer who pays, or one who has no wallet yet. */
  readonly customer: AdminCustomer | undefined;
  readonly wallet: AdminWallet | undefined;
  /** The agent that works, or one that has no price yet. */
  readonly agent: AdminAgent | undefined;
  /** The indicator that the wallet can pay. */
  readonly indicator: AdminIndicator | undefined;
}

/** An organisation that has more than these does not need the first steps. */
const looked = 10;

export const setupQuery = organizationQuery("start", readSetup, { staleTime: 10_000 });

async function readSetup(
  organization: OrganizationAdmin,
  options: { readonly signal: AbortSignal },
): Promise<Setup> {
  const [{ customers }, { agents }] = await Promise.all([
    organization.customers.list({ limit: looked }, options),
    organization.agents.list({ limit: looked }, options),
  ]);
  const priced = agents.find(({ indicators }) => indicators > 0);
  const indicators =
    priced === undefined
      ? []
      : (await organization.indicators.of(priced.agentId).list({ limit: 100 }, options)).indicators;
  const wallets = customers.flatMap((customer) => customer.wallets.map((wallet) => ({ customer, wallet })));
  const billed = indicators.filter(({ billing }) => billing === "CREDITS");
  const payer =
    wallets.find(({ wallet }) => billed.some(({ currency }) => currency === wallet.creditCurrencyKey)) ??
    wallets[0];
  return {
    isEmpty: customers.length === 0 && agents.length === 0,
    customer: payer?.customer ?? customers[0],
    wallet: payer?.wallet,
    agent: priced ?? agents[0],
    indicator:
      payer === undefined
        ? billed[0]
        : billed.find(({ currency }) => currency === payer.wallet.creditCurrencyKey),
  };
}

/** The first report of usage that there is; `null` until it arrives. */
export const firstUsageQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ["start", organizationId, "usage"],
    queryFn: async ({ signal }): Promise<AdminUsage | null> => {
      const { usage } = await admin.organization(organizationId).usage.list({ limit: 1 }, { signal });
      return usage[0] ?? null;
    },
    // Once there is usage, there always is.
    staleTime: ({ state }) => (state.data ? Number.POSITIVE_INFINITY : 10_000),
  });

/** The queries that a step makes untrue. */
export const startQueries = ["start", "customers", "currencies", "agents", "keys"];
