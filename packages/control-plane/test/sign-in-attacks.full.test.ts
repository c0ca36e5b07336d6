import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type RunningServer, startServer } from "../src/index.ts";
import { createPasswords } from "../src/people/passwords.ts";
import { createSignInLimits } from "../src/people/people.ts";
import { createMigratedDatabase, type TestDatabase } from "../src/testing/index.ts";
import { type Admin, administrator } from "./administrator.ts";
import { caller } from "./caller.ts";
import { acme } from "./fixture.ts";
import { type Browser, createBrowser, password, tokenOf } from "./people-scene.ts";

const adminToken = "cga_a-token-for-these-tests";
const email = "boss@example.com";
const clock = { time: Date.UTC(2026, 0, 1), now: () => clock.time };
const notices: string[] = [];

let database: TestDatabase;
let server: RunningServer;
let admin: Admin;
let path: string;

const start = () =>
  startServer({
    databaseUrl: database.databaseUrl,
    port: 0,
    fixture: acme,
    clock,
    trustedProxies: 1,
    adminTokens: [{ name: "test", token: adminToken }],
    people: {},
    onNotice: (line) => notices.push(line),
  });

/** A browser, and where it is. */
function browserAt(address: string, at = server): Browser {
  const browser = createBrowser(at.url);
  const post: Browser["post"] = (to, body, headers) =>
    browser.post(to, body, { "x-forwarded-for": address, ...headers });
  return { ...browser, post, get: (to) => browser.get(to, { "x-forwarded-for": address }) };
}

const signIn = async (browser: Browser, secret = password) =>
  (await browser.post("/sign-in", { email, password: secret })).status;

beforeAll(async () => {
  database = await createMigratedDatabase();
  server = await start();
  admin = administrator(server.url, adminToken);
  path = `/organizations/${await admin.organizationId("Acme")}`;
  const { json } = await admin.post(`${path}/invitations`, { email, roles: ["owner"] });
  const used = await browserAt("192.0.2.1").post("/links/use", { token: tokenOf(json.link), password });
  expect(used.status).toBe(201);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});
beforeEach(() => {
  // All attempts are forgotten.
  clock.time += 24 * 3_600_000;
});

describe("one who knows an e-mail", () => {
  it("does not keep its owner out by guesses from many addresses", async () => {
    const guesses = await Promise.all(
      Array.from({ length: 11 }, async (_, index) => {
        const stranger = browserAt(`2001:db8:${index}::1`);
        const statuses: number[] = [];
        for (let guess = 0; guess < 10; guess++) statuses.push(await signIn(stranger, "wrong wrong wrong"));
        return statuses;
      }),
    );
    expect(new Set(guesses.flat())).toEqual(new Set([401]));
    expect(await signIn(browserAt("198.51.100.9"))).toBe(200);
  });

  it("keeps no browser out that has signed in, not even from the same address", async () => {
    const owner = browserAt("198.51.100.7");
    expect(await signIn(owner)).toBe(200);
    expect((await owner.post("/account/sign-out")).status).toBe(200);
    const neighbour = browserAt("198.51.100.7");
    for (let guess = 0; guess < 10; guess++) await signIn(neighbour, "wrong wrong wrong");
    expect([await signIn(neighbour), await signIn(owner)]).toEqual([429, 200]);
  });

  it("gains nothing by the cookie of another account, or of another password", async () => {
    const other = "other@example.com";
    const { json } = await admin.post(`${path}/invitations`, { email: other, roles: ["read"] });
    const attacker = browserAt("203.0.113.5");
    await attacker.post("/links/use", { token: tokenOf(json.link), password });
    expect(attacker.cookies.has("creditgate-device")).toBe(true);
    const guesses: number[] = [];
    for (let guess = 0; guess < 11; guess++) guesses.push(await signIn(attacker, "wrong wrong wrong"));
    expect(guesses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
  });

  it("is seen: failed attempts are in the log and in the audit log, a flood as a few records", async () => {
    notices.length = 0;
    const stranger = browserAt("203.0.113.9");
    const refusals = async () => {
      const { records } = (await admin.get("/audit?action=user.sign_in_refused&limit=100")).json;
      return (records as { at: string; subject: unknown; after: unknown }[]).filter(
        ({ at }) => Date.parse(at) >= clock.time,
      );
    };
    for (let guess = 0; guess < 9; guess++) await signIn(stranger, "wrong wrong wrong");
    for (let guess = 0; guess < 9; guess++) {
      await stranger.post("/sign-in", {
        email: `nobody-${guess}@example.com`,
        password: "wrong wrong wrong",
      });
    }
    await expect.poll(async () => (await refusals()).length).toBe(10);
    const [first] = (await refusals()).filter(({ subject }) => subject === email);
    expect(first).toMatchObject({ actor: "anyone", after: { address: "203.0.113.9", notRecorded: 0 } });
    expect((await refusals()).filter(({ subject }) => subject === null)).toHaveLength(5);
    expect(notices.filter((line) => line.includes(email) && line.includes("203.0.113.9"))).toHaveLength(5);
    expect(notices.join()).not.toContain("nobody-");
    clock.time += 3_600_000;
    await signIn(stranger, "wrong wrong wrong");
    await expect
      .poll(refusals)
      .toEqual([
        expect.objectContaining({ subject: email, after: { address: "203.0.113.9", notRecorded: 4 } }),
      ]);
  });
});

describe("strangers who announce bodies and do not send them", () => {
  it("keep nobody at another address from signing in", async () => {
    const { port, host } = new URL(server.url);
    const sockets = Array.from({ length: 200 }, (_, index) => {
      const socket = connect(Number(port), "127.0.0.1");
      socket.write(
        `POST /admin/api/sign-in HTTP/1.1\r\nhost: ${host}\r\norigin: ${server.url}\r\nx-forwarded-for: 203.0.113.${index % 4}\r\ncontent-type: application/json\r\ncontent-length: 4096\r\n\r\n`,
      );
      return socket;
    });
    try {
      // Then an address has begun what it may.
      await Promise.race(sockets.map((socket) => once(socket, "data")));
      expect(await signIn(browserAt("198.51.100.9"))).toBe(200);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });
});

describe("a replica that has just started, under a flood from 1,024 sources", () => {
  const flood = async (at: RunningServer, headers: (index: number) => Record<string, string>) => {
    const statuses = new Set<number>();
    const one = async (index: number) => {
      const from = `2001:db8:${(index >> 8).toString(16)}:${(index & 255).toString(16)}::1`;
      const url = `${at.url}/${headers(index).cookie === undefined ? "api/v1/agents" : "admin/api/account"}`;
      const response = await fetch(url, { headers: { "x-forwarded-for": from, ...headers(index) } });
      await response.text();
      statuses.add(response.status);
    };
    for (let index = 0; index < 1_024; index += 64) {
      await Promise.all(Array.from({ length: 64 }, (_, more) => one(index + more)));
    }
    return statuses;
  };

  it.each<[string, (index: number) => Record<string, string>]>([
    ["unknown keys", (index) => ({ "service-api-key": `nonsense-${index}` })],
    ["one unknown key", () => ({ "service-api-key": "nonsense" })],
    ["malformed keys", (index) => ({ "service-api-key": `cgk_${index}` })],
    ["no keys", () => ({})],
  ])("lets in valid keys, sessions, and who signs in: %s", async (_, headers) => {
    const known = browserAt("198.51.100.8");
    expect(await signIn(known)).toBe(200);
    const { apiKey } = (await admin.post(`${path}/api-keys`, { name: "new to the replica" })).json;
    const replica = await start();
    try {
      expect(await flood(replica, headers)).toEqual(new Set([401]));
      const call = caller({ baseUrl: replica.url, apiKey: String(apiKey) });
      const asked = await call("GET", "/api/v1/agents", { headers: { "x-forwarded-for": "198.51.100.7" } });
      expect(asked.status).toBe(200);
      const session = browserAt("198.51.100.8", replica);
      for (const [name, value] of known.cookies) session.cookies.set(name, value);
      expect((await session.get("/account")).status).toBe(200);
      expect(await signIn(browserAt("198.51.100.9", replica))).toBe(200);
    } finally {
      await replica.stop();
    }
  });

  it("lets in valid keys and who signs in: unknown sessions", async () => {
    const replica = await start();
    try {
      const guess = (index: number) => ({
        cookie: `creditgate-session=cgs_${String(index).padStart(43, "A")}`,
      });
      await flood(replica, guess);
      const call = caller({ baseUrl: replica.url, apiKey: acme.organization.apiKey ?? "" });
      const asked = await call("GET", "/api/v1/agents", { headers: { "x-forwarded-for": "198.51.100.7" } });
      expect(asked.status).toBe(200);
      expect(await signIn(browserAt("198.51.100.9", replica))).toBe(200);
    } finally {
      await replica.stop();
    }
  });
});

describe("createSignInLimits", () => {
  const granted = (count: number, guess: (index: number) => void) => {
    let grants = 0;
    for (let index = 0; index < count; index++) {
      try {
        guess(index);
        grants += 1;
      } catch {}
    }
    return grants;
  };

  it("bounds guesses at an account from any number of networks, and lets known devices guess beside them", () => {
    const limits = createSignInLimits(clock);
    const guess = (index: number) => limits.begin(email, `2001:db8:${(index % 60_000).toString(16)}::1`);
    expect(granted(2_000, guess)).toBe(300);
    expect(() => limits.begin(email, "198.51.100.9", "device")).not.toThrow();
    clock.time += 3_600_000;
    const perHour = granted(5_000, (index) => guess(5_000 + index));
    expect(perHour).toBe(300);
    let grants = 0;
    for (let second = 0; second < 3_600; second++) {
      clock.time += 1_000;
      grants += granted(1, () => guess(20_000 + second));
    }
    expect(grants).toBe(1_800);
  });

  it("takes nothing from an address, nor from its guesses at the account, for a guess that was not made", () => {
    const limits = createSignInLimits(clock);
    granted(300, (index) => limits.begin(email, `10.0.${index >> 8}.${index & 255}`));
    expect(granted(50, () => limits.begin(email, "198.51.100.9"))).toBe(0);
    clock.time += 60_000;
    expect(granted(50, () => limits.begin(email, "198.51.100.9"))).toBe(10);
  });

  it("bounds the guesses of a known device", () => {
    const limits = createSignInLimits(clock);
    expect(granted(50, () => limits.begin(email, "198.51.100.9", "device"))).toBe(10);
  });
});

describe("createPasswords", () => {
  it("computes one password of strangers at a time, and keeps known devices waiting for none of them", async () => {
    const finish = new Map<string, () => void>();
    const begun: string[] = [];
    const passwords = createPasswords(async (_, secret) => {
      begun.push(String(secret));
      await new Promise<void>((resolve) => finish.set(String(secret), resolve));
      return true;
    });
    const strangers = Array.from({ length: 51 }, (_, index) =>
      passwords.verify("x", `stranger ${index}`, "strangers"),
    );
    await expect(passwords.verify("x", "one too many", "strangers")).rejects.toMatchObject({ status: 503 });
    const owner = passwords.verify("x", "owner");
    await expect.poll(() => begun).toEqual(["stranger 0", "owner"]);
    finish.get("owner")?.();
    expect(await owner).toBe(true);
    expect(begun).toEqual(["stranger 0", "owner"]);
    for (let index = 0; index < 51; index++) {
      await expect.poll(() => begun).toContain(`stranger ${index}`);
      finish.get(`stranger ${index}`)?.();
    }
    expect(await Promise.all(strangers)).toHaveLength(51);
  });
});
