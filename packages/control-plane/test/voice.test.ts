import { type Client, CreditgateError, createClient } from "@creditgate/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect } from "../src/database/connection.ts";
import { startServer } from "../src/index.ts";
import { startControlPlane, type TestControlPlane } from "../src/testing/index.ts";
import { type Caller, caller } from "./caller.ts";
import { phone } from "./phone.ts";

let plane: TestControlPlane;
let client: Client;
let call: Caller;
beforeAll(async () => {
  plane = await startControlPlane({ fixture: phone });
  client = createClient({ baseUrl: plane.baseUrl, apiKey: plane.apiKey });
  call = caller(plane);
});
afterAll(() => plane.stop());

let sessions = 0;
/** Opens a session of its own. */
async function open(customerId = "pre"): Promise<string> {
  const sessionId = `call-${++sessions}`;
  await client.voice.session({ sessionId, agentId: "caller", customerId });
  return sessionId;
}
const close = (sessionId: string, totalDuration = 0, indicator = "call completed") =>
  client.voice.indicator({ sessionId, indicator, totalDuration });

async function available(): Promise<number> {
  await plane.settled();
  return (await plane.balance("pre")).voice_credits?.available ?? Number.NaN;
}
/** What something costs Pre, in credits. */
async function cost(work: () => Promise<unknown>): Promise<number> {
  const before = await available();
  await work();
  return Number((before - (await available())).toFixed(6));
}
async function failure(work: Promise<unknown>): Promise<{ status: number | undefined; code: unknown }> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof CreditgateError)) throw new Error("Expected an error of the service.");
  return { status: error.status, code: error.problem?.code };
}

describe("a voice call (2.7, 4.6)", () => {
  it("is opened, tracked and closed, and debits a prepaid wallet once (3)", async () => {
    const credits = await cost(async () => {
      const sessionId = await open();
      await client.voice.stt({ sessionId, audioMinutes: 2.5, provider: "whisper", model: "v3", plan: "std" });
      await client.voice.llm({ sessionId, promptTokens: 1000, completionTokens: 500, cachedTokens: 400 });
      await client.voice.tts({ sessionId, characters: 1200, provider: "eleven" });
      expect(await available()).toBe(100);
      await close(sessionId, 3.5);
    });
    // 1 call, 3.5 minutes at 0.5, 2.5 of audio at 0.3, 600 tokens at 2 and 400 cached at 0.5, 500 at 4, 1200 characters.
    expect(credits).toBe(7.02);
  });

  it("accrues on a postpaid wallet, past its limit (3, 8)", async () => {
    await close(await open("post"), 4);
    await plane.settled();
    expect((await plane.balance("post")).voice_credits).toMatchObject({ available: 0, postpaid_used: 3 });
  });

  it("prices each part by its model, and what has no price of its own by the default", async () => {
    const credits = await cost(async () => {
      const sessionId = await open();
      await client.voice.stt({ sessionId, audioMinutes: 1, provider: "deepgram", model: "nova" });
      await client.voice.stt({ sessionId, audioMinutes: 1, provider: "deepgram", model: "other" });
      const tokens = { promptTokens: 100, completionTokens: 0, provider: "openai", model: "gpt-5" };
      await client.voice.llm({ sessionId, ...tokens, plan: "pro" });
      await client.voice.llm({ sessionId, ...tokens, plan: "free" });
      await close(sessionId);
    });
    expect(credits).toBe(1 + 0.2 + 0.3 + 1 + 0.2);
  });

  it("rounds up once, not once per part", async () => {
    const credits = await cost(async () => {
      const sessionId = await open();
      for (let part = 0; part < 5; part++) {
        await client.voice.stt({ sessionId, audioMinutes: 0.000_000_1 });
      }
      await close(sessionId);
    });
    expect(credits).toBe(1.000_001);
  });

  it("prices each part as of when it was received, and the call as of its end", async () => {
    const clock = { time: Date.now(), now: () => clock.time };
    const apiKey = "cg_test_versions";
    const start = (rate: number) =>
      startServer({
        databaseUrl: plane.databaseUrl,
        port: 0,
        settlementDelayMs: 0,
        clock,
        fixture: {
          organization: { name: "Versions", apiKey },
          agents: (phone.agents ?? []).map((agent) => ({
            ...agent,
            indicators: [
              {
                name: "call",
                billing: "CREDITS",
                currency: "voice_credits",
                price: { perEvent: rate, perThousandCharacters: rate },
              },
            ],
          })),
          customers: phone.customers,
        },
      });
    const [sessionId, characters] = ["versions", 1000];
    const before = await start(1);
    const early = createClient({ baseUrl: before.url, apiKey });
    await early.voice.session({ sessionId, agentId: "caller", customerId: "pre" });
    await early.voice.tts({ sessionId, characters });
    await before.stop();
    clock.time += 1;
    const after = await start(10);
    const late = createClient({ baseUrl: after.url, apiKey });
    await late.voice.tts({ sessionId, characters });
    await late.voice.indicator({ sessionId, indicator: "call", totalDuration: 1 });
    await after.settled();
    const { balances } = await late.wallets.balance("pre");
    await after.stop();
    expect(balances.voice_credits?.available).toBe(100 - 1 - 10 - 10);
  });

  it("counts cached tokens that are more than the prompt", async () => {
    const credits = await cost(async () => {
      const sessionId = await open();
      await client.voice.llm({ sessionId, promptTokens: 10, completionTokens: 0, cachedTokens: 1000 });
      await close(sessionId);
    });
    expect(credits).toBe(1.5);
  });

  it("is recorded, and debits nothing, with an indicator that is not in CREDITS (1)", async () => {
    expect(
      await cost(async () => {
        const sessionId = await open();
        await client.voice.tts({ sessionId, characters: 1_000_000 });
        await close(sessionId, 60, "call transferred");
      }),
    ).toBe(0);
    const { pool, close: disconnect } = connect(plane.databaseUrl);
    const { rows } = await pool.query(
      "select outcome from usage_outcomes where indicator = 'call transferred'",
    );
    await disconnect();
    expect(rows).toEqual([{ outcome: "not_credits" }]);
  });

  it("answers as docs/control-plane/api-answers.md has it", async () => {
    const sessionId = "call answered";
    const session = { sessionId, agentId: "caller", customerId: "pre" };
    const opened = await call("POST", "/api/v1/voice/session", { body: session });
    expect(opened).toMatchObject({ status: 201, json: { ...session, status: "open" } });
    const tracked = await call("POST", "/api/v1/voice/tts", { body: { sessionId, characters: 1 } });
    expect(tracked).toMatchObject({ status: 202, json: { status: "accepted", sessionId } });
    const body = { sessionId, indicator: "call completed", totalDuration: 1 };
    const closed = await call("POST", "/api/v1/voice/indicator", { body });
    expect(closed.status).toBe(202);
    expect(closed.json).toEqual({
      id: expect.any(String),
      status: "accepted",
      sessionId,
      indicator: "call completed",
    });
  });
});

describe("the order of voice calls (4, rule 3)", () => {
  const parts = ["stt", "llm", "tts", "indicator"] as const;
  const report = (part: (typeof parts)[number], sessionId: string, idempotencyKey: string) => {
    switch (part) {
      case "stt":
        return client.voice.stt({ sessionId, audioMinutes: 1 }, { idempotencyKey });
      case "llm":
        return client.voice.llm({ sessionId, promptTokens: 1, completionTokens: 1 }, { idempotencyKey });
      case "tts":
        return client.voice.tts({ sessionId, characters: 1 }, { idempotencyKey });
      case "indicator":
        return client.voice.indicator(
          { sessionId, indicator: "call completed", totalDuration: 1 },
          { idempotencyKey },
        );
    }
  };

  it.each(parts)("has no %s before its session: 404, and it may come again after it", async (part) => {
    const sessionId = `late-${part}`;
    const refused = await failure(report(part, sessionId, `early-${part}`));
    expect(refused).toEqual({ status: 404, code: "session_unknown" });
    await client.voice.session({ sessionId, agentId: "caller", customerId: "pre" });
    await report(part, sessionId, `early-${part}`);
  });

  it.each(parts)("has no %s after its indicator: 409, and nothing is added", async (part) => {
    const sessionId = await open();
    await close(sessionId);
    expect(
      await cost(async () => {
        const refused = await failure(report(part, sessionId, `closed-${sessionId}`));
        expect(refused).toEqual({ status: 409, code: "session_closed" });
      }),
    ).toBe(0);
  });

  it.each(parts)(
    "takes a %s that is sent again under its key once, also when the call is closed",
    async (part) => {
      const sessionId = await open();
      const credits = await cost(async () => {
        const first = await report(part, sessionId, `twice-${part}`);
        if (part !== "indicator") await close(sessionId);
        expect(await report(part, sessionId, `twice-${part}`)).toEqual(first);
      });
      expect(credits).toBe({ stt: 1.3, llm: 1.006, tts: 1.0001, indicator: 1.5 }[part]);
    },
  );

  it("has one session: 409 for a second, but the first answer for the same key", async () => {
    const session = { sessionId: "again", agentId: "caller", customerId: "pre" };
    const first = await client.voice.session(session, { idempotencyKey: "session-1" });
    expect(await client.voice.session(session, { idempotencyKey: "session-1" })).toEqual(first);
    expect(await failure(client.voice.session(session))).toEqual({ status: 409, code: "session_exists" });
    const other = { ...session, customerId: "post" };
    expect(await failure(client.voice.session(other, { idempotencyKey: "session-1" }))).toEqual({
      status: 422,
      code: "idempotency_key_reused",
    });
  });

  it("bills once what 20 indicators at once want to close, and all that was tracked before", async () => {
    const credits = await cost(async () => {
      const sessionId = await open();
      const tracked = await Promise.all(
        Array.from({ length: 10 }, () => client.voice.tts({ sessionId, characters: 1000 })),
      );
      expect(tracked).toHaveLength(10);
      const closings = await Promise.allSettled(Array.from({ length: 20 }, () => close(sessionId)));
      expect(closings.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    });
    expect(credits).toBe(2);
  });

  it("bills every part that was accepted, when parts and the indicator race", async () => {
    let accepted = 0;
    const credits = await cost(async () => {
      const sessionId = await open();
      const tracking = Array.from({ length: 20 }, () =>
        client.voice.tts({ sessionId, characters: 1000 }).then(() => {
          accepted += 1;
        }),
      );
      await Promise.allSettled([...tracking, close(sessionId)]);
    });
    expect(credits).toBeCloseTo(1 + accepted * 0.1, 6);
  });
});

describe("what voice refers to", () => {
  it.each([
    [{ agentId: "nobody" }, "agent_unknown"],
    [{ customerId: "nobody" }, "customer_unknown"],
  ])("is 404 where it is unknown: %j", async (changes, code) => {
    const session = { sessionId: "nowhere", agentId: "caller", customerId: "pre", ...changes };
    expect(await failure(client.voice.session(session))).toEqual({ status: 404, code });
  });

  it("leaves a call open whose indicator is unknown, or costs more than a ledger can hold", async () => {
    const sessionId = await open();
    expect(await failure(close(sessionId, 1, "none"))).toEqual({ status: 404, code: "indicator_unknown" });
    await close(sessionId, 1);
    const dear = await open();
    const tokens = {
      promptTokens: 1e9,
      completionTokens: 0,
      provider: "openai",
      model: "gpt-5",
      plan: "pro",
    };
    await Promise.all(Array.from({ length: 101 }, () => client.voice.llm({ sessionId: dear, ...tokens })));
    for (const _ of [1, 2]) {
      expect(await failure(close(dear))).toEqual({ status: 422, code: "amount_out_of_range" });
    }
  });

  it.each([
    ["stt", { audioMinutes: 1e308 }, "/audioMinutes"],
    ["stt", { audioMinutes: 1_000_001 }, "/audioMinutes"],
    ["llm", { promptTokens: 1e9 + 1, completionTokens: 0 }, "/promptTokens"],
    ["llm", { promptTokens: 0, completionTokens: 1e15 }, "/completionTokens"],
    ["llm", { promptTokens: 0, completionTokens: 0, cachedTokens: 1e15 }, "/cachedTokens"],
    ["tts", { characters: 1e15 }, "/characters"],
    ["indicator", { indicator: "call completed", totalDuration: 1e308 }, "/totalDuration"],
  ])("is refused with 400 where %s tells what no call can have: %j", async (part, body, pointer) => {
    const sessionId = await open();
    const { status, json } = await call("POST", `/api/v1/voice/${part}`, { body: { sessionId, ...body } });
    expect(status).toBe(400);
    expect(json.errors).toMatchObject([{ pointer }]);
    await close(sessionId);
  });

  it("is per organisation: the same session of another is another", async () => {
    const sessionId = await open();
    const apiKey = "cg_test_other";
    const fixture = { ...phone, organization: { name: "Other", apiKey } };
    const other = await startServer({ databaseUrl: plane.databaseUrl, port: 0, fixture });
    const stranger = createClient({ baseUrl: other.url, apiKey });
    const tracked = stranger.voice.tts({ sessionId, characters: 1 });
    expect(await failure(tracked)).toEqual({ status: 404, code: "session_unknown" });
    await stranger.voice.session({ sessionId, agentId: "caller", customerId: "pre" });
    await other.stop();
    expect(await cost(() => close(sessionId))).toBe(1);
  });
});
