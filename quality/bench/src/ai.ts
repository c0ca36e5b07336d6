import { readFile } from "node:fs/promises";
import type { ModelAnswer } from "./ai/model-process.ts";
import type { RouteTask } from "./ai/route-process.ts";
import { play, type Scene, type Service, type Way, ways } from "./ai/scene.ts";
import type { ServiceTask } from "./ai/service-process.ts";
import { withoutCollector } from "./ai/used.ts";
import { medianOf } from "./comparison.ts";
import { startChild } from "./control-plane/child.ts";
import { createProgress } from "./progress.ts";
import { printTable } from "./table.ts";

const thinkingMs = 200;
const turns = Number(process.env.CREDITGATE_TURNS ?? 40);
const question = "What is a credit, and who has paid for it?";
const scenes = {
  token: { provider: { thinkingMs, words: 20 }, calls: 1, prompt: question, turns, warmUps: 30 },
  stream: {
    provider: { thinkingMs: 0, words: 2_000 },
    calls: 4,
    prompt: question,
    turns: turns / 2,
    warmUps: 2,
  },
  prompt: {
    ...{ provider: { thinkingMs: 0, words: 1 }, calls: 1, turns, warmUps: 10, options: withoutCollector },
    prompt: `${question} `.repeat(4_000_000 / (question.length + 1)),
  },
} as const satisfies Readonly<Record<string, Scene>>;

/** What the gate adds to a hop, and metering to a model. It is printed whether the targets hold. */
const targets = { firstMs: 1, cpu: 1.03, firstByte: 1.02 };

/** Each beside what a user would have without us. */
const pairs = [
  ["hop", "direct"],
  ["gateway", "hop"],
  ["metered", "plain"],
] as const satisfies readonly (readonly [Way, Way])[];

/** What the gateway and a metered model add to calls of a model, and the gate to a route that streams. */
export async function benchmarkAi(): Promise<void> {
  const address = new URL("../../../examples/llm-gateway/fixture.json", import.meta.url);
  const example: ServiceTask["fixture"] = JSON.parse(await readFile(address, "utf8"));
  const wallet = { currency: "ai_credits", kind: "prepaid" as const, available: 1e7 };
  const customers = [{ externalId: "alice", name: "Alice", wallets: [wallet] }];
  const child = startChild<ServiceTask, Service>("../ai/service-process.js", {
    fixture: { ...example, customers },
  });
  const parts = { token: firstToken, stream: streamedAnswer, prompt: largePrompt, route: firstByte };
  const { CREDITGATE_PARTS: named } = process.env;
  try {
    const service = await child.answer();
    for (const [name, run] of Object.entries(parts))
      if (named === undefined || named.split(",").includes(name)) await run(service);
  } finally {
    await child.stop();
  }
}

type Answers = Readonly<Record<Way, readonly ModelAnswer[]>>;

async function firstToken(service: Service): Promise<void> {
  const answers = await play(scenes.token, service);
  printAdded("ms to the first token", answers, ({ firstMs }) => firstMs, { 50: 0.5, 90: 0.9 });
  console.log(`A provider that takes ${thinkingMs} ms to its first token.`);
  for (const [one, other] of pairs.slice(1)) {
    const more = added(answers, one, other, ({ firstMs }) => firstMs)(0.5);
    verdict(more <= targets.firstMs, `${ways[one]} adds ${more.toFixed(2)} ms of ${targets.firstMs}`);
  }
}

async function streamedAnswer(service: Service): Promise<void> {
  const { calls, provider } = scenes.stream;
  const answers = await play(scenes.stream, service);
  const cpuMs = ({ cpuUs }: ModelAnswer) => cpuUs / 1_000 / calls;
  printAdded("CPU ms for an answer", answers, cpuMs, { 15: 0.15, 50: 0.5 });
  console.log(
    `Answers of ${provider.words} chunks, one each millisecond, ${calls} at once, until their usage is posted.`,
  );
  for (const [one, other] of pairs.slice(1)) {
    const ratio = at(answers[one].map(cpuMs), 0.15) / at(answers[other].map(cpuMs), 0.15);
    verdict(ratio <= targets.cpu, `${ways[one]} takes ${ratio.toFixed(3)} of the CPU, of ${targets.cpu}`);
  }
}

async function largePrompt(service: Service): Promise<void> {
  const answers = await play(scenes.prompt, service);
  const mb = ({ bytes }: ModelAnswer) => bytes / 1e6;
  printAdded("ms to the first token", answers, ({ firstMs }) => firstMs, { 15: 0.15, 50: 0.5 });
  console.log();
  printAdded("MB allocated", answers, mb, { 15: 0.15, 50: 0.5 });
  console.log(`Prompts of ${scenes.prompt.prompt.length} characters.`);
}

async function firstByte(service: Service): Promise<void> {
  const start = (task: RouteTask) => startChild<RouteTask, { url: string }>("../ai/route-process.js", task);
  const routes = [start({ thinkingMs }), start({ thinkingMs, service })];
  const times: number[][] = [[], []];
  try {
    const urls = await Promise.all(routes.map(async (route) => (await route.answer()).url));
    const progress = createProgress(turns + scenes.token.warmUps);
    for (let turn = 0; turn < turns + scenes.token.warmUps; turn++) {
      for (const at of turn % 2 === 0 ? [0, 1] : [1, 0]) {
        const time = await byteMs(String(urls[at]));
        if (turn >= scenes.token.warmUps) times[at]?.push(time);
      }
      progress(turn + 1);
    }
  } finally {
    for (const route of routes) await route.stop();
  }
  const [bare = 0, gated = 0] = times.map(medianOf);
  printTable(
    ["ms to the first byte", "median"],
    [
      ["a route that streams", bare.toFixed(2)],
      ["with requireCredits", gated.toFixed(2)],
    ],
  );
  const ratio = gated / bare;
  verdict(
    ratio <= targets.firstByte,
    `the first byte comes after ${ratio.toFixed(4)} of ${targets.firstByte}`,
  );
}

async function byteMs(url: string): Promise<number> {
  const start = performance.now();
  const response = await fetch(url, { method: "POST" });
  let first = Number.NaN;
  for await (const _ of response.body ?? []) if (Number.isNaN(first)) first = performance.now() - start;
  return first;
}

/** Of the sorted values the one at this part. */
function at(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return part === 0.5 ? medianOf(sorted) : (sorted[Math.floor(values.length * part)] ?? Number.NaN);
}

type Figure = (answer: ModelAnswer) => number;

/** What one takes more than the other, turn by turn. */
function added(answers: Answers, one: Way, other: Way, figure: Figure): (part: number) => number {
  const base = answers[other].map(figure);
  const more = answers[one].map((answer, turn) => figure(answer) - (base[turn] ?? Number.NaN));
  return (part) => at(more, part);
}

function printAdded(
  title: string,
  answers: Answers,
  figure: Figure,
  parts: Readonly<Record<string, number>>,
): void {
  const shown = (value: number) => (Number.isNaN(value) ? "" : value.toFixed(2));
  const rows = (Object.keys(ways) as Way[]).map((way) => {
    const [, other] = pairs.find(([one]) => one === way) ?? [];
    const more = other === undefined ? () => Number.NaN : added(answers, way, other, figure);
    const cells = Object.values(parts).flatMap((part) => [at(answers[way].map(figure), part), more(part)]);
    return [ways[way], ...cells.map(shown)];
  });
  console.log();
  printTable([title, ...Object.keys(parts).flatMap((part) => [`p${part}`, "added"])], rows);
}

function verdict(holds: boolean, words: string): void {
  console.log(`${holds ? "within" : "BEYOND"} the target: ${words}`);
}
