import { availableParallelism } from "node:os";
import { medianOf } from "./comparison.ts";
import { type Child, startChild } from "./control-plane/child.ts";
import { type Contender, contenders, type Spent } from "./express/contender.ts";
import type { LoadAnswer, LoadTask } from "./express/load-process.ts";
import type { ServerTask } from "./express/server-process.ts";
import type { ServiceTask } from "./express/service-process.ts";
import { createProgress } from "./progress.ts";
import { printTable } from "./table.ts";

const connections = 32;
const rounds = Number(process.env.CREDITGATE_ROUNDS ?? 5);
/** As long as a balance is fresh: each customer's is read once in a round, as often as under load that goes on. */
const roundMs = 5_000;

/** What is asked of the gate, in requests per second beside another contender; it is printed whether it holds. */
const targets: readonly (readonly [Contender, Contender, number])[] = [
  ["instant", "bare", 0.93],
  ["instant", "limited", 1],
  ["batches", "bare", 0.9],
  ["singles", "posting", 0.9],
  ["sqlite", "bare", 0.8],
];

interface Round {
  readonly perSecond: number;
  readonly cpuUs: number;
  readonly waiting: number;
}

type Results = ReadonlyMap<Contender, readonly Round[]>;

/** What the gate takes from an Express route that answers at once, beside what a user would put there instead. */
export async function benchmarkExpress(): Promise<void> {
  const children: Pick<Child<never>, "stop">[] = [];
  const start = async <Task extends object>(module: string, task: Task): Promise<string> => {
    const child = startChild<Task, { url: string }>(`../express/${module}.js`, task);
    children.push(child);
    return (await child.answer()).url;
  };
  try {
    const serviceUrls = {
      old: await start<ServiceTask>("service-process", { isNew: false }),
      new: await start<ServiceTask>("service-process", { isNew: true }),
    };
    const urls = new Map<Contender, string>();
    for (const contender of namesOf(contenders)) {
      const serviceUrl = takesSingles(contender) ? serviceUrls.old : serviceUrls.new;
      const starting = start<ServerTask>("server-process", { contender, serviceUrl });
      await starting.then(
        (url) => urls.set(contender, url),
        () => console.error(`left out, since it does not start: ${contenders[contender]}`),
      );
    }
    print(await measure(urls));
  } finally {
    for (const child of children) await child.stop();
  }
}

function takesSingles(contender: Contender): boolean {
  return contender === "posting" || contender === "singles";
}

/** In turns, so that whatever disturbs the machine disturbs them all. The first round warms up. */
async function measure(urls: ReadonlyMap<Contender, string>): Promise<Results> {
  const results = new Map<Contender, Round[]>();
  const progress = createProgress(rounds + 1);
  for (let round = 0; round <= rounds; round++) {
    for (const [contender, url] of urls) {
      const measured = await measureRound(url);
      if (round > 0) results.set(contender, [...(results.get(contender) ?? []), measured]);
    }
    progress(round + 1);
  }
  return results;
}

async function measureRound(url: string): Promise<Round> {
  // What the pause has cost is not this round's.
  await spentBy(url);
  const task: LoadTask = { url, connections, durationMs: roundMs };
  const load = startChild<LoadTask, LoadAnswer>("../express/load-process.js", task);
  const { answered, elapsedMs } = await load.answer();
  const { cpuMs, waiting } = await spentBy(url);
  return { perSecond: (answered * 1_000) / elapsedMs, cpuUs: (cpuMs * 1_000) / answered, waiting };
}

async function spentBy(url: string): Promise<Spent> {
  const response = await fetch(`${url}/spent`);
  return (await response.json()) as Spent;
}

function print(results: Results): void {
  const of = (contender: Contender, name: keyof Round) =>
    medianOf((results.get(contender) ?? []).map((round) => round[name]));
  const bare = { perSecond: of("bare", "perSecond"), cpuUs: of("bare", "cpuUs") };
  printTable(
    ["", "per second", "x bare", "CPU us", "x bare", "unsent at the end"],
    namesOf(contenders).map((contender) => {
      const [perSecond, cpuUs] = [of(contender, "perSecond"), of(contender, "cpuUs")];
      return [
        contenders[contender],
        perSecond.toFixed(0),
        (perSecond / bare.perSecond).toFixed(2),
        cpuUs.toFixed(0),
        (cpuUs / bare.cpuUs).toFixed(2),
        of(contender, "waiting").toFixed(0),
      ];
    }),
  );
  console.log(
    `\nMedians of ${rounds} rounds of ${roundMs / 1_000} s each, in turns, after one to warm up; ${connections} connections, ${availableParallelism()} cores for load, server and service. The CPU is that of the server's process, until the last report has been answered.`,
  );
  for (const [contender, other, target] of targets) {
    const ratio = of(contender, "perSecond") / of(other, "perSecond");
    console.log(
      `${ratio >= target ? "within" : "BEYOND"} the target: ${contenders[contender]} / ${contenders[other]} ${ratio.toFixed(2)} of ${target}`,
    );
  }
}

function namesOf<Name extends string>(table: Readonly<Record<Name, unknown>>): readonly Name[] {
  return Object.keys(table) as Name[];
}
