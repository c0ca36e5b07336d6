import { z } from "zod";
import type { CallOptions } from "../../call.ts";
import { call, posting } from "../../checked-call.ts";
import type { Transport } from "../../transport.ts";
import {
  type AdminOrganization,
  adminOrganization,
  type OrganizationCreateRequest,
  organizationCreateRequest,
} from "../contract/organization.ts";
import { adminEndpoints } from "../endpoints.ts";
import { everyPage } from "../pages.ts";

/** Organisations. */
export interface Organizations {
  /** All of them, the oldest first. Retried. */
  list(options?: CallOptions): Promise<readonly AdminOrganization[]>;
  /** A new one, without API keys; 409 `organization_exists` where the name is taken. Never retried once sent. */
  create(organization: OrganizationCreateRequest, options?: CallOptions): Promise<AdminOrganization>;
}

const list = z.looseObject({ limit: z.int().optional(), organizations: z.array(adminOrganization) });

export function createOrganizations(transport: Transport): Organizations {
  return {
    list: (options) =>
      everyPage(
        (query) => call(transport, adminEndpoints.organizationList, list, { query }, options),
        (answer) => answer.organizations,
      ),
    create: posting(transport)(
      adminEndpoints.organizationCreate,
      organizationCreateRequest,
      adminOrganization,
    ),
  };
}
