import { adminEndpoints, apiKeyScopes } from "@creditgate/admin";
import { type Endpoints, endpoints } from "@creditgate/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "../src/database/connection.ts";
import { endpointRoutes } from "../src/endpoint/endpoint-routes.ts";
import type { Operation } from "../src/routes/operation.ts";
import { operations, type PublicHandlers } from "../src/routes/table.ts";
import { type AdminScene, adminToken, openAdminScene } from "./admin-scene.ts";

const names = Object.keys(endpoints) as (keyof Endpoints)[];

describe("endpointRoutes", () => {
  const { walletTopUp } = operations;
  const serve = (table: object, handlers: object) =>
    endpointRoutes({
      endpoints: { walletTopUp: endpoints.walletTopUp },
      table: table as { walletTopUp: Operation },
      handlers: handlers as PublicHandlers,
      guards: () => [],
      otherMethods: [],
      database: {} as Database,
      clock: Date,
    });
  const handler = { walletTopUp: async () => ({ status: 200, body: "" }) };

  it("serves no endpoint without a scope, and none without a handler", () => {
    expect(() => serve({ walletTopUp }, handler)).not.toThrow();
    expect(() => serve({}, handler)).toThrow("walletTopUp: expected a scope, received none");
    const { scope: _, ...open } = walletTopUp;
    expect(() => serve({ walletTopUp: open }, handler)).toThrow("walletTopUp: expected a scope");
    expect(() => serve({ walletTopUp }, {})).toThrow("walletTopUp: expected a handler, received none");
  });

  it("does not compile without them, or without the schema of what the contract says it takes", () => {
    const { scope: _, ...open } = walletTopUp;
    const { body: __, ...unread } = walletTopUp;
    // @ts-expect-error: an operation has a scope.
    const withoutScope: Operation = open;
    // @ts-expect-error: a top-up has a body.
    const withoutBody: (typeof operations)["walletTopUp"] = unread;
    // @ts-expect-error: each endpoint has a handler.
    const withoutHandlers: PublicHandlers = { walletTopUp: handler.walletTopUp };
    expect([withoutScope, withoutBody, withoutHandlers]).toHaveLength(3);
  });
});

describe("each endpoint", () => {
  let scene: AdminScene;
  const keyWithout: Record<string, string> = {};
  beforeAll(async () => {
    scene = await openAdminScene();
    for (const scope of apiKeyScopes) {
      const scopes = apiKeyScopes.filter((other) => other !== scope);
      const { json } = await scene.admin.post(`${scene.path}/api-keys`, { name: scope, scopes });
      keyWithout[scope] = String(json.apiKey);
    }
  });
  afterAll(() => scene.plane.stop());

  const ask = (method: string, path: string, apiKey: string): Promise<Response> =>
    fetch(`${scene.plane.baseUrl}${path.replaceAll(/\{[^}]+\}/g, "x")}`, {
      method,
      headers: { "service-api-key": apiKey },
    });

  it.each(names)(
    "%s asks for its scope, however its path is written, and knows no other method",
    async (name) => {
      const { method, path } = endpoints[name];
      const own = names.map((other) => endpoints[other]).filter((other) => other.path === path);
      const methods = own.map((other): string => other.method);
      const { scope } = operations[name];
      const key = keyWithout[scope] ?? "";
      const forms = [path, path.toUpperCase(), `${path}/`, `${path}?a=b`];
      for (const form of forms) expect([form, (await ask(method, form, key)).status]).toEqual([form, 403]);
      if (method === "GET") expect((await ask("HEAD", path, key)).status).toBe(403);
      for (const other of ["GET", "POST", "PUT", "PATCH", "DELETE"].filter((one) => !methods.includes(one))) {
        const refused = await ask(other, path, scene.plane.apiKey);
        expect([other, refused.status, refused.headers.get("allow")]).toEqual([
          other,
          405,
          methods.join(", "),
        ]);
      }
    },
  );

  it("tells a method that it does not know only to who has a key", async () => {
    expect((await ask("PUT", endpoints.walletTopUp.path, "none")).status).toBe(401);
  });

  it("has a path and a method of its own", () => {
    expect(new Set(names.map((name) => `${endpoints[name].method} ${endpoints[name].path}`)).size).toBe(
      names.length,
    );
  });

  // Those of signing in are only there where people can.
  const closed = Object.values(adminEndpoints).filter(({ scope }) => scope !== "anyone");

  it.each(closed)("$name is for administrators", async ({ method, path }) => {
    // Wrong credentials are limited by address, and there is one more attempt for each endpoint.
    scene.clock.time += 1_000;
    // A feed that cannot be resumed is answered at once.
    const headers = { authorization: `Bearer ${adminToken}`, "last-event-id": "none" };
    const address = `${scene.plane.baseUrl}${path.replace("{organizationId}", "1").replaceAll(/\{[^}]+\}/g, "x")}`;
    expect((await ask(method, path, scene.plane.apiKey)).status).toBe(401);
    expect(await (await fetch(address, { method, headers })).text()).not.toContain('"route_unknown"');
    const other = await fetch(address, { method: "PUT", headers });
    expect([other.status, other.headers.get("allow")?.split(", ")]).toEqual([
      405,
      expect.arrayContaining([method]),
    ]);
  });
});
