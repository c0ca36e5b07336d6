import { createAdminClient } from "@creditgate/admin";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startControlPlane, type TestControlPlane } from "../src/testing/index.ts";
import { acme } from "./fixture.ts";

const adminToken = "an-administrator-of-tests";
let plane: TestControlPlane;
beforeAll(async () => {
  plane = await startControlPlane({ fixture: acme, adminToken });
});
afterAll(() => plane.stop());

const ask = (method: string, path: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${plane.baseUrl}${path}`, { method, headers: { "service-api-key": plane.apiKey, ...headers } });

const requests = [
  ["GET", "/api/v1/wallet/balance?customer_id=alice", 200],
  ["GET", "/api/v1/wallet/balance?customer_id=nobody", 404],
  ["POST", "/api/v2/usage", 400],
  ["POST", "/api/v2/usage/batch", 400],
  ["GET", "/api/v2/usage", 405],
  ["GET", "/nowhere", 404],
  ["GET", "/health", 200],
] as const;

describe("every answer", () => {
  it.each(requests)(
    "to %s %s names its request, the reports that a batch may have, and the parts of a usage",
    async (method, path, status) => {
      for (const id of ["a2b1", crypto.randomUUID()]) {
        const answer = await ask(method, path, { "creditgate-request-id": id });
        expect(answer.status).toBe(status);
        expect(answer.headers.get("creditgate-request-id")).toBe(id);
        expect(answer.headers.get("creditgate-usage-batch")).toBe("500");
        expect(answer.headers.get("creditgate-usage-parts")).toBe(
          "cachedInputTokens,cacheWriteTokens,audioInputTokens,reasoningTokens,audioOutputTokens,images,seconds,characters,requests,units",
        );
      }
    },
  );

  it("to a request without a name, or with one that is no plain text, has a name of its own", async () => {
    const ids = new Set<string | null>();
    for (const headers of [
      {},
      { "creditgate-request-id": "a b" },
      { "creditgate-request-id": "x".repeat(256) },
    ]) {
      const answer = await ask("GET", "/health", headers);
      const id = answer.headers.get("creditgate-request-id");
      expect(id).toMatch(/^[\da-f-]{36}$/);
      ids.add(id);
    }
    expect(ids.size).toBe(3);
  });

  it("but those to usage names the organisation of the key, the same for all of its keys", async () => {
    const admin = createAdminClient({ baseUrl: plane.baseUrl, adminToken });
    const [organization] = await admin.organizations.list();
    const { apiKeys } = await admin.organizationNamed("Acme");
    const { apiKey } = await apiKeys.create({ name: "another", scopes: ["read"] });
    const path = "/api/v1/agents?page=1&limit=1";
    for (const headers of [{}, { "service-api-key": apiKey }]) {
      const answer = await ask("GET", path, headers);
      expect(answer.headers.get("creditgate-organization")).toBe(organization?.organizationId);
    }
    const unknown = await ask("GET", path, { "service-api-key": "no such key" });
    expect(unknown.headers.has("creditgate-organization")).toBe(false);
  });

  it("is kept by no cache", async () => {
    const answer = await ask("GET", "/api/v1/wallet/balance?customer_id=alice");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.has("etag")).toBe(false);
  });
});
