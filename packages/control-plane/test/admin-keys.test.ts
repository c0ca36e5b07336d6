import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AdminScene, hour, openAdminScene } from "./admin-scene.ts";
import { caller, usageOf } from "./caller.ts";

let scene: AdminScene;
beforeAll(async () => {
  scene = await openAdminScene();
});
afterAll(() => scene.plane.stop());

describe("/admin/api/organizations/{id}/api-keys", () => {
  const keys = () => `${scene.path}/api-keys`;
  const use = (apiKey: unknown) => caller({ ...scene.plane, apiKey: String(apiKey) });
  const status = async (apiKey: unknown) => (await use(apiKey)("GET", "/api/v1/agents")).status;

  it("shows a key once, when it is made: prefix, 128 random bits, checksum", async () => {
    const { status, json, headers } = await scene.admin.post(keys(), { name: "server" });
    expect(status).toBe(201);
    expect(json.apiKey).toMatch(/^cgk_[0-9a-f]{32}[0-9a-f]{8}$/);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(json.createdBy).toBe("admin:test");
    expect(json.scopes).toEqual(["read", "usage", "wallets", "customers", "orders", "agents"]);
    const list = await scene.admin.get(keys());
    expect(list.text).toContain(String(json.keyId));
    expect(list.text + JSON.stringify(await scene.lastAudit())).not.toContain(
      String(json.apiKey).slice(4, 20),
    );
  });

  it("lets a key do what its scopes say", async () => {
    const { json } = await scene.admin.post(keys(), { name: "gate", scopes: ["read", "usage"] });
    const call = use(json.apiKey);
    expect((await call("GET", "/api/v1/wallet/balance?customer_id=alice")).status).toBe(200);
    expect((await call("POST", "/api/v2/usage", { body: usageOf() })).status).toBe(202);
    for (const path of [
      "/api/v1/wallet/top-up",
      "/API/v1/Wallet/top-up",
      "/api/v1/orders",
      "/api/v1/agents/ensure",
      "/api/v1/invoices/x/mark-paid",
      "/api/v1/customers/create-or-get",
    ]) {
      const refused = await call("POST", path, { body: {} });
      expect([path, refused.status, refused.json.code]).toEqual([path, 403, "scope_missing"]);
    }
    const writer = await scene.admin.post(keys(), { name: "writer", scopes: ["usage"] });
    expect((await use(writer.json.apiKey)("GET", "/api/v1/agents")).status).toBe(403);
    expect((await scene.admin.post(keys(), { name: "x", scopes: ["everything"] })).status).toBe(400);
  });

  it("rotates a key without making it live longer, unless it is told how long the new one lives", async () => {
    const expiresAt = new Date(scene.clock.time + 48 * hour).toISOString();
    const make = async () => (await scene.admin.post(keys(), { name: "temporary", expiresAt })).json.keyId;
    const rotate = async (body: unknown) =>
      (await scene.admin.post(`${keys()}/${await make()}/rotate`, body)).json.expiresAt;
    const other = new Date(scene.clock.time + 72 * hour).toISOString();
    expect(await rotate({})).toBe(expiresAt);
    expect(await rotate({ expiresAt: other })).toBe(other);
    expect(await rotate({ expiresAt: null })).toBe(null);
  });

  it("rotates a key with an overlap, in which both are good", async () => {
    const old = (await scene.admin.post(keys(), { name: "rotated", scopes: ["read"] })).json;
    const rotated = (await scene.admin.post(`${keys()}/${old.keyId}/rotate`, { overlapSeconds: 3600 })).json;
    expect(rotated).toMatchObject({ name: "rotated", scopes: ["read"], expiresAt: null });
    expect([await status(old.apiKey), await status(rotated.apiKey)]).toEqual([200, 200]);
    scene.clock.time += hour - 1;
    expect(await status(old.apiKey)).toBe(200);
    scene.clock.time += 1;
    expect([await status(old.apiKey), await status(rotated.apiKey)]).toEqual([401, 200]);
    expect((await scene.admin.post(`${keys()}/${old.keyId}/rotate`)).status).toBe(409);
  });

  it("revokes a key at once, and for good", async () => {
    const { keyId, apiKey } = (await scene.admin.post(keys(), { name: "leaked" })).json;
    expect(await status(apiKey)).toBe(200);
    const revoked = await scene.admin.post(`${keys()}/${keyId}/revoke`);
    expect(await status(apiKey)).toBe(401);
    scene.clock.time += hour;
    expect((await scene.admin.post(`${keys()}/${keyId}/revoke`)).json).toEqual(revoked.json);
    expect(await scene.lastAudit()).toMatchObject({ action: "api_key.revoke", subject: keyId });
  });

  it("ends a key when it expires, and tells to the minute when it was last used", async () => {
    const expiresAt = new Date(scene.clock.time + hour).toISOString();
    const { keyId, apiKey } = (await scene.admin.post(keys(), { name: "short", expiresAt })).json;
    const lastUsedAt = async () =>
      ((await scene.admin.get(keys())).json.apiKeys as { keyId: string; lastUsedAt: string | null }[]).find(
        (key) => key.keyId === keyId,
      )?.lastUsedAt;
    expect(await lastUsedAt()).toBeNull();
    await status(apiKey);
    const first = new Date(scene.clock.time).toISOString();
    // It is noted behind the request's back.
    await expect.poll(lastUsedAt).toBe(first);
    scene.clock.time += 59_000;
    await status(apiKey);
    expect(await lastUsedAt()).toBe(first);
    scene.clock.time += 2_000;
    await status(apiKey);
    await expect.poll(lastUsedAt).toBe(new Date(scene.clock.time).toISOString());
    scene.clock.time += hour;
    expect(await status(apiKey)).toBe(401);
  });

  it("answers 404 for a key that does not exist", async () => {
    expect((await scene.admin.post(`${keys()}/nothing/revoke`)).json.code).toBe("api_key_unknown");
  });
});
