import { z } from "zod";
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
  apiKeyRotateRequest,
  type CreatedApiKey,
  createdApiKey,
  type RotatedApiKey,
  rotatedApiKey,
} from "../contract/api-key.ts";
import { adminEndpoints } from "../endpoints.ts";
import { everyPage } from "../pages.ts";

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

const list = z.looseObject({ limit: z.int().optional(), apiKeys: z.array(adminApiKey) });

export function createApiKeys(transport: Transport, organization_id: string): ApiKeys {
  const params = { organization_id };
  return {
    list: (options) =>
      everyPage(
        (query) => call(transport, adminEndpoints.apiKeyList, list, { params, query }, options),
        (answer) => answer.apiKeys,
      ),
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
