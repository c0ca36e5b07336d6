import { readFile } from "node:fs/promises";
import { createOpenAI } from "@ai-sdk/openai";
import { holdFor, meteredModel, servicePrices } from "@creditgate/ai";
import { createClient } from "@creditgate/client";
import { type Charge, createGate } from "@creditgate/core";
import { type LanguageModel, streamText } from "ai";
import { startGateway } from "./ai/gateway.ts";
import type { ProviderTask } from "./ai/provider-process.ts";
import type { ServiceTask } from "./ai/service-process.ts";
import { medianOf } from "./comparison.ts";
import { startChild } from "./control-plane/child.ts";
import { createProgress } from "./progress.ts";
import { printTable } from "./table.ts";

const thinkingMs = 200;
const rounds = Number(process.env.CREDITGATE_ROUNDS ?? 60);
/** Of each, so many at once: what serves one request a second is compiled only after minutes. */
const warmUps = { calls: 200, atOnce: 20 };
/** Milliseconds that each may add to the first token, at the median; it is printed whether it holds. */
const target = 3;

const maxOutputTokens = 100;
const messages = [{ role: "user" as const, content: "What is a credit, and who has paid for it?" }];
const request = { model: "gpt-5", messages, maxOutputTokens };

/** One way to ask the model: when its first token is here, in milliseconds. It resolves when all that it does is done. */
type Asking = () => Promise<number>;

/** What the gateway and a metered model add to the first token of a model. */
export async function benchmarkAi(): Promise<void> {
  const address = new URL("../../../examples/llm-gateway/fixture.json", import.meta.url);
  const example: ServiceTask["fixture"] = JSON.parse(await readFile(address, "utf8"));
  const wallet = { currency: "ai_credits", kind: "prepaid" as const, available: 1e6 };
  const customers = [{ externalId: "alice", name: "Alice", wallets: [wallet] }];
  const fixture = { ...example, customers };
  const service = startChild<ServiceTask, { baseUrl: string; apiKey: string }>("../ai/service-process.js", {
    fixture,
  });
  const provider = startChild<ProviderTask, { url: string }>("../ai/provider-process.js", { thinkingMs });
  const stops: (() => Promise<unknown>)[] = [() => provider.stop(), () => service.stop()];
  try {
    const { baseUrl, apiKey } = await service.answer();
    const { url } = await provider.answer();
    const gateway = await startGateway({
      CREDITGATE_BASE_URL: baseUrl,
      CREDITGATE_API_KEY: apiKey,
      CUSTOMER_TOKENS: '{"token":"alice"}',
      OPENAI_API_KEY: "key",
      OPENAI_BASE_URL: `${url}/v1`,
    });
    stops.unshift(() => gateway.stop());
    const client = createClient({ baseUrl, apiKey });
    const gate = createGate({ client, currency: "ai_credits" });
    stops.unshift(() => gate.close());
    const prices = await servicePrices(client, { agentId: "gateway", indicator: "call" });
    if (prices === undefined) throw new Error("the control plane tells no prices");
    const model = createOpenAI({ baseURL: `${url}/v1`, apiKey: "key" }).chat("gpt-5");
    const work = { customerId: "alice", agentId: "gateway", indicator: "call" };
    print(
      await measure({
        direct: () => fetched(url),
        gateway: () => fetched(gateway.url),
        plain: () => streamed(() => model),
        metered: async () => {
          let charge: Charge | undefined;
          const first = await streamed(async () => {
            const hold = holdFor(request, { prices, provider: "openai" });
            const decision = await gate.authorize({ ...work, hold });
            if (!decision.allowed) throw new Error(decision.denial.title);
            charge = decision.charge;
            return meteredModel(model, charge, { prices, clamp: true });
          });
          await charge?.settle();
          return first;
        },
      }),
    );
  } finally {
    for (const stop of stops) await stop();
  }
}

/** Over HTTP, as a client in any language does. */
async function fetched(url: string): Promise<number> {
  const start = performance.now();
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: "Bearer token", "content-type": "application/json" },
    body: JSON.stringify({ model: "gpt-5", messages, max_completion_tokens: maxOutputTokens, stream: true }),
  });
  if (!response.ok || response.body === null) throw new Error(`answered ${response.status}`);
  return firstOf(response.body.pipeThrough(new TextDecoderStream()), start);
}

/** By the AI SDK; `modelOf` is part of what is timed. */
async function streamed(modelOf: () => LanguageModel | Promise<LanguageModel>): Promise<number> {
  const start = performance.now();
  const { textStream } = streamText({ model: await modelOf(), messages, maxOutputTokens });
  return firstOf(textStream, start);
}

/** When the first word was there. Reads on to the end, so that nothing is stopped. */
async function firstOf(pieces: AsyncIterable<string>, start: number): Promise<number> {
  let first = Number.NaN;
  for await (const piece of pieces) {
    if (Number.isNaN(first) && piece.includes("word")) first = performance.now() - start;
  }
  return first;
}

type Contender = keyof typeof contenders;
const contenders = {
  direct: "fetch",
  gateway: "fetch, through the gateway",
  plain: "AI SDK",
  metered: "AI SDK, with a hold and a metered model",
} as const;
const names = Object.keys(contenders) as Contender[];

type Times = Readonly<Record<Contender, readonly number[]>>;

/** In turns, so that whatever disturbs the machine disturbs them all; each round begins with another one. */
async function measure(askings: Readonly<Record<Contender, Asking>>): Promise<Times> {
  const times: Record<Contender, number[]> = { direct: [], gateway: [], plain: [], metered: [] };
  for (const name of names) {
    for (let calls = 0; calls < warmUps.calls; calls += warmUps.atOnce)
      await Promise.all(Array.from({ length: warmUps.atOnce }, askings[name]));
  }
  const progress = createProgress(rounds);
  for (let round = 0; round < rounds; round++) {
    const turn = round % names.length;
    for (const name of [...names.slice(turn), ...names.slice(0, turn)])
      times[name].push(await askings[name]());
    progress(round + 1);
  }
  return times;
}

const pairs = [
  ["gateway", "direct"],
  ["metered", "plain"],
] as const;

function print(times: Times): void {
  /** What it takes longer, round by round. */
  const added = (one: Contender, other: Contender) =>
    times[one].map((time, round) => time - (times[other][round] ?? Number.NaN));
  const high = (values: readonly number[]) =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.9)];
  printTable(
    ["ms to the first token", "median", "added", "p90", "added"],
    names.map((name) => {
      const [, other] = pairs.find(([one]) => one === name) ?? [];
      const more = other === undefined ? [] : added(name, other);
      const shown = (value: number | undefined) => (value === undefined ? "" : value.toFixed(2));
      return [
        contenders[name],
        shown(medianOf(times[name])),
        more.length === 0 ? "" : shown(medianOf(more)),
        shown(high(times[name])),
        more.length === 0 ? "" : shown(high(more)),
      ];
    }),
  );
  console.log(
    `\n${rounds} rounds, in turns, after ${warmUps.calls} calls of each to warm up, in front of a provider that takes ${thinkingMs} ms to its first token. Provider, gateway, control plane and client are processes of their own. Added is the median, or the 90th percentile, of the differences within a round.`,
  );
  for (const [one, other] of pairs) {
    const more = medianOf(added(one, other));
    console.log(
      `${more <= target ? "within" : "BEYOND"} the target: ${contenders[one]} adds ${more.toFixed(2)} ms of ${target}`,
    );
  }
}
