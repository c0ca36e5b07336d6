import type { CallOptions } from "../../call.ts";
import { posting } from "../../checked-call.ts";
import type { Transport } from "../../transport.ts";
import {
  type AdminOrganization,
  adminOrganization,
  type OrganizationCreateRequest,
  organizationCreateRequest,
  organizationListAnswer,
} from "../contract/organization.ts";
import { partQuery } from "../contract/part.ts";
import { adminEndpoints } from "../endpoints.ts";
import { collected, createListing } from "../listing.ts";

/** Organisations. */
export interface Organizations {
  /** All of them, the oldest first. Retried. */
  list(options?: CallOptions): Promise<readonly AdminOrganization[]>;
  /** A new one, without API keys; 409 `organization_exists` where the name is taken. Never retried once sent. */
  create(organization: OrganizationCreateRequest, options?: CallOptions): Promise<AdminOrganization>;
}

export function createOrganizations(transport: Transport): Organizations {
  const listing = createListing(transport, undefined, {
    endpoint: adminEndpoints.organizationList,
    query: partQuery,
    answer: organizationListAnswer,
    itemsOf: ({ organizations }) => organizations,
  });
  return {
    list: (options) => collected(listing.all({ limit: 100 }, options)),
    create: posting(transport)(
      adminEndpoints.organizationCreate,
      organizationCreateRequest,
      adminOrganization,
    ),
  };
}
