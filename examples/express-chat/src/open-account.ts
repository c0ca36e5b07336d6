import type { AdminWallet, OrganizationAdmin } from "@creditgate/admin";
import type { Client } from "@creditgate/client";

export interface NewCustomer {
  /** Your own id of the customer: the one that the gate's `customer` returns. */
  readonly id: string;
  readonly name: string;
}

/**
 * Makes a customer known to the control plane and gives them an empty wallet, as part of your sign-up. Once more changes
 * nothing, so a sign-up that broke off half way can be repeated.
 */
export async function openAccount(
  client: Pick<Client, "customers">,
  organization: Pick<OrganizationAdmin, "wallets">,
  { id, name }: NewCustomer,
): Promise<AdminWallet> {
  await client.customers.createOrGet({ externalId: id, name });
  return organization.wallets.ensure(id, { kind: "prepaid", creditCurrencyKey: "ai_credits" });
}
