import type { CallOptions } from "../../call.ts";
import { call, checkPath, posting } from "../../checked-call.ts";
import { checkInput } from "../../contract-check.ts";
import type { Transport } from "../../transport.ts";
import {
  type AdminApiKey,
  type ApiKeyCreateRequest,
  type ApiKeyRotateRequest,
  adminApiKey,
  apiKeyCreateRequest,
  apiKeyListAnswer,
  apiKeyRotateRequest,
  type CreatedApiKey,
  createdApiKey,
  type RotatedApiKey,
  rotatedApiKey,
} from "../contract/api-key.ts";
import { partQuery } from "../contract/part.ts";
import { adminEndpoints } from "../endpoints.ts";
import { collected, createListing } from "../listing.ts";

/** The API keys of an organisation. */
export interface ApiKeys {
  /** All of them, ended ones too, the oldest first. Retried. */
  list(options?: CallOptions): Promise<readonly AdminApiKey[]>;
  /** A new key, which is shown this once. Never retried once sent. */
  create(key: ApiKeyCreateRequest, options?: CallOptions): Promise<CreatedApiKey>;
  /** A new key in place of another, which goes on for `overlapSeconds`. Never retried once sent. */
  rotate(keyId: string, request?: ApiKeyRotateRequest, options?: CallOptions): Promise<RotatedApiKey>;
  /** Ends a key. Retried. */
  revoke(keyId: string, options?: CallOptions): Promise<AdminApiKey>;
}

export function createApiKeys(transport: Transport, organization_id: string): ApiKeys {
  const params = { organization_id };
  const listing = createListing(transport, params, {
    endpoint: adminEndpoints.apiKeyList,
    query: partQuery,
    answer: apiKeyListAnswer,
    itemsOf: ({ apiKeys }) => apiKeys,
  });
  return {
    list: (options) => collected(listing.all({ limit: 100 }, options)),
    create: posting(transport, params)(adminEndpoints.apiKeyCreate, apiKeyCreateRequest, createdApiKey),
    async rotate(keyId, request = {}, options) {
      const endpoint = adminEndpoints.apiKeyRotate;
      const body = checkInput(endpoint, apiKeyRotateRequest, request);
      const path = checkPath(endpoint, { ...params, key_id: keyId });
      return call(transport, endpoint, rotatedApiKey, { params: path, body }, options);
    },
    async revoke(keyId, options) {
      const endpoint = adminEndpoints.apiKeyRevoke;
      const path = checkPath(endpoint, { ...params, key_id: keyId });
      return call(transport, endpoint, adminApiKey, { params: path }, options);
    },
  };
}
