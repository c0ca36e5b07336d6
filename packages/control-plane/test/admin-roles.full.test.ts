import {
  type AdminEndpoints,
  type AdminScope,
  adminEndpoints,
  type MemberRole,
  memberRoles,
} from "@creditgate/admin";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { adminTable, allowedRoles, isRole } from "../src/admin/table.ts";
import { adminToken } from "./admin-scene.ts";
import { type Browser, openPeopleScene, type PeopleScene, password, tokenOf } from "./people-scene.ts";

/** Each endpoint is asked by each of these; who may is the table's to say, and what comes of it the server's. */
type Who = MemberRole | "operator" | "admin token" | "stranger" | "token of an owner" | "nobody";

const names = Object.keys(adminEndpoints) as (keyof AdminEndpoints)[];

let scene: PeopleScene;
const browsers = new Map<Who, Browser>();
let ownersToken = "";

beforeAll(async () => {
  scene = await openPeopleScene();
  const operator = scene.browser();
  const token = tokenOf(scene.plane.firstOwnerLink);
  await operator.post("/links/use", { token, email: "operator@example.com", password });
  browsers.set("operator", operator);
  for (const role of memberRoles) browsers.set(role, await scene.member(`${role}@example.com`, role));
  const other = await scene.admin.post("/organizations", { name: "Other" });
  const invited = await scene.admin.post(`/organizations/${other.json.organizationId}/invitations`, {
    email: "stranger@example.com",
    roles: ["owner"],
  });
  const stranger = scene.browser();
  await stranger.post("/links/use", { token: tokenOf(invited.json.link), password });
  browsers.set("stranger", stranger);
  ownersToken = String((await browsers.get("owner")?.post("/account/tokens", { name: "ci" }))?.json.token);
});
afterAll(() => scene.plane.stop());

/** What the table comes to for each. */
function isAllowed(scope: AdminScope, who: Who): boolean {
  if (scope === "anyone") return true;
  if (who === "nobody") return false;
  if (scope === "user") return true;
  if (scope === "session") return who !== "admin token" && who !== "token of an owner";
  if (who === "operator" || who === "admin token") return true;
  if (scope === "operator" || who === "stranger") return false;
  return allowedRoles[scope].includes(who === "token of an owner" ? "owner" : who);
}

async function ask(who: Who, method: string, path: string): Promise<{ status: number; code: unknown }> {
  // Wrong credentials are limited by address.
  scene.clock.time += 1_000;
  const browser = browsers.get(who);
  if (browser !== undefined) {
    const { status, json } = await (method === "GET" ? browser.get(path, notFed) : browser.post(path));
    return { status, code: json.code };
  }
  const bearer = { "admin token": adminToken, "token of an owner": ownersToken }[who as string];
  const response = await fetch(`${scene.plane.baseUrl}/admin/api${path}`, {
    method,
    redirect: "manual",
    headers: {
      ...notFed,
      ...(bearer === undefined ? { origin: scene.plane.baseUrl } : { authorization: `Bearer ${bearer}` }),
    },
  });
  const text = await response.text();
  return { status: response.status, code: text.startsWith("{") ? JSON.parse(text).code : undefined };
}

/** A feed that cannot be resumed is answered at once. */
const notFed = { "last-event-id": "none" };

const everybody: readonly Who[] = [
  ...memberRoles,
  "operator",
  "admin token",
  "stranger",
  "token of an owner",
  "nobody",
];

/** These end the session that asks. */
const ending = ["signOut", "signOutEverywhere"];

describe("each endpoint of the admin API", () => {
  it.each(names)("%s lets in whom its scope names, and nobody else", async (name) => {
    const { method, path } = adminEndpoints[name];
    const scope: AdminScope | undefined = adminTable[name].scope;
    expect(scope).toBeDefined();
    const below = path
      .replace("/admin/api", "")
      .replace("/organizations/{organizationId}", scene.path)
      .replaceAll(/\{[^}]+\}/g, "x");
    // The list that is of all organisations is one's own where it is named.
    const named = isRole(scope) && !path.includes("{organizationId}");
    const asked = named ? `${below}?organizationId=${scene.path.split("/").at(-1)}` : below;
    const isOfOrganization = isRole(scope) || path.includes("{organizationId}");
    for (const who of everybody) {
      const mayDo = isAllowed(scope, who);
      if (mayDo && ending.includes(name)) continue;
      const { status, code } = await ask(who, method, asked);
      const refusal = ["unauthorized", "role_missing", "session_required", "organization_unknown"];
      expect([who, refusal.includes(String(code))]).toEqual([who, !mayDo]);
      if (!mayDo)
        expect([who, status]).toEqual([
          who,
          who === "nobody" ? 401 : isOfOrganization && who === "stranger" ? 404 : 403,
        ]);
    }
  });

  it("changes nothing for one who may only read, and shows every list of an organisation to one who may", () => {
    for (const name of names) {
      const { method, path } = adminEndpoints[name];
      const { scope } = adminTable[name];
      if (method === "POST") expect([name, scope]).not.toEqual([name, "read"]);
      // But for people, who are the owners' business.
      if (method === "GET" && path.includes("{organizationId}") && !/member|invitation/.test(name)) {
        expect([name, scope]).toEqual([name, "read"]);
      }
    }
  });

  it("reads the audit log of all organisations for operators only", async () => {
    expect((await ask("owner", "GET", "/audit")).code).toBe("role_missing");
    expect((await ask("operator", "GET", "/audit")).status).toBe(200);
    expect((await ask("stranger", "GET", `/audit?organizationId=${scene.path.split("/").at(-1)}`)).code).toBe(
      "organization_unknown",
    );
    const twice = `/audit?organizationId=${scene.path.split("/").at(-1)}&organizationId=99`;
    expect((await ask("owner", "GET", twice)).status).toBe(404);
  });

  it("lists to each the organisations of that one", async () => {
    const seen = async (who: Who) => {
      const list = await browsers.get(who)?.get("/organizations");
      return (list?.json.organizations as { name: string }[] | undefined)?.map(({ name }) => name);
    };
    expect(await seen("read")).toEqual(["Acme"]);
    expect(await seen("stranger")).toEqual(["Other"]);
    expect(await seen("operator")).toEqual(["Acme", "Other"]);
  });

  it("makes no key that moves money for one who may not", async () => {
    const keys = browsers.get("keys");
    const make = async (scopes?: string[]) =>
      (await keys?.post(`${scene.path}/api-keys`, { name: "k", ...(scopes && { scopes }) }))?.json;
    expect(await make(["read", "usage"])).toMatchObject({ apiKey: expect.stringMatching(/^cgk_/) });
    expect(await make(["wallets"])).toMatchObject({ code: "role_missing" });
    expect(await make()).toMatchObject({ code: "role_missing" });
    const all = (await scene.admin.post(`${scene.path}/api-keys`, { name: "all" })).json;
    const rotated = await keys?.post(`${scene.path}/api-keys/${all.keyId}/rotate`, {});
    expect(rotated?.json.code).toBe("role_missing");
    expect((await keys?.post(`${scene.path}/api-keys/${all.keyId}/revoke`))?.status).toBe(200);
  });
});
