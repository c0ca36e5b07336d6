import { createOpenAI } from "@ai-sdk/openai";
import { holdFor, meteredModel, servicePrices } from "@creditgate/ai";
import { createClient } from "@creditgate/client";
import { type Charge, createGate } from "@creditgate/core";
import { type LanguageModel, streamText } from "ai";
import { task, tell } from "../control-plane/child.ts";
import { collectGarbage } from "../garbage.ts";
import { used } from "./used.ts";

/** A process that asks a provider by the AI SDK: billed where there is a service. */
export interface ModelTask {
  readonly providerUrl: string;
  readonly service?: { readonly baseUrl: string; readonly apiKey: string };
}

/** Asks so many times at once. */
export interface ModelQuestion {
  readonly calls: number;
  readonly prompt: string;
}

export interface ModelAnswer {
  /** Of the first call. */
  readonly firstMs: number;
  /** Of all calls, until their usage is delivered. */
  readonly cpuUs: number;
  readonly bytes: number;
}

const { providerUrl, service } = await task<ModelTask>();
const maxOutputTokens = 4_000;
const model = createOpenAI({ baseURL: `${providerUrl}/v1`, apiKey: "key" }).chat("gpt-5");

type Messages = readonly { readonly role: "user"; readonly content: string }[];
/** The model of one call; `end` is part of what is measured. */
type Asking = (messages: Messages) => Promise<{ readonly model: LanguageModel; end?(): Promise<unknown> }>;

const asking: Asking = service === undefined ? async () => ({ model }) : await metered(service);

async function metered(service: { readonly baseUrl: string; readonly apiKey: string }): Promise<Asking> {
  const client = createClient(service);
  const gate = createGate({ client, currency: "ai_credits" });
  const work = { customerId: "alice", agentId: "gateway", indicator: "call" };
  const prices = await servicePrices(client, work);
  if (prices === undefined) throw new Error("the control plane tells no prices");
  return async (messages) => {
    const hold = holdFor({ model: "gpt-5", messages, maxOutputTokens }, { prices, provider: "openai" });
    const decision = await gate.authorize({ ...work, hold });
    if (!decision.allowed) throw new Error(decision.denial.title);
    const charge: Charge = decision.charge;
    return {
      model: meteredModel(model, charge, { prices, clamp: true }),
      async end() {
        await charge.settle();
        await gate.flush();
      },
    };
  };
}

/** Returns the milliseconds to its first word. */
async function ask(prompt: string): Promise<number> {
  const start = performance.now();
  const messages = [{ role: "user" as const, content: prompt }];
  const { model, end } = await asking(messages);
  let first = Number.NaN;
  for await (const text of streamText({ model, messages, maxOutputTokens }).textStream) {
    if (Number.isNaN(first) && text !== "") first = performance.now() - start;
  }
  await end?.();
  return first;
}

process.on("message", async ({ calls, prompt }: ModelQuestion) => {
  collectGarbage();
  const before = used();
  const [firstMs = Number.NaN] = await Promise.all(Array.from({ length: calls }, () => ask(prompt)));
  const after = used();
  tell({
    firstMs,
    cpuUs: after.cpuUs - before.cpuUs,
    bytes: after.bytes - before.bytes,
  } satisfies ModelAnswer);
});
process.once("SIGTERM", () => process.exit());
tell({});
