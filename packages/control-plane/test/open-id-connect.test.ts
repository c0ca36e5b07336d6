import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { freePort } from "../../../quality/free-port.ts";
import { type IdentityProvider, startIdentityProvider } from "./identity-provider.ts";
import { type Browser, openPeopleScene, type PeopleScene, password, tokenOf } from "./people-scene.ts";

let provider: IdentityProvider;
let scene: PeopleScene;
beforeAll(async () => {
  provider = await startIdentityProvider();
  const port = await freePort();
  scene = await openPeopleScene({
    port,
    people: {
      publicUrl: `http://127.0.0.1:${port}`,
      oidc: {
        issuer: provider.issuer,
        clientId: "creditgate",
        clientSecret: "its secret",
        name: "Example ID",
        join: [{ domain: "joins.example", organization: "Acme", roles: ["read", "money"] }],
      },
    },
  });
});
afterAll(async () => {
  await scene.plane.stop();
  await provider.stop();
});
beforeEach(() => {
  provider.tamper = (claims) => claims;
  provider.signsWrong = false;
  scene.clock.time += 60_000;
});

const at = (path: string): string => `${scene.plane.baseUrl}${path}`;

/** Up to where the provider sends the browser back, which is not visited yet. */
async function begin(browser: Browser): Promise<string> {
  const started = await browser.visit(at("/admin/api/oidc/start"));
  expect(started.status).toBe(302);
  const sent = await fetch(started.headers.get("location") ?? "", { redirect: "manual" });
  return sent.headers.get("location") ?? "";
}

/** Signs in, and resolves where the browser ends up. */
async function signIn(browser: Browser, identity: IdentityProvider["next"]): Promise<string | null> {
  provider.next = identity;
  return (await browser.visit(await begin(browser))).headers.get("location");
}

const verified = (email: string) => ({ sub: `sub of ${email}`, email, email_verified: true });
const home = () => at("/dashboard/");
const refused = (why: string) => at(`/dashboard/sign-in?refused=${why}`);

describe("signing in at an identity provider", () => {
  it("asks with PKCE, state and nonce, which a cookie of this browser stands for", async () => {
    const browser = scene.browser();
    expect((await browser.get("/sign-in")).json).toMatchObject({ identityProvider: "Example ID" });
    const started = await browser.visit(at("/admin/api/oidc/start"));
    const { searchParams, origin } = new URL(started.headers.get("location") ?? "");
    expect(origin).toBe(provider.issuer);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: "code",
      client_id: "creditgate",
      redirect_uri: at("/admin/api/oidc/callback"),
      scope: "openid email profile",
      code_challenge_method: "S256",
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(started.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^creditgate-oidc=cgf_[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/),
    ]);
  });

  it("lets in one who is invited, by a verified e-mail, and knows that one again by another", async () => {
    await scene.admin.post(`${scene.path}/invitations`, { email: "ida@example.com", roles: ["keys"] });
    const browser = scene.browser();
    expect(await signIn(browser, { ...verified("Ida@example.com"), name: "Ida" })).toBe(home());
    expect((await browser.get("/account")).json).toMatchObject({
      user: { email: "ida@example.com", name: "Ida", hasPassword: false },
      organizations: [{ name: "Acme", roles: ["keys"] }],
    });
    expect([...browser.cookies.keys()]).toEqual(["creditgate-session"]);
    const [record] = await scene.audit(1);
    expect(record).toMatchObject({ actor: "user:ida@example.com", after: { by: provider.issuer } });
    const again = scene.browser();
    expect(await signIn(again, { sub: "sub of Ida@example.com", email: "married@example.com" })).toBe(home());
    expect((await again.get("/account")).json).toMatchObject({ user: { email: "ida@example.com" } });
    // No password opens an account that has none.
    const guess = await again.post("/sign-in", { email: "ida@example.com", password });
    expect(guess.status).toBe(401);
  });

  it("keeps out one whom nobody has invited, and whose e-mail is not verified", async () => {
    expect(await signIn(scene.browser(), verified("uninvited@example.com"))).toBe(refused("not_invited"));
    await scene.admin.post(`${scene.path}/invitations`, { email: "typed@example.com", roles: ["owner"] });
    for (const email_verified of [false, undefined]) {
      const typed = {
        sub: "x",
        email: "typed@example.com",
        ...(email_verified === false && { email_verified }),
      };
      expect(await signIn(scene.browser(), typed)).toBe(refused("email_unverified"));
    }
    expect(await signIn(scene.browser(), { sub: "y", email_verified: true })).toBe(
      refused("email_unverified"),
    );
  });

  it("makes a member of one whose domain has a rule, and of no other domain", async () => {
    const browser = scene.browser();
    expect(await signIn(browser, verified("eve@joins.example"))).toBe(home());
    expect((await browser.get("/account")).json).toMatchObject({
      operator: false,
      organizations: [{ name: "Acme", roles: ["read", "money"] }],
    });
    for (const email of [
      "eve@evil.joins.example",
      "eve@joins.example.evil.example",
      "joins.example@evil.example",
    ]) {
      expect(await signIn(scene.browser(), verified(email))).toBe(refused("not_invited"));
    }
  });

  it("takes an account with a password over: who had made it by a link is out", async () => {
    const squatter = await scene.member("squatted@example.com", "read");
    const { token } = (await squatter.post("/account/tokens", { name: "t" })).json;
    const browser = scene.browser();
    expect(await signIn(browser, verified("squatted@example.com"))).toBe(home());
    expect((await squatter.get("/account")).status).toBe(401);
    const asToken = await fetch(at("/admin/api/account"), { headers: { authorization: `Bearer ${token}` } });
    expect(asToken.status).toBe(401);
    const guess = await squatter.post("/sign-in", { email: "squatted@example.com", password });
    expect(guess.status).toBe(401);
    const other = { ...verified("squatted@example.com"), sub: "one who got the address later" };
    expect(await signIn(scene.browser(), other)).toBe(refused("identity_changed"));
  });

  it("keeps out an account that is shut, known or not", async () => {
    const browser = scene.browser();
    await signIn(browser, verified("shut@joins.example"));
    const { user } = (await browser.get("/account")).json as { user: { userId: string } };
    await scene.admin.post(`/users/${user.userId}`, { disabled: true });
    expect(await signIn(scene.browser(), verified("shut@joins.example"))).toBe(refused("account_disabled"));
  });
});

describe("what comes back from an identity provider", () => {
  it.each<[string, (claims: Record<string, unknown>) => Record<string, unknown>]>([
    ["another nonce", (claims) => ({ ...claims, nonce: "another" })],
    ["no nonce", ({ nonce: _, ...claims }) => claims],
    ["another audience", (claims) => ({ ...claims, aud: "another" })],
    ["another issuer", (claims) => ({ ...claims, iss: "https://evil.example" })],
    ["an ID token of yesterday", (claims) => ({ ...claims, iat: 1, exp: 2 })],
  ])("is refused with %s", async (_, tamper) => {
    provider.tamper = tamper;
    const browser = scene.browser();
    expect(await signIn(browser, verified("eve@joins.example"))).toBe(refused("failed"));
    expect(browser.cookies.size).toBe(0);
  });

  it("is refused with the signature of another", async () => {
    provider.signsWrong = true;
    expect(await signIn(scene.browser(), verified("eve@joins.example"))).toBe(refused("failed"));
  });

  it("is taken from the browser that has begun it, once, with its own state", async () => {
    provider.next = verified("eve@joins.example");
    const attacker = scene.browser();
    const callback = await begin(attacker);
    // The attacker's own sign-in, which a victim is made to end: the victim would work in the attacker's account.
    const victim = scene.browser();
    expect((await victim.visit(callback)).headers.get("location")).toBe(refused("failed"));
    await begin(victim);
    expect((await victim.visit(callback)).headers.get("location")).toBe(refused("failed"));
    const cookies = new Map(attacker.cookies);
    const both = await Promise.all(
      [0, 1].map(async () => {
        const browser = scene.browser();
        for (const [name, value] of cookies) browser.cookies.set(name, value);
        return (await browser.visit(callback)).headers.get("location");
      }),
    );
    expect(both.toSorted()).toEqual([home(), refused("failed")]);
    const late = scene.browser();
    const stale = await begin(late);
    scene.clock.time += 10 * 60_000;
    expect((await late.visit(stale)).headers.get("location")).toBe(refused("failed"));
  });

  it("leads to no other site, whatever is added to it", async () => {
    provider.next = verified("eve@joins.example");
    const browser = scene.browser();
    const callback = new URL(await begin(browser));
    for (const name of ["returnTo", "redirect_uri", "next", "iss"]) {
      if (name !== "iss") callback.searchParams.set(name, "https://evil.example/");
    }
    const response = await browser.visit(callback.href);
    expect(response.headers.get("location")).toBe(home());
    const failed = await scene.browser().visit(at("/admin/api/oidc/callback?error=//evil.example&state=x"));
    expect(failed.headers.get("location")).toBe(refused("failed"));
    const started = await scene
      .browser()
      .visit(at("/admin/api/oidc/start?redirect_uri=https://evil.example"));
    expect(started.headers.get("location")).not.toContain("evil");
  });

  it("ends the session that the browser had", async () => {
    const fixed = await scene.member("fixed@example.com", "read");
    const cookie = fixed.cookies.get("creditgate-session") ?? "";
    const browser = scene.browser();
    browser.cookies.set("creditgate-session", cookie);
    await signIn(browser, verified("eve@joins.example"));
    expect((await fixed.get("/account")).status).toBe(401);
  });
});

describe("an identity provider that is not there", () => {
  it("keeps nobody from a password, nor the server from starting", async () => {
    const port = await freePort();
    const notices: string[] = [];
    const alone = await openPeopleScene({
      port,
      people: {
        publicUrl: `http://127.0.0.1:${port}`,
        oidc: { issuer: "http://127.0.0.1:1", clientId: "creditgate" },
      },
      onNotice: (line) => notices.push(line),
    });
    try {
      const browser = alone.browser();
      const sent = await browser.visit(`${alone.plane.baseUrl}/admin/api/oidc/start`);
      expect(sent.headers.get("location")).toBe(
        `${alone.plane.baseUrl}/dashboard/sign-in?refused=unavailable`,
      );
      expect(notices).toEqual([expect.stringMatching(/^OpenID Connect: /)]);
      const used = await browser.post("/links/use", {
        token: tokenOf(alone.plane.firstOwnerLink),
        email: "o@example.com",
        password,
      });
      expect(used.status).toBe(201);
    } finally {
      await alone.plane.stop();
    }
  });
});
