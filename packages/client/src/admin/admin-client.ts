import type { CallOptions } from "../call.ts";
import { CreditgateError } from "../creditgate-error.ts";
import { transportOf } from "../transport.ts";
import { type AdminClientOptions, readAdminSettings } from "./options.ts";
import { createOrganizationAdmin, type OrganizationAdmin } from "./organization.ts";
import { type Account, createAccount } from "./resources/account.ts";
import { type AdminAudit, createAdminAudit } from "./resources/audit.ts";
import { createOrganizations, type Organizations } from "./resources/organizations.ts";
import { createUsers, type Users } from "./resources/users.ts";

/** What the public API leaves to operators: organisations, their keys, wallets and records. */
export interface AdminClient {
  readonly organizations: Organizations;
  readonly audit: AdminAudit;
  /** Who asks, and how one signs in and out. */
  readonly account: Account;
  /** All people with an account; for operators. */
  readonly users: Users;
  /** The organisation with this id, whether there is one or not: nothing is sent. */
  organization(organizationId: string): OrganizationAdmin;
  /** The organisation with this name. Throws `invalid_option`, naming those that there are, if there is none. */
  organizationNamed(name: string, options?: CallOptions): Promise<OrganizationAdmin>;
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
  const organizations = createOrganizations(transport);
  const organization = (id: string) => createOrganizationAdmin(transport, settings, id);
  return {
    organizations,
    audit: createAdminAudit(transport),
    account: createAccount(transport),
    users: createUsers(transport),
    organization,
    async organizationNamed(name, callOptions) {
      const all = await organizations.list(callOptions);
      const found = all.find((candidate) => candidate.name === name);
      if (found !== undefined) return organization(found.organizationId);
      const names = all.map((one) => JSON.stringify(one.name)).join(", ") || "none at all";
      const message = `name: expected that of an organisation (there is ${names}), received ${JSON.stringify(name)}`;
      throw new CreditgateError("invalid_option", message);
    },
  };
}
