import { type Child, startChild } from "../control-plane/child.ts";
import { createProgress } from "../progress.ts";
import { type GatewayProcess, startGateway } from "./gateway.ts";
import type { HopTask } from "./hop-process.ts";
import type { ModelAnswer, ModelQuestion, ModelTask } from "./model-process.ts";
import type { ProbeQuestion } from "./probe.ts";
import type { ProviderTask } from "./provider-process.ts";
import type { Used } from "./used.ts";

/** Ways to ask a provider, each in a process of its own. */
export const ways = {
  direct: "fetch",
  hop: "fetch, through a bare hop",
  gateway: "fetch, through the gateway",
  plain: "AI SDK",
  metered: "AI SDK, with a hold and a metered model",
} as const;
export type Way = keyof typeof ways;

/** What is asked in one turn of one way. */
export interface Scene {
  readonly provider: ProviderTask;
  /** At once. */
  readonly calls: number;
  readonly prompt: string;
  readonly turns: number;
  readonly warmUps: number;
  /** For Node. */
  readonly options?: readonly string[];
}

export interface Service {
  readonly baseUrl: string;
  readonly apiKey: string;
}

type Asking = () => Promise<ModelAnswer>;
type Probed = Pick<GatewayProcess, "send" | "answer">;

/** Asks in all ways, in turns, so that whatever disturbs the machine disturbs them all; each turn begins with another one. */
export async function play(scene: Scene, service: Service): Promise<Readonly<Record<Way, ModelAnswer[]>>> {
  const { options, turns, warmUps } = scene;
  const stops: (() => Promise<unknown>)[] = [];
  const start = <Task extends object, Answer>(module: string, task: Task): Child<Answer> => {
    const child = startChild<Task, Answer>(`../ai/${module}.js`, task, options);
    stops.unshift(() => child.stop());
    return child;
  };
  try {
    const provider = start<ProviderTask, { url: string }>("provider-process", scene.provider);
    const { url: providerUrl } = await provider.answer();
    const hop = start<HopTask, never>("hop-process", { providerUrl }) as unknown as Probed;
    const { url: hopUrl } = await hop.answer<{ url: string }>();
    const gateway = await startGateway(variables(service, providerUrl), options);
    stops.unshift(() => gateway.stop());
    const plain = start<ModelTask, ModelAnswer>("model-process", { providerUrl });
    await plain.answer();
    const metered = start<ModelTask, ModelAnswer>("model-process", { providerUrl, service });
    await metered.answer();
    const askings: Readonly<Record<Way, Asking>> = {
      direct: () => fetched(providerUrl, scene),
      hop: () => probed(hop, () => fetched(hopUrl, scene)),
      gateway: () => probed(gateway, () => fetched(gateway.url, scene)),
      plain: () => modelled(plain, scene),
      metered: () => modelled(metered, scene),
    };
    const names = Object.keys(ways) as Way[];
    const answers: Record<Way, ModelAnswer[]> = { direct: [], hop: [], gateway: [], plain: [], metered: [] };
    const progress = createProgress(turns + warmUps);
    for (let turn = 0; turn < turns + warmUps; turn++) {
      const first = turn % names.length;
      for (const name of [...names.slice(first), ...names.slice(0, first)]) {
        const answer = await askings[name]();
        if (turn >= warmUps) answers[name].push(answer);
      }
      progress(turn + 1);
    }
    return answers;
  } finally {
    for (const stop of stops) await stop();
  }
}

function variables({ baseUrl, apiKey }: Service, providerUrl: string): Readonly<Record<string, string>> {
  return {
    CREDITGATE_BASE_URL: baseUrl,
    CREDITGATE_API_KEY: apiKey,
    CUSTOMER_TOKENS: '{"token":"alice"}',
    OPENAI_API_KEY: "key",
    OPENAI_BASE_URL: `${providerUrl}/v1`,
  };
}

async function modelled(child: Child<ModelAnswer>, { calls, prompt }: Scene): Promise<ModelAnswer> {
  child.send({ calls, prompt } satisfies ModelQuestion);
  return child.answer();
}

/** With what the process has used meanwhile. */
async function probed(child: Probed, ask: Asking): Promise<ModelAnswer> {
  const read = async (question: ProbeQuestion): Promise<Used> => {
    child.send(question);
    return child.answer();
  };
  const before = await read({ probe: "collect" });
  const { firstMs } = await ask();
  const after = await read({ probe: "read" });
  return { firstMs, cpuUs: after.cpuUs - before.cpuUs, bytes: after.bytes - before.bytes };
}

/** Over HTTP, as a client in any language does. */
async function fetched(url: string, { calls, prompt }: Scene): Promise<ModelAnswer> {
  const [firstMs = Number.NaN] = await Promise.all(
    Array.from({ length: calls }, () => firstWord(url, prompt)),
  );
  return { firstMs, cpuUs: Number.NaN, bytes: Number.NaN };
}

async function firstWord(url: string, prompt: string): Promise<number> {
  const body = JSON.stringify({
    model: "gpt-5",
    messages: [{ role: "user", content: prompt }],
    max_completion_tokens: 4_000,
    stream: true,
  });
  const start = performance.now();
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: "Bearer token", "content-type": "application/json" },
    body,
  });
  if (!response.ok || response.body === null) throw new Error(`answered ${response.status}`);
  let first = Number.NaN;
  // To the end, so that nothing is stopped.
  for await (const _ of response.body) if (Number.isNaN(first)) first = performance.now() - start;
  return first;
}
