import { meteredModel } from "@creditgate/ai";
import {
  type Completion,
  createVoiceCall,
  listedVoicePrices,
  type Speech,
  serviceVoicePrices,
  type Transcription,
  type VoiceCallOptions,
} from "@creditgate/ai/voice";
import { createTestGate } from "@creditgate/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ai7 } from "../ai7.ts";
import { Provider } from "../provider.ts";

const provider = new Provider();
beforeAll(() => provider.start());
afterAll(() => provider.stop());

/** Options of a call on a service that takes all, and what it was sent. */
function callOptions(changes: object = {}) {
  const posted: (readonly [string, object])[] = [];
  const post = (kind: string) => async (body: object) => {
    posted.push([kind, body]);
    return { echoed: true };
  };
  const { gate, clock } = createTestGate({ alice: 100 });
  const options = {
    client: {
      customers: { createOrGet: post("customer") },
      voice: {
        session: post("session"),
        stt: post("stt"),
        llm: post("llm"),
        tts: post("tts"),
        indicator: post("indicator"),
      },
    },
    gate,
    customer: { externalId: "alice", name: "Alice" },
    agentId: "reception",
    indicator: "call",
    sessionId: "call-1",
    prices: listedVoicePrices({ price: { perEvent: 1 } }),
    hold: { ahead: 2, reserve: 1 },
    clock,
    ...changes,
  } as VoiceCallOptions;
  return { options, posted, clock, gate };
}

async function open(changes?: object) {
  const { options, ...rest } = callOptions(changes);
  const decision = await createVoiceCall(options);
  if (!decision.allowed) throw new Error("denied");
  return { call: decision.call, ...rest };
}

describe("what is measured in a voice call", () => {
  it("is added up by kind, provider, model and plan, and told in minutes, tokens and characters", async () => {
    const { call, posted, clock } = await open();
    const [nova, flash] = [
      { provider: "deepgram", model: "nova" },
      { provider: "eleven", plan: "pro" },
    ];
    call.tts({ ...flash, characters: 40 });
    call.stt({ ...nova, seconds: 0.1 });
    call.stt({ ...nova, seconds: 0.2 });
    call.stt({ seconds: 6 });
    call.llm({ inputTokens: 10, outputTokens: 2, cachedInputTokens: 99 });
    call.llm({ inputTokens: 5, outputTokens: 1 });
    call.tts({ ...flash, characters: 2 });
    call.tts({ characters: 0 });
    await clock.advance(1_500);
    await call.end();
    const sessionId = "call-1";
    expect(posted.slice(2)).toEqual([
      // What came first goes at once; the rest together, while that was on its way.
      ["tts", { sessionId, ...flash, characters: 40 }],
      ["stt", { sessionId, ...nova, audioMinutes: 0.005 }],
      ["stt", { sessionId, audioMinutes: 0.1 }],
      ["llm", { sessionId, promptTokens: 15, completionTokens: 3, cachedTokens: 10 }],
      ["tts", { sessionId, ...flash, characters: 2 }],
      ["indicator", { sessionId, indicator: "call", totalDuration: 0.025 }],
    ]);
  });

  it("is told in millionths of a minute, rounded up, however it is divided", async () => {
    const { call, posted, clock } = await open();
    for (let part = 0; part < 7; part++) {
      call.stt({ seconds: 0.000_1 });
      await clock.advance(0);
    }
    await call.end();
    const minutes = posted.flatMap(([, body]) => ("audioMinutes" in body ? [Number(body.audioMinutes)] : []));
    // 700 microseconds are 11.67 millionths of a minute.
    expect(Math.round(minutes.reduce((sum, one) => sum + one, 0) * 1e6)).toBe(12);
    expect(minutes.length).toBeGreaterThan(1);
  });

  it("comes from metered models by themselves", async () => {
    const { call, clock } = await open();
    const { speech, transcription } = ai7.media({ url: provider.url });
    const { chat } = ai7.models({ url: provider.url });
    const metered = (model: typeof chat) => meteredModel(model, call, { logger: false });
    await ai7.transcribe(metered(transcription));
    await ai7.generate(metered(chat));
    await ai7.speak(metered(speech), "Hello 👋");
    const ended = call.end();
    await clock.advance(0);
    const { parts } = await ended;
    expect(parts).toMatchObject([
      { kind: "stt", provider: "openai", model: "whisper-1" },
      { kind: "llm", provider: "openai", model: "gpt-5" },
      { kind: "tts", provider: "openai", model: "tts-1", characters: 7 },
    ]);
  });

  it.each([
    ["before", true],
    ["after", false],
  ])(
    "is billed once where the handler measures a metered model %s it does, and told",
    async (_when, isBefore) => {
      const { call, clock, gate } = await open();
      const emitted: object[] = [];
      gate.on("duplicate", (event) => emitted.push(event));
      const byHand = () => call.llm({ model: "gpt-5", inputTokens: 10, outputTokens: 5 });
      const metered = () =>
        call.report({ provider: "openai", model: "gpt-5-2025-08-07", inputTokens: 10, outputTokens: 5 });
      for (const measure of isBefore ? [byHand, metered] : [metered, byHand]) measure();
      // Another call, that happens to be as long: each is found once.
      byHand();
      const ended = call.end();
      await clock.advance(0);
      const { parts } = await ended;
      expect(parts.reduce((sum, part) => sum + (part.kind === "llm" ? part.promptTokens : 0), 0)).toBe(20);
      expect(emitted).toMatchObject([{ what: "report", billed: "once", usage: { inputTokens: 10 } }]);
    },
  );

  it("has what a model has used that goes on when the call ends", async () => {
    const { call, clock } = await open();
    provider.plans.push({ pieces: 3 });
    const { textStream } = ai7.stream(
      meteredModel(ai7.models({ url: provider.url }).chat, call, { logger: false }),
    );
    let read = 0;
    for await (const _ of textStream) if (++read === 3) break;
    const ended = call.end();
    await clock.advance(0);
    expect((await ended).parts).toMatchObject([{ kind: "llm", completionTokens: expect.any(Number) }]);
  });

  const bad: readonly (readonly [string, (call: Awaited<ReturnType<typeof open>>["call"]) => void])[] = [
    ["stt(): expected an object", (call) => call.stt(null as never)],
    ["stt().seconds: expected a number", (call) => call.stt({} as Transcription)],
    ["stt().seconds: expected a number", (call) => call.stt({ seconds: -1 })],
    ["stt().seconds: expected a number", (call) => call.stt({ seconds: Number.NaN })],
    ["stt().minutes: unknown field", (call) => call.stt({ seconds: 1, minutes: 2 } as Transcription)],
    ["stt().provider: expected", (call) => call.stt({ seconds: 1, provider: 5 as never })],
    ["llm().inputTokens: expected", (call) => call.llm({ outputTokens: 1 } as Completion)],
    ["llm().outputTokens: expected", (call) => call.llm({ inputTokens: 1, outputTokens: 0.5 })],
    ['did you mean "inputTokens"', (call) => call.llm({ promptTokens: 1 } as never)],
    ["tts().characters: expected", (call) => call.tts({ characters: "12" as never })],
    ["tts().characters: expected", (call) => call.tts({} as Speech)],
    ["usage: expected seconds, characters or tokens", (call) => call.report({ images: 1 })],
  ];

  it.each(bad)("is refused where it is no count, and measures nothing: %s", async (message, measure) => {
    const { call, clock } = await open();
    expect(() => measure(call)).toThrow(message);
    call.start();
    const ended = call.end();
    await clock.advance(0);
    expect((await ended).parts).toEqual([]);
  });
});

describe("createVoiceCall", () => {
  it.each([
    [{ client: {} }, "client: expected a client, as createClient() makes it"],
    [{ gate: undefined }, "gate: expected a gate"],
    [{ customer: "alice" }, "customer: expected an object with externalId and name"],
    [{ customer: { externalId: "", name: "Alice" } }, "customer.externalId: expected"],
    [{ agentId: "" }, "agentId: expected"],
    [{ indicator: undefined }, "indicator: expected"],
    [{ sessionId: "a\nb" }, "sessionId: expected"],
    [{ prices: undefined }, "prices: expected what a call costs; ask serviceVoicePrices()"],
    [{ prices: () => Number.NaN }, "prices(): expected a number of credits"],
    [{ hold: 5 }, "hold: expected an object with ahead and reserve"],
    [{ hold: { ahead: 0, reserve: 1 } }, "hold.ahead: expected a number above 0"],
    [{ hold: { ahead: 1, reserve: -1 } }, "hold.reserve: expected"],
    [{ hold: { ahead: 1, reserve: 0, behind: 1 } }, "hold.behind: unknown"],
    [{ graceMs: -1 }, "graceMs: expected"],
    [{ unopened: true }, 'unopened: expected "refuse" or "start"'],
    [{ onExhausted: "bye" }, "onExhausted: expected a function"],
    [{ signal: {} }, "signal: expected an AbortSignal"],
    [{ ambiguous: "maybe" }, "ambiguous: expected"],
    [{ logger: true }, "logger: expected"],
    [{ onExhaustd: () => {} }, 'did you mean "onExhausted"'],
  ])("refuses %j", async (changes, message) => {
    const { options, posted } = callOptions(changes);
    await expect(createVoiceCall(options)).rejects.toThrow(message);
    expect(posted).toEqual([]);
  });

  it.each([
    [{ seconds: -1 }, "seconds: expected"],
    [{ indicator: "" }, "indicator: expected"],
    [{ deliveryMs: Number.NaN }, "deliveryMs: expected"],
    [{ duration: 5 }, "duration: unknown"],
  ])("makes a call whose end refuses %j, and goes on", async (how, message) => {
    const { call } = await open();
    call.start();
    expect(() => call.end(how as object)).toThrow(message);
    expect(call.state).toBe("running");
  });
});

describe("listedVoicePrices", () => {
  const origin = { provider: "openai", model: "gpt-5" };
  const prices = listedVoicePrices({
    price: { perEvent: 1, perCallMinute: "0.5", perThousandInputTokens: 2, perThousandOutputTokens: 4 },
    modelPrices: [
      { ...origin, plan: "pro", price: { perThousandInputTokens: 10 } },
      { ...origin, price: { perThousandCachedTokens: 1 } },
    ],
  });
  const llm = { kind: "llm", promptTokens: 1_000, completionTokens: 500, cachedTokens: 400 } as const;

  it.each([
    [{ callMinutes: 3.5, parts: [] }, 2.75],
    [{ callMinutes: 0, parts: [llm] }, 1 + 2 + 2],
    [{ callMinutes: 0, parts: [{ ...llm, ...origin }] }, 1 + 1.2 + 0.4 + 2],
    [{ callMinutes: 0, parts: [{ ...llm, ...origin, plan: "pro" }] }, 1 + 10 + 2],
    [{ callMinutes: 0, parts: [{ ...llm, ...origin, plan: "free" }] }, 1 + 1.2 + 0.4 + 2],
    [{ callMinutes: 0.000_001, parts: [{ kind: "tts", characters: 9 } as const] }, 1.000_001],
  ])("price %j", (usage, credits) => {
    expect(prices(usage)).toBe(credits);
  });

  it("refuse a rate that is not known, or is no amount", () => {
    expect(() => listedVoicePrices({ price: { perMinute: 1 } as never })).toThrow(
      "price.perMinute: unknown rate",
    );
    expect(() => listedVoicePrices({ price: { perCallMinute: -1 } })).toThrow(
      "price.perCallMinute: expected",
    );
  });

  it("are not those of a service that does not tell them", async () => {
    const agents = { list: async () => ({ agents: [{ agentId: "reception", indicators: ["call"] }] }) };
    expect(await serviceVoicePrices({ agents }, { agentId: "reception", indicator: "call" })).toBe(undefined);
  });
});
