import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hour } from "./admin-scene.ts";
import { type Browser, openPeopleScene, type PeopleScene, password, tokenOf } from "./people-scene.ts";

const operator = "operator@example.com";

let scene: PeopleScene;
let first: Browser;
beforeAll(async () => {
  scene = await openPeopleScene();
  first = scene.browser();
});
afterAll(() => scene.plane.stop());

/** Wrong passwords are limited by account and by address. */
const rested = () => {
  scene.clock.time += 2 * hour;
};

const signIn = async (email: string, secret = password) => {
  rested();
  const browser = scene.browser();
  const { status, json, headers } = await browser.post("/sign-in", { email, password: secret });
  return { browser, status, json, headers };
};

describe("the first owner", () => {
  it("is made by a link that works once, and may do everything", async () => {
    expect((await first.get("/sign-in")).json).toEqual({ identityProvider: null, hasUsers: false });
    const link = scene.plane.firstOwnerLink ?? "";
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/dashboard\/welcome#token=cgl_[\w-]{43}$/);
    const token = tokenOf(link);
    expect((await first.post("/links/read", { token })).json).toMatchObject({
      kind: "first_owner",
      email: null,
      needsSession: false,
    });
    expect((await first.post("/links/use", { token, password })).json.detail).toContain("/email: expected");
    const made = await first.post("/links/use", {
      token,
      email: "Operator@Example.com ",
      name: "Olga",
      password,
    });
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({
      user: { email: operator, name: "Olga", hasPassword: true },
      operator: true,
      organizations: [],
      session: { expiresAt: "2026-01-08T00:00:00.000Z", idleExpiresAt: "2026-01-01T08:00:00.000Z" },
    });
    expect((await first.post("/organizations", { name: "By the first owner" })).status).toBe(201);
    expect((await scene.audit(1))[0]).toMatchObject({
      actor: `user:${operator}`,
      action: "organization.create",
    });
    const again = await scene.browser().post("/links/use", { token, email: "b@example.com", password });
    expect([again.status, again.json.code]).toEqual([404, "link_unknown"]);
    expect((await first.get("/sign-in")).json).toMatchObject({ hasUsers: true });
  });
});

describe("signing in", () => {
  it("gives a cookie that no script reads, no other site sends and no other host gets", async () => {
    const { status, headers, json } = await signIn(operator);
    expect([status, json.operator]).toEqual([200, true]);
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^creditgate-session=cgs_[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/,
      ),
      expect.stringMatching(
        /^creditgate-device=cgd_[\w-]{22}\.[\w-]{43}; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Strict$/,
      ),
    ]);
    expect(headers.get("cache-control")).toBe("no-store");
    expect((await scene.audit(1))[0]).toMatchObject({
      action: "user.sign_in",
      actor: `user:${operator}`,
      after: { by: "password", address: "127.0.0.1" },
    });
  });

  it("ends when nothing is asked for eight hours, and after a week in any case", async () => {
    const { browser } = await signIn(operator);
    scene.clock.time += 8 * hour - 1;
    expect((await browser.get("/account")).status).toBe(200);
    scene.clock.time += 8 * hour;
    expect((await browser.get("/account")).status).toBe(401);
    const { browser: busy } = await signIn(operator);
    const start = scene.clock.time;
    while (scene.clock.time < start + 7 * 24 * hour - 7 * hour) {
      scene.clock.time += 7 * hour;
      expect((await busy.get("/account")).status).toBe(200);
    }
    scene.clock.time = start + 7 * 24 * hour;
    expect((await busy.get("/account")).status).toBe(401);
  });

  it("ends on this browser, or on all of them", async () => {
    const one = (await signIn(operator)).browser;
    const two = (await signIn(operator)).browser;
    const three = (await signIn(operator)).browser;
    const stolen = new Map(one.cookies);
    expect((await one.post("/account/sign-out")).status).toBe(200);
    expect([...one.cookies.keys()]).toEqual(["creditgate-device"]);
    for (const [name, value] of stolen) one.cookies.set(name, value);
    expect((await one.get("/account")).status).toBe(401);
    expect((await two.get("/account")).status).toBe(200);
    const ended = { action: "user.sign_out", actor: `user:${operator}`, subject: operator };
    expect(await scene.audit(1)).toMatchObject([{ ...ended, after: { ended: "this session" } }]);
    await two.post("/account/sign-out-everywhere");
    expect(await scene.audit(1)).toMatchObject([{ ...ended, after: { ended: "all sessions" } }]);
    expect((await three.get("/account")).status).toBe(401);
  });

  it("answers one who guesses the same for an account, for none, and for one that is shut", async () => {
    const member = await scene.member("shut@example.com", "read");
    const { user } = (await member.get("/account")).json as { user: { userId: string } };
    await scene.admin.post(`/users/${user.userId}`, { disabled: true });
    expect((await member.get("/account")).status).toBe(401);
    const answers = await Promise.all(
      [operator, "nobody@example.com"].map(async (email) => signIn(email, "not the password")),
    );
    const shut = await signIn("shut@example.com", password);
    const seen = [...answers, shut].map(({ status, json, headers }) => [
      status,
      json,
      [...headers.keys()].sort(),
    ]);
    expect(seen[0]?.[0]).toBe(401);
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[2]).toEqual(seen[0]);
    await scene.admin.post(`/users/${user.userId}`, { disabled: false });
    expect((await signIn("shut@example.com")).status).toBe(200);
    expect((await member.get("/account")).status).toBe(401);
  });

  it("lets one guess ten times at an account that is there, or is not", async () => {
    for (const email of [operator, "nobody-at-all@example.com"]) {
      rested();
      const browser = scene.browser();
      const guess = () => browser.post("/sign-in", { email, password: "a wrong one" });
      const statuses: number[] = [];
      for (let count = 0; count < 11; count++) statuses.push((await guess()).status);
      expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
      expect((await browser.post("/sign-in", { email, password })).headers.get("retry-after")).toBe("30");
      // Another account of the same address is let in.
      const right = await browser.post("/sign-in", { email: "shut@example.com", password });
      expect(right.status).toBe(200);
      scene.clock.time += 30_000;
      expect((await guess()).status).toBe(401);
    }
  });
});

describe("a password", () => {
  it("is refused where it is short or easy to guess, without being told back", async () => {
    const { browser } = await signIn(operator);
    for (const newPassword of [
      "short",
      "password12345",
      "operator1234",
      "qwertyuiop123",
      "aaaaaaaaaaaaaaaa",
    ]) {
      const refused = await browser.post("/account/password", { currentPassword: password, newPassword });
      expect([newPassword, refused.status]).toEqual([newPassword, 400]);
      expect(refused.text).not.toContain(newPassword);
    }
  });

  it("is changed by one who knows it; other sessions and all tokens end", async () => {
    await scene.member("changing@example.com", "money");
    const { browser } = await signIn("changing@example.com");
    const other = (await signIn("changing@example.com")).browser;
    const { token } = (await browser.post("/account/tokens", { name: "ci" })).json;
    const next = "another sentence of mine";
    const wrong = await browser.post("/account/password", { currentPassword: "wrong", newPassword: next });
    expect([wrong.status, wrong.json.code]).toEqual([403, "password_wrong"]);
    const before = new Map(browser.cookies);
    const changed = await browser.post("/account/password", { currentPassword: password, newPassword: next });
    expect(changed.status).toBe(200);
    expect(browser.cookies).not.toEqual(before);
    expect((await browser.get("/account")).status).toBe(200);
    expect((await other.get("/account")).status).toBe(401);
    expect((await asToken(token, "/account")).status).toBe(401);
    expect((await signIn("changing@example.com")).status).toBe(401);
    expect((await signIn("changing@example.com", next)).status).toBe(200);
  });

  it("that is lost is replaced by a link of an operator", async () => {
    const member = await scene.member("lost@example.com", "read");
    const { user } = (await member.get("/account")).json as { user: { userId: string } };
    const made = await scene.admin.post(`/users/${user.userId}/link`);
    const browser = scene.browser();
    const token = tokenOf(made.json.link);
    expect((await browser.post("/links/read", { token })).json).toMatchObject({
      kind: "password",
      email: "lost@example.com",
    });
    const next = "what I have not lost";
    expect((await browser.post("/links/use", { token, password: next })).status).toBe(200);
    expect((await member.get("/account")).status).toBe(401);
    expect((await signIn("lost@example.com", next)).status).toBe(200);
    const late = await scene.admin.post(`/users/${user.userId}/link`);
    scene.clock.time += 24 * hour;
    const ended = await browser.post("/links/use", { token: tokenOf(late.json.link), password: next });
    expect(ended.json.code).toBe("link_unknown");
  });
});

const asToken = (token: unknown, path: string, method = "GET") =>
  fetch(`${scene.plane.baseUrl}/admin/api${path}`, { method, headers: { authorization: `Bearer ${token}` } });

describe("a token of a user", () => {
  it("may do what the user may, is shown once, has a name in the audit log, and ends", async () => {
    const browser = await scene.member("tokens@example.com", "money");
    const made = await browser.post("/account/tokens", { name: "nightly" });
    const { token, tokenId } = made.json;
    expect(made.status).toBe(201);
    expect(token).toMatch(/^cgu_[\w-]{43}$/);
    expect((await browser.get("/account/tokens")).text).not.toContain(token);
    expect(await (await asToken(token, "/account")).json()).toMatchObject({
      user: { email: "tokens@example.com" },
      operator: false,
      organizations: [{ name: "Acme", roles: ["money"] }],
      session: null,
    });
    const customer = await fetch(`${scene.plane.baseUrl}/admin/api${scene.path}/customers`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ externalId: "of-a-token", name: "X" }),
    });
    expect(customer.status).toBe(201);
    expect((await scene.audit(1))[0]).toMatchObject({ actor: "user:tokens@example.com/nightly" });
    expect((await asToken(token, "/account/tokens")).status).toBe(403);
    const [listed] = (await browser.get("/account/tokens")).json.tokens as Record<string, unknown>[];
    expect(listed).toMatchObject({ name: "nightly", lastUsedAt: expect.any(String), revokedAt: null });
    await browser.post(`/account/tokens/${tokenId}/revoke`);
    expect((await asToken(token, "/account")).status).toBe(401);
    const short = await browser.post("/account/tokens", {
      name: "short",
      expiresAt: new Date(scene.clock.time + hour).toISOString(),
    });
    scene.clock.time += hour;
    expect((await asToken(short.json.token, "/account")).status).toBe(401);
    const tooLong = new Date(scene.clock.time + 367 * 24 * hour).toISOString();
    const refused = await browser.post("/account/tokens", { name: "long", expiresAt: tooLong });
    expect(refused.status).toBe(400);
  });
});

describe("the members of an organisation", () => {
  it("are invited, get other roles, and are removed by an owner", async () => {
    const owner = await scene.member("owner@example.com", "owner");
    const invited = await owner.post(`${scene.path}/invitations`, {
      email: "new@example.com",
      roles: ["keys", "money"],
    });
    expect(invited.json).toMatchObject({
      email: "new@example.com",
      createdBy: "user:owner@example.com",
      link: expect.stringContaining("/dashboard/welcome#token="),
    });
    const list = await owner.get(`${scene.path}/invitations`);
    expect(list.json.invitations).toMatchObject([{ email: "new@example.com", roles: ["keys", "money"] }]);
    expect(list.text).not.toContain("cgl_");
    const member = scene.browser();
    const joined = await member.post("/links/use", {
      token: tokenOf(invited.json.link),
      name: "New",
      password,
    });
    expect(joined.json.organizations).toMatchObject([{ name: "Acme", roles: ["money", "keys"] }]);
    const { user } = joined.json as { user: { userId: string } };
    const path = `${scene.path}/members/${user.userId}`;
    expect((await owner.post(path, { roles: ["read"] })).json).toMatchObject({
      name: "New",
      roles: ["read"],
    });
    expect((await scene.audit(1))[0]).toMatchObject({
      actor: "user:owner@example.com",
      action: "member.edit",
      before: { roles: ["money", "keys"] },
      after: { roles: ["read"] },
    });
    expect((await owner.post(`${path}/remove`)).status).toBe(200);
    expect((await member.get("/account")).json.organizations).toEqual([]);
    expect((await owner.post(`${path}/remove`)).json.code).toBe("user_unknown");
  });

  it("are added to where they have an account, if they are signed in", async () => {
    const there = await scene.member("there@example.com", "read");
    const other = (await scene.admin.post("/organizations", { name: "Second" })).json.organizationId;
    const invited = await scene.admin.post(`/organizations/${other}/invitations`, {
      email: "there@example.com",
      roles: ["owner"],
    });
    const token = tokenOf(invited.json.link);
    expect((await there.post("/links/read", { token })).json).toMatchObject({
      organization: "Second",
      needsSession: true,
    });
    expect((await there.post("/links/use", { token })).json.organizations).toMatchObject([
      { name: "Acme", roles: ["read"] },
      { name: "Second", roles: ["owner"] },
    ]);
  });

  it("keep an owner, however two of them go at once", async () => {
    const id = (await scene.admin.post("/organizations", { name: "Two owners" })).json.organizationId;
    const owners = await Promise.all(
      ["left@example.com", "right@example.com"].map(async (email) => {
        const invited = await scene.admin.post(`/organizations/${id}/invitations`, {
          email,
          roles: ["owner"],
        });
        const browser = scene.browser();
        const { json } = await browser.post("/links/use", { token: tokenOf(invited.json.link), password });
        return { browser, userId: (json as { user: { userId: string } }).user.userId };
      }),
    );
    const statuses = await Promise.all(
      owners.map(
        async ({ browser, userId }) =>
          (await browser.post(`/organizations/${id}/members/${userId}`, { roles: ["read"] })).status,
      ),
    );
    expect(statuses.sort()).toEqual([200, 409]);
    const { members } = (await scene.admin.get(`/organizations/${id}/members`)).json;
    expect((members as { roles: string[] }[]).filter(({ roles }) => roles.includes("owner"))).toHaveLength(1);
  });

  it("become operators by an operator's invitation only", async () => {
    const invited = await first.post("/operators", { email: "second@example.com" });
    expect(invited.status).toBe(401);
    const { browser } = await signIn(operator);
    const { link } = (await browser.post("/operators", { email: "second@example.com" })).json;
    const second = scene.browser();
    const used = await second.post("/links/use", { token: tokenOf(link), password });
    expect(used.json).toMatchObject({ operator: true });
    const { user } = used.json as { user: { userId: string } };
    for (const id of [user.userId, user.userId.toUpperCase()]) {
      expect((await second.post(`/users/${id}`, { operator: true })).json.code).toBe("own_account");
    }
    expect((await browser.post(`/users/${user.userId}`, { operator: false })).json).toMatchObject({
      operator: false,
    });
    expect((await second.get("/users")).json.code).toBe("role_missing");
  });
});
