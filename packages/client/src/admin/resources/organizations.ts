import { z } from "zod";
import type { CallOptions } from "../../call.ts";
import { checkInput } from "../../contract-check.ts";
import type { Transport } from "../../transport.ts";
import { call } from "../call.ts";
import {
  type AdminOrganization,
  adminOrganization,
  type OrganizationCreateRequest,
  organizationCreateRequest,
} from "../contract/organization.ts";
import { adminEndpoints } from "../endpoints.ts";

/** Organisations. */
export interface Organizations {
  /** All of them, the oldest first. Retried. */
  list(options?: CallOptions): Promise<readonly AdminOrganization[]>;
  /** A new one, without API keys; 409 `organization_exists` where the name is taken. Never retried once sent. */
  create(organization: OrganizationCreateRequest, options?: CallOptions): Promise<AdminOrganization>;
}

const list = z.looseObject({ organizations: z.array(adminOrganization) });

export function createOrganizations(transport: Transport): Organizations {
  return {
    async list(options) {
      return (await call(transport, adminEndpoints.organizationList, list, {}, options)).organizations;
    },
    async create(organization, options) {
      const endpoint = adminEndpoints.organizationCreate;
      const body = checkInput(endpoint, organizationCreateRequest, organization);
      return call(transport, endpoint, adminOrganization, { body }, options);
    },
  };
}
