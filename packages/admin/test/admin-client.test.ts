import type { RequestListener } from "node:http";
import { inspect } from "node:util";
import type { Timing } from "@creditgate/client";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { rejection } from "../../client/test/rejection.ts";
import { json, raw, startServer } from "../../client/test/test-server.ts";
import { correctionRequest, createAdminClient, refundRequest, walletCreateRequest } from "../src/index.ts";

const canary = "cga_live_canary-7f3a+9b21==";
const wallet = { kind: "prepaid", creditCurrencyKey: "ai_credits" } as const;

/** All that a careless line of a log could show of a value. */
function shown(value: unknown): string {
  const stack = value instanceof Error ? `${value.stack}${value.message}` : "";
  return `${inspect(value, { depth: null, showHidden: true, getters: true })}${JSON.stringify(value)}${stack}`;
}

describe("createAdminClient", () => {
  it("sends the token as a bearer token, and nowhere else", async () => {
    const server = await startServer(json(200, { organizations: [], next: null }));
    const admin = createAdminClient({ baseUrl: server.url, adminToken: canary });
    await admin.organizations.list();
    const [request] = server.received;
    const { authorization, ...others } = request?.headers ?? {};
    expect(authorization).toBe(`Bearer ${canary}`);
    expect(shown({ ...request, headers: others })).not.toContain(canary);
    expect(shown(admin)).not.toContain(canary);
  });

  it("resumes a feed after a pause with full jitter, also when the server has ended it without an error", async () => {
    const ends: RequestListener = (_, response) => {
      response
        .writeHead(200, { "content-type": "text/event-stream" })
        .end("event: start\nid: 1\ndata: {}\n\n");
    };
    const server = await startServer(ends, json(503, {}), json(503, {}), ends);
    const pauses: number[] = [];
    // The feed ends after 45 s of silence, which no test waits for.
    const isPause = (ms: number) => ms < 40_000 && pauses.push(ms) < 100;
    const timing: Timing = {
      now: () => 0,
      random: () => 0.25,
      after: (ms, run) => {
        if (isPause(ms)) queueMicrotask(run);
        return () => {};
      },
    };
    const admin = createAdminClient({ baseUrl: server.url, adminToken: canary, timing });
    const states: string[] = [];
    const onState = (state: string) => void states.push(state);
    const feed = admin.organization("1").usage.feed({}, { onState });
    for (let starts = 0; starts < 2; starts++)
      expect((await feed.next()).value).toMatchObject({ type: "start" });
    await feed.return();
    expect(states).toEqual(["open", "waiting", "waiting", "waiting", "open"]);
    expect(pauses).toEqual([250, 250, 500]);
  });

  it("tells no token in its errors, also where the service tells it back", async () => {
    const server = await startServer(raw(401, JSON.stringify({ detail: `${canary} is unknown` })));
    const admin = createAdminClient({ baseUrl: server.url, adminToken: canary });
    const error = await rejection(admin.organizations.list());
    expect(error.problem?.detail).toBe("[api key] is unknown");
    expect(shown(error)).not.toContain(canary);
  });

  it("looks for a token that is missing at the first call, and then names the fix", async () => {
    const admin = createAdminClient({ baseUrl: "https://billing.example" });
    expect((await rejection(admin.organizations.list())).message).toBe(
      "adminToken: expected the token of an administrator (`creditgate serve` writes one to .creditgate/admin-token), " +
        "received none; set CREDITGATE_ADMIN_TOKEN, or give createAdminClient() the option adminToken",
    );
  });

  it("never takes the API key of the environment for a token", async () => {
    vi.stubEnv("CREDITGATE_API_KEY", "cg_live_an-api-key-of-the-application");
    onTestFinished(() => void vi.unstubAllEnvs());
    const server = await startServer(json(200, { organizations: [], next: null }));
    const error = await rejection(createAdminClient({ baseUrl: server.url }).organizations.list());
    expect(error.message).toMatch(/^adminToken: expected/);
    expect(server.received).toEqual([]);
  });

  it("refuses an option that there is not, an API key too", () => {
    const options = { baseUrl: "https://billing.example", adminToken: canary };
    expect(() => createAdminClient({ ...options, ...{ apiKey: "cg_test" } })).toThrow(
      /^apiKey: unknown option/,
    );
    expect(() => createAdminClient({ ...options, ...{ adminTokn: canary } })).toThrow(
      'did you mean "adminToken"?',
    );
  });

  it.each(["", "short", "alice:a-token-of-twenty-letters", "a token with spaces in it"])(
    "refuses %j for a token, without telling it",
    (adminToken) => {
      const create = () => createAdminClient({ baseUrl: "https://billing.example", adminToken });
      expect(create).toThrow(/^adminToken: expected 20 to 256 .* CREDITGATE_ADMIN_TOKEN/);
      if (adminToken) expect(create).not.toThrow(adminToken);
    },
  );

  it.each([
    ["an empty customer", "", wallet, "externalId"],
    ["a currency that is none", "alice", { ...wallet, creditCurrencyKey: "" }, "creditCurrencyKey"],
    ["a limit below 0", "alice", { ...wallet, overageLimit: -1 }, "overageLimit"],
    ["seven decimals", "alice", { ...wallet, overageLimit: 0.0000001 }, "overageLimit"],
    [
      "a postpaid wallet without a word of its limit",
      "alice",
      { kind: "postpaid", creditCurrencyKey: "c" },
      "postpaidLimit: Invalid input: expected a number of credits, where 0 is no limit",
    ],
    ["the limit of the other kind", "alice", { ...wallet, postpaidLimit: 1 }, "postpaidLimit"],
  ])("sends no request for %s", async (_, customer, request, field) => {
    const server = await startServer(json(500, {}));
    const acme = createAdminClient({ baseUrl: server.url, adminToken: canary }).organization("1");
    const error = await rejection(Reflect.apply(acme.wallets.create, undefined, [customer, request]));
    expect(error.code).toBe("invalid_option");
    expect(error.message).toContain(field);
    expect(server.received).toEqual([]);
  });

  it.each(["refund", "correct"] as const)("demands a key to %s, which must happen once", async (name) => {
    const server = await startServer(json(200, {}));
    const { wallets } = createAdminClient({ baseUrl: server.url, adminToken: canary }).organization("1");
    const gift = { customerId: "alice", creditCurrencyKey: "c", credits: 1, reason: "gift" };
    for (const options of [undefined, {}, { idempotencyKey: undefined }, { idempotencykey: "a" }]) {
      const error = await rejection(Reflect.apply(wallets[name], undefined, [gift, options]));
      expect(error).toMatchObject({
        code: "invalid_option",
        message: expect.stringContaining("idempotencyKey"),
      });
    }
    expect(server.received).toEqual([]);
  });

  it("refuses an answer that does not fit, and names the field", async () => {
    const server = await startServer(json(201, { customerId: "alice" }));
    const acme = createAdminClient({ baseUrl: server.url, adminToken: canary }).organization("1");
    const error = await rejection(acme.wallets.create("alice", wallet));
    expect(error).toMatchObject({ code: "answer_invalid", status: 201 });
    expect(error.message).toContain("creditCurrencyKey");
  });

  it("repeats what is safe to repeat, and nothing else", async () => {
    const server = await startServer(raw(500, ""));
    const options = { baseUrl: server.url, adminToken: canary, retries: 1 };
    const timing = { now: () => 0, random: () => 0, after: immediately };
    const acme = createAdminClient({ ...options, timing }).organization("1");
    await rejection(acme.wallets.create("alice", wallet));
    expect(server.received).toHaveLength(1);
    await rejection(acme.wallets.ensure("alice", wallet));
    expect(server.received).toHaveLength(3);
  });
});

/** Pauses are over at once; the deadline of an attempt, which is longer, is not. */
function immediately(ms: number, run: () => void): () => void {
  if (ms < 1_000) queueMicrotask(run);
  return () => {};
}

describe("adjustments", () => {
  const adjustment = { customerId: "alice", creditCurrencyKey: "ai_credits", reason: "Because" };

  it.each([1, 0.000001, 1e-6, 2.01, 1_000_000_000])("take %d credits", (credits) => {
    expect(refundRequest.parse({ ...adjustment, credits })).toMatchObject({ credits });
    expect(correctionRequest.parse({ ...adjustment, credits: -credits })).toMatchObject({
      credits: -credits,
    });
  });

  it.each([0, 1e-7, 1.0000001, 1_000_000_001, Number.NaN, Number.POSITIVE_INFINITY])(
    "refuse %d credits",
    (credits) => {
      expect(refundRequest.safeParse({ ...adjustment, credits }).success).toBe(false);
      expect(correctionRequest.safeParse({ ...adjustment, credits }).success).toBe(false);
    },
  );
});

describe("walletCreateRequest", () => {
  it("knows no third kind", () => {
    expect(walletCreateRequest.safeParse({ ...wallet, kind: "free" }).success).toBe(false);
  });
});
