import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connect } from "../src/database/connection.ts";
import { createPasswords } from "../src/people/passwords.ts";
import { hour } from "./admin-scene.ts";
import type { Received } from "./caller.ts";
import { waitsForLock } from "./database-activity.ts";
import {
  type Browser,
  createBrowser,
  openPeopleScene,
  type PeopleScene,
  password,
  tokenOf,
} from "./people-scene.ts";

const victim = "victim@example.com";
const session = "creditgate-session";

let scene: PeopleScene;
let signedIn: Browser;
beforeAll(async () => {
  scene = await openPeopleScene();
  signedIn = await scene.member(victim, "owner");
});
afterAll(() => scene.plane.stop());
beforeEach(() => {
  scene.clock.time += 10 * 60_000;
});

const invite = async (email: string, roles: readonly string[] = ["read"]) =>
  tokenOf((await scene.admin.post(`${scene.path}/invitations`, { email, roles })).json.link);

/** A change that succeeds where a page of ours asks for it. */
const change = (browser: Browser, headers: Readonly<Record<string, string>>, body: unknown = undefined) =>
  browser.post(`${scene.path}/settings`, body ?? { timeZone: "Europe/Amsterdam" }, headers);

describe("a session that an attacker has put into the browser", () => {
  it("is not the one that is signed in", async () => {
    const browser = scene.browser();
    const fixed = `cgs_${"A".repeat(43)}`;
    browser.cookies.set(session, fixed);
    expect((await browser.post("/sign-in", { email: victim, password })).status).toBe(200);
    expect(browser.cookies.get(session)).not.toBe(fixed);
    const attacker = scene.browser();
    attacker.cookies.set(session, fixed);
    expect((await attacker.get("/account")).status).toBe(401);
  });

  it("and is the attacker's own, ends when the victim signs in", async () => {
    const attacker = await scene.member("fixing@example.com", "read");
    const own = attacker.cookies.get(session) ?? "";
    const browser = scene.browser();
    browser.cookies.set(session, own);
    await browser.post("/sign-in", { email: victim, password });
    expect((await browser.get("/account")).json).toMatchObject({ user: { email: victim } });
    expect((await attacker.get("/account")).status).toBe(401);
  });

  it("beside the right one, makes the browser a stranger rather than the attacker", async () => {
    const cookie = `${session}=cgs_${"A".repeat(43)}; ${session}=${signedIn.cookies.get(session)}`;
    const response = await fetch(`${scene.plane.baseUrl}/admin/api/account`, { headers: { cookie } });
    expect(response.status).toBe(401);
  });
});

describe("a request that another site makes the browser send", () => {
  it.each<[string, Readonly<Record<string, string>>]>([
    ["its origin", { origin: "https://evil.example" }],
    ["the origin of a sandbox", { origin: "null" }],
    ["another port of this machine", { origin: "http://127.0.0.1:1" }],
    ["the origin as a prefix", { origin: "http://127.0.0.1.evil.example" }],
    ["a name that it has pointed here", { origin: "http://evil.example", host: "evil.example" }],
    ["https where we are http", { origin: "https://127.0.0.1" }],
    ["Sec-Fetch-Site: cross-site", { "sec-fetch-site": "cross-site" }],
    ["Sec-Fetch-Site: same-site", { "sec-fetch-site": "same-site" }],
    ["Sec-Fetch-Site: none", { "sec-fetch-site": "none" }],
  ])("changes nothing: %s", async (_, headers) => {
    const refused = await change(signedIn, headers);
    expect([refused.status, refused.json.code]).toEqual([403, "origin_refused"]);
    const own = await signedIn.post("/sign-in", { email: victim, password }, headers);
    expect(own.json.code).toBe("origin_refused");
    expect((await change(signedIn, {})).status).toBe(200);
  });

  it("changes nothing without an Origin, as an old browser sends a form", async () => {
    const cookie = `${session}=${signedIn.cookies.get(session)}`;
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data",
      "application/json",
    ]) {
      const response = await fetch(`${scene.plane.baseUrl}/admin/api${scene.path}/settings`, {
        method: "POST",
        headers: { cookie, "content-type": type },
        body: '{"timeZone":"Europe/Paris"}',
      });
      expect([type, response.status]).toEqual([type, 403]);
    }
  });

  it("changes nothing as a form or as text, not even from a page of ours", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded"]) {
      const refused = await change(signedIn, { "content-type": type }, '{"timeZone":"Europe/Paris"}');
      expect([type, refused.status]).toEqual([type, 415]);
    }
  });

  it("reads nothing", async () => {
    for (const relation of ["cross-site", "same-site"]) {
      const read = await signedIn.get(`${scene.path}/usage.csv`, { "sec-fetch-site": relation });
      expect(read.json.code).toBe("origin_refused");
    }
    const { headers } = await signedIn.get("/account");
    expect(headers.get("access-control-allow-origin")).toBeNull();
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });

  it("gets no permission for a method or a header that needs one", async () => {
    const preflight = await fetch(`${scene.plane.baseUrl}/admin/api${scene.path}/settings`, {
      method: "OPTIONS",
      headers: { origin: "https://evil.example", "access-control-request-method": "POST" },
    });
    expect(preflight.headers.get("access-control-allow-origin")).toBeNull();
  });

  it("is not helped by a header Authorization that is wrong, nor hides behind one", async () => {
    const refused = await signedIn.get("/account", { authorization: "Bearer nothing" });
    expect(refused.status).toBe(401);
    const basic = await signedIn.get("/account", { authorization: "Basic YTpi" });
    expect(basic.status).toBe(401);
  });
});

describe("the header Host", () => {
  it("is in no link", async () => {
    const response = await fetch(`${scene.plane.baseUrl}/admin/api${scene.path}/invitations`, {
      method: "POST",
      headers: {
        authorization: "Bearer cga_a-token-for-these-tests",
        "content-type": "application/json",
        host: "evil.example",
        "x-forwarded-host": "evil.example",
        forwarded: "host=evil.example",
      },
      body: JSON.stringify({ email: "host@example.com", roles: ["read"] }),
    });
    expect((await response.json()).link).toMatch(new RegExp(`^${scene.plane.baseUrl}/dashboard/welcome#`));
  });
});

describe("a role that is taken away", () => {
  it("is gone at the next request, from sessions and from tokens", async () => {
    const member = await scene.member("downgraded@example.com", "money");
    const { token } = (await member.post("/account/tokens", { name: "t" })).json;
    const { user } = (await member.get("/account")).json as { user: { userId: string } };
    const close = () => member.post(`${scene.path}/close-period`);
    const asToken = async () => {
      const response = await fetch(`${scene.plane.baseUrl}/admin/api${scene.path}/close-period`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}` },
      });
      return response.status;
    };
    expect([(await close()).status, await asToken()]).toEqual([200, 200]);
    await scene.admin.post(`${scene.path}/members/${user.userId}`, { roles: ["read"] });
    expect([(await close()).status, await asToken()]).toEqual([403, 403]);
    await scene.admin.post(`${scene.path}/members/${user.userId}/remove`);
    expect([(await close()).status, await asToken()]).toEqual([404, 404]);
    await scene.admin.post(`/users/${user.userId}`, { disabled: true });
    expect([(await close()).status, await asToken()]).toEqual([401, 401]);
  });
});

describe("one who has the old password, or a session, while the password is changed", () => {
  /** Does something while another request is about to change the password, which then has ended all sessions and tokens. */
  async function whileChanging(email: string, act: (person: Browser) => Promise<Received>) {
    const person = await scene.member(email, "read");
    const { pool, close } = connect(scene.plane.databaseUrl, 2);
    const client = await pool.connect();
    await client.query("begin");
    await client.query("update users set password_hash = 'another' where email = $1", [email]);
    const acting = act(person);
    const isHeld = async () => (await waitsForLock(pool)) > 0;
    await Promise.race([acting, expect.poll(isHeld).toBe(true)]);
    await client.query(
      "delete from user_sessions where user_id = (select user_id from users where email = $1)",
      [email],
    );
    await client.query("commit");
    client.release();
    const { status } = await acting;
    await close();
    return status;
  }

  it("does not sign in", async () => {
    const email = "stolen@example.com";
    const signIn = () => scene.browser().post("/sign-in", { email, password });
    expect(await whileChanging(email, signIn)).toBe(401);
  });

  it("makes no token", async () => {
    const make = (person: Browser) => person.post("/account/tokens", { name: "outlives" });
    expect(await whileChanging("tokens@example.com", make)).toBe(401);
  });
});

describe("a one-time link", () => {
  it("works once, however many use it at once", async () => {
    const token = await invite("once@example.com");
    const uses = await Promise.all(
      Array.from({ length: 8 }, () => scene.browser().post("/links/use", { token, password })),
    );
    expect(uses.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 404)]);
  });

  it("of one who is a user already opens no account, and stays good for its user", async () => {
    const token = await invite(victim, ["money"]);
    const attacker = scene.browser();
    const used = await attacker.post("/links/use", { token, password: "a password of the attacker" });
    expect([used.status, used.json.code]).toEqual([409, "account_exists"]);
    const other = await scene.member("other@example.com", "read");
    const second = await other.post("/links/use", { token });
    expect(second.json.code).toBe("account_exists");
    expect((await scene.browser().post("/sign-in", { email: victim, password })).status).toBe(200);
    expect((await signedIn.post("/links/use", { token })).status).toBe(200);
  });

  it("is used up by no one whose password is refused, and by none that is revoked", async () => {
    const token = await invite("careful@example.com");
    const browser = scene.browser();
    expect((await browser.post("/links/use", { token, password: "short" })).status).toBe(400);
    const { invitations } = (await scene.admin.get(`${scene.path}/invitations`)).json;
    const found = (invitations as { email: string; invitationId: string }[]).find(
      ({ email }) => email === "careful@example.com",
    );
    await scene.admin.post(`${scene.path}/invitations/${found?.invitationId}/revoke`);
    expect((await browser.post("/links/use", { token, password })).json.code).toBe("link_unknown");
    const late = await invite("late@example.com");
    scene.clock.time += 7 * 24 * hour;
    expect((await browser.post("/links/use", { token: late, password })).json.code).toBe("link_unknown");
    signedIn = scene.browser();
    await signedIn.post("/sign-in", { email: victim, password });
  });

  it("of a first owner is one of many, and dies with the first that is used", async () => {
    const { pool, close } = connect(scene.plane.databaseUrl);
    const { rows } = await pool.query(
      "select kind from user_links where kind = 'first_owner' and ended_at is null",
    );
    await close();
    expect(rows).toHaveLength(1);
    const token = tokenOf(scene.plane.firstOwnerLink);
    const used = await scene.browser().post("/links/use", { token, email: "evil@example.com", password });
    expect(used.json.code).toBe("link_unknown");
  });

  it("for a new password ends with the password, however it changes, and with the account", async () => {
    const email = "forgetful@example.com";
    const person = await scene.member(email, "read");
    const { user } = (await person.get("/account")).json as { user: { userId: string } };
    const ask = async () => tokenOf((await scene.admin.post(`/users/${user.userId}/link`)).json.link);
    const use = async (token: string) => {
      scene.clock.time += 10_000;
      return (await scene.browser().post("/links/use", { token, password: "what an attacker has chosen" }))
        .status;
    };
    const [first, second] = [await ask(), await ask()];
    const used = await person.post("/links/use", { token: second, password: "another long sentence" });
    expect([used.status, await use(first)]).toEqual([200, 404]);
    const third = await ask();
    const body = { currentPassword: "another long sentence", newPassword: "a third long sentence" };
    expect((await person.post("/account/password", body)).status).toBe(200);
    expect(await use(third)).toBe(404);
    const fourth = await ask();
    for (const disabled of [true, false]) await scene.admin.post(`/users/${user.userId}`, { disabled });
    expect(await use(fourth)).toBe(404);
  });

  it("needs its own secret: those of sessions and of users open nothing", async () => {
    const secret = signedIn.cookies.get(session);
    const used = await scene.browser().post("/links/use", { token: secret, password });
    expect(used.json.code).toBe("link_unknown");
    const asBearer = await fetch(`${scene.plane.baseUrl}/admin/api/account`, {
      headers: { authorization: `Bearer ${secret}` },
    });
    expect(asBearer.status).toBe(401);
  });
});

describe("an organisation", () => {
  it("is not told from one that there is not to those who are no members", async () => {
    const other = (await scene.admin.post("/organizations", { name: "Hidden" })).json.organizationId;
    const seen = await signedIn.get(`/organizations/${other}/customers`);
    const missing = await signedIn.get("/organizations/99999/customers");
    expect([seen.status, seen.json.code]).toEqual([missing.status, missing.json.code]);
    expect(seen.text.replace(String(other), "?")).toBe(missing.text.replace("99999", "?"));
  });
});

describe("a password", () => {
  it("costs the same work where there is no such account", async () => {
    const computed: string[] = [];
    const passwords = createPasswords(async (stored) => {
      computed.push(String(stored).split("$").slice(0, 4).join("$"));
      return true;
    });
    // Right or not, what was computed for nobody is nobody's.
    expect(await passwords.verify(undefined, "x")).toBe(false);
    expect(await passwords.verify(null, "x")).toBe(false);
    expect(await passwords.verify(await passwords.hash("x"), "x")).toBe(true);
    expect(new Set(computed)).toEqual(new Set(["$argon2id$v=19$m=19456,t=2,p=1"]));
    expect(computed).toHaveLength(3);
  });

  it("is not computed for more than a few at once, nor are more kept waiting than a few", async () => {
    let running = 0;
    let most = 0;
    const waiting: (() => void)[] = [];
    const passwords = createPasswords(async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise<void>((resolve) => waiting.push(resolve));
      running -= 1;
      return true;
    });
    const asked = Array.from({ length: 60 }, () => passwords.verify("x", "y"));
    const outcomes = Promise.allSettled(asked);
    const free = setInterval(() => waiting.shift()?.(), 0);
    const refused = (await outcomes).filter(({ status }) => status === "rejected");
    clearInterval(free);
    expect([most, refused.length]).toEqual([2, 8]);
  });
});

describe("what is stored", () => {
  it("opens nothing: no secret, no password", async () => {
    const { pool, close } = connect(scene.plane.databaseUrl);
    await signedIn.post("/account/tokens", { name: "stored" });
    const tables = ["users", "user_sessions", "user_tokens", "user_links", "oidc_flows", "audit_log"];
    const texts = await Promise.all(
      tables.map(async (table) =>
        JSON.stringify((await pool.query(`select ${table}::text as row from ${table}`)).rows),
      ),
    );
    await close();
    expect(texts.join()).not.toMatch(/cg[sulf]_|long sentence/);
  });
});

describe("guesses", () => {
  it("do not keep out one who has signed in, from the same address", async () => {
    const guess = () =>
      fetch(`${scene.plane.baseUrl}/admin/api/account`, {
        headers: { cookie: `${session}=cgs_${"B".repeat(43)}` },
      });
    const guesses = await Promise.all(Array.from({ length: 60 }, guess));
    const statuses = new Set(guesses.map(({ status }) => status));
    expect(statuses).toEqual(new Set([401, 429]));
    expect((await signedIn.get("/account")).status).toBe(200);
  });

  it("are small: who is nobody takes nothing of what bodies of organisations have", async () => {
    const large = { email: victim, password, more: "x".repeat(4 * 1024) };
    expect((await scene.browser().post("/sign-in", large)).status).toBe(413);
  });

  it("of one address leave the account open to others", async () => {
    const { createSignInLimits } = await import("../src/people/people.ts");
    const limits = createSignInLimits(scene.clock);
    for (let count = 0; count < 1_000; count++) {
      try {
        limits.begin(victim, "192.0.2.1");
      } catch {}
    }
    expect(() => limits.begin(victim, "192.0.2.1")).toThrow(/expected fewer attempts/);
    expect(() => limits.begin(victim, "192.0.2.2")).not.toThrow();
  });
});

describe("behind https", () => {
  it("the cookie is a __Host- one, and only the public URL may send it", async () => {
    const https = await openPeopleScene({ people: { publicUrl: "https://billing.example.com" } });
    try {
      const browser = createBrowser(https.plane.baseUrl, "https://billing.example.com");
      const token = tokenOf(https.plane.firstOwnerLink);
      expect(https.plane.firstOwnerLink).toMatch(/^https:\/\/billing\.example\.com\/dashboard\/welcome#/);
      const used = await browser.post("/links/use", { token, email: "o@example.com", password });
      expect(used.headers.getSetCookie()).toEqual([
        expect.stringMatching(
          /^__Host-creditgate-session=cgs_\S+; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict; Secure$/,
        ),
        expect.stringMatching(
          /^__Host-creditgate-device=cgd_\S+; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Strict; Secure$/,
        ),
      ]);
      expect((await browser.post("/organizations", { name: "New" })).status).toBe(201);
      const direct = await browser.post("/organizations", { name: "X" }, { origin: https.plane.baseUrl });
      expect(direct.json.code).toBe("origin_refused");
      const plain = createBrowser(https.plane.baseUrl, "https://billing.example.com");
      plain.cookies.set(session, browser.cookies.get("__Host-creditgate-session") ?? "");
      expect((await plain.get("/account")).status).toBe(401);
    } finally {
      await https.plane.stop();
    }
  });
});
