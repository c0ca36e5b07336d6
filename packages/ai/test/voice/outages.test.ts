import {
  createVoiceCall,
  listedVoicePrices,
  type VoiceCallOptions,
  type VoicePost,
} from "@creditgate/ai/voice";
import { CreditgateError, endpoints } from "@creditgate/client";
import type { TestControlPlane } from "@creditgate/control-plane/testing";
import { createTestGate } from "@creditgate/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Phone, startPhone } from "./phone.ts";
import { Book, turn } from "./script.ts";

let plane: TestControlPlane;
beforeAll(async () => {
  plane = await startPhone({ alice: 1_000 });
});
afterAll(() => plane.stop());

const sessionPath = endpoints.voiceSession.path;

describe("a voice call whose session cannot be opened", () => {
  it.each([sessionPath, endpoints.customerCreateOrGet.path])(
    "is none, and nothing is held: %s",
    async (path) => {
      const phone = new Phone(plane);
      phone.network.otherwise = (sent) => (sent === path ? "503" : undefined);
      const decision = await phone.decide("alice");
      expect(decision).toEqual({
        allowed: false,
        denial: {
          code: "session_unopened",
          status: 503,
          title: expect.any(String),
          retryable: true,
          retryAfter: 1,
        },
      });
      expect(await phone.gate.balance("alice")).toMatchObject({ held: 0 });
      const { length } = phone.network.sent;
      await phone.pass(300);
      expect(phone.network.sent).toHaveLength(length);
    },
  );

  it.each([
    ["the caller says so", { unopened: "start" }, "enforce"],
    ["its gate only observes", {}, "observe"],
  ] as const)("starts where %s, and is billed when the service is back", async (_, options, mode) => {
    const phone = new Phone(plane, { mode });
    const before = await phone.available("alice");
    phone.network.otherwise = (path) => (path === endpoints.walletBalance.path ? undefined : "503");
    const book = new Book();
    const call = await phone.open("alice", options);
    book.play(call, turn);
    await phone.pass(3);
    book.seconds = 3;
    const ended = call.end();
    await phone.pass(300);
    expect(call.state).toBe("ending");
    phone.network.otherwise = () => undefined;
    expect(await phone.passing(ended)).toMatchObject({ credits: book.total / 1e6, unposted: [] });
    expect(before - (await phone.available("alice"))).toBe(book.total);
  });

  it("is refused in observe mode too where the caller says so", async () => {
    const phone = new Phone(plane, { mode: "observe" });
    phone.network.otherwise = (path) => (path === sessionPath ? "503" : undefined);
    const decision = await phone.decide("alice", { unopened: "refuse" });
    expect(decision).toMatchObject({ allowed: false, denial: { code: "session_unopened" } });
  });

  it.each([
    ["an agent that the service does not know", { agentId: "nobody" }, "agent"],
    ["a session id that has been used", { sessionId: "used" }, "session"],
  ])("rejects with what the service says of %s", async (_, options, word) => {
    // The gate's own check of the agent, whose answer may come first, would deny the call.
    const phone = new Phone(plane, { check: false });
    const session = { sessionId: "used", agentId: "reception", customerId: "alice" };
    await phone.client.voice.session(session, { idempotencyKey: "used" });
    await expect(phone.decide("alice", { ...options, unopened: "start" })).rejects.toThrow(
      `${word}: expected`,
    );
    expect(await phone.gate.balance("alice")).toMatchObject({ held: 0 });
  });
});

describe("a voice call that the service does not take", () => {
  it("tells what it has given up, which can be repeated, and holds its credits meanwhile", async () => {
    const phone = new Phone(plane);
    const before = await phone.available("alice");
    const book = new Book();
    const call = await phone.open("alice");
    book.play(call, turn);
    await phone.pass(2);
    phone.network.otherwise = (path) => (path === endpoints.voiceLlm.path ? "answer lost" : "lost");
    book.play(call, turn);
    book.seconds = 2;
    const bill = await phone.passing(call.end({ deliveryMs: 90_000 }));
    const left = bill.unposted.map(({ post, mayHaveArrived }) => [post.kind, mayHaveArrived]);
    expect(left).toEqual([
      ["stt", true],
      ["llm", false],
      ["tts", false],
      ["indicator", false],
    ]);
    expect(phone.warnings).toEqual([
      expect.stringContaining(
        `voice call "${call.sessionId}": stt, llm, tts, indicator; first, CreditgateError`,
      ),
    ]);
    expect(await phone.gate.balance("alice")).toMatchObject({ held: call.held });
    phone.network.otherwise = () => undefined;
    for (const { post } of bill.unposted) await repeat(phone, post);
    expect(before - (await phone.available("alice"))).toBe(book.total);
  });

  it("goes on without a part that it refuses, and tells that", async () => {
    const phone = new Phone(plane);
    const before = await phone.available("alice");
    const book = new Book();
    const call = await phone.open("alice");
    book.play(call, turn);
    await phone.pass(1);
    book.seconds = 1;
    phone.network.plans.set(endpoints.voiceTts.path, ["rejected"]);
    call.tts({ characters: 5 });
    const bill = await phone.passing(call.end());
    expect(bill.unposted).toMatchObject([{ post: { kind: "tts" }, mayHaveArrived: false }]);
    expect(before - (await phone.available("alice"))).toBe(book.total);
  });

  it("keeps what it holds where its indicator is refused", async () => {
    const phone = new Phone(plane);
    const call = await phone.open("alice");
    call.start();
    const bill = await phone.passing(call.end({ indicator: "misspelt" }));
    expect(bill.unposted).toMatchObject([{ post: { kind: "indicator" }, mayHaveArrived: false }]);
    expect(await phone.gate.balance("alice")).toMatchObject({ held: 4 });
  });
});

function repeat({ client }: Phone, { kind, body, idempotencyKey }: VoicePost): Promise<unknown> {
  if (kind === "customer") throw new Error("a customer is known");
  const post = client.voice[kind] as (given: unknown, options: object) => Promise<unknown>;
  return post(body, { idempotencyKey });
}

describe("a service that is not known to honour keys", () => {
  /** Whose answer to what was heard is lost the first time, and which echoes keys or does not. */
  function service(echoed: boolean) {
    const heard: unknown[] = [];
    const answer = async () => ({ echoed });
    const client: VoiceCallOptions["client"] = {
      customers: { createOrGet: async () => ({}) },
      voice: {
        session: answer,
        async stt(body) {
          heard.push(body);
          if (heard.length === 1) throw new CreditgateError("connection_lost", "reset");
          return { echoed };
        },
        llm: answer,
        tts: answer,
        indicator: answer,
      },
    };
    return { client, heard };
  }

  it.each([
    [{ echoed: false, ambiguous: "auto" }, 1, ["stt"]],
    [{ echoed: true, ambiguous: "auto" }, 2, []],
    [{ echoed: true, ambiguous: "park" }, 1, ["stt"]],
    [{ echoed: false, ambiguous: "retry" }, 2, []],
  ] as const)("gets what may have arrived again as it is told to: %j", async (how, sent, left) => {
    const { gate, clock } = createTestGate({ alice: 100 });
    const { client, heard } = service(how.echoed);
    const decision = await createVoiceCall({
      client,
      gate,
      customer: { externalId: "alice", name: "Alice" },
      agentId: "reception",
      indicator: "call",
      prices: listedVoicePrices({ price: { perEvent: 1 } }),
      hold: { ahead: 1, reserve: 1 },
      ambiguous: how.ambiguous,
      logger: false,
      clock,
    });
    if (!decision.allowed) throw new Error("denied");
    const { call } = decision;
    call.stt({ seconds: 60 });
    const ended = call.end();
    await clock.advance(60_000);
    const { unposted } = await ended;
    expect(heard).toHaveLength(sent);
    expect(unposted.map(({ post, mayHaveArrived }) => [post.kind, mayHaveArrived])).toEqual(
      left.map((kind) => [kind, true]),
    );
  });
});
