import { loadavg } from "node:os";
import { setTimeout } from "node:timers/promises";
import { type Child, startChild } from "./control-plane/child.ts";
import { createSocketClient } from "./isolation/socket-client.ts";
import type { Spent } from "./ladder/application.ts";
import type { ProcessTask } from "./ladder/process.ts";
import { type RungName, rungNames, rungs } from "./ladder/rungs.ts";
import { createProgress } from "./progress.ts";
import { printTable } from "./table.ts";

const turns = Number(process.env.CREDITGATE_TURNS ?? 30);
const warmUps = 5;
/** In one turn of one rung. */
const requests = Number(process.env.CREDITGATE_REQUESTS ?? 2_000);
const connections = 32;
const deliveredWithinMs = 30_000;

/** What a rung did in one turn. */
export interface Turn {
  /** Of its process, for each request, until all usage was delivered. */
  readonly cpuUs: number;
  readonly answered: number;
  readonly billed: number;
}

/** CPU that the gate adds to an Express route, beside a rate limiter and the least gate that bills correctly. */
export async function benchmarkLadder(): Promise<void> {
  const children: Pick<Child<never>, "stop">[] = [];
  const start = async (task: ProcessTask): Promise<string> => {
    const child = startChild<ProcessTask, { url: string }>("../ladder/process.js", task);
    children.push(child);
    return (await child.answer()).url;
  };
  try {
    const serviceUrl = await start({});
    const urls = new Map<RungName, string>();
    for (const rung of rungNames) urls.set(rung, await start({ rung, serviceUrl }));
    const all = new Map<RungName, Turn[]>(rungNames.map((rung) => [rung, []]));
    const loadBefore = loadavg()[0];
    const progress = createProgress(turns + warmUps);
    // In turns, so that whatever disturbs the machine disturbs them all.
    for (let turn = 0; turn < turns + warmUps; turn++) {
      for (const [rung, url] of urls) {
        const measured = await measureTurn(rung, url, serviceUrl, requests);
        const billed = rungs[rung].delivery === undefined ? 0 : requests;
        if (measured.answered !== requests || measured.billed !== billed)
          throw new Error(
            `${rung}: ${measured.answered} answered and ${measured.billed} billed of ${requests}`,
          );
        if (turn >= warmUps) all.get(rung)?.push(measured);
      }
      progress(turn + 1);
    }
    print(all);
    const loads = [loadBefore, loadavg()[0]].map((one) => one?.toFixed(1)).join(" before, ");
    console.log(
      `\nCPU of the rung's process for each request, until the service has accepted all reports: p15 of ${turns} turns of ${requests} requests each. Load average ${loads} after.`,
    );
  } finally {
    for (const child of children) await child.stop();
  }
}

export async function measureTurn(
  rung: RungName,
  url: string,
  serviceUrl: string,
  requests: number,
): Promise<Turn> {
  const posted = () => read<number>(`${serviceUrl}/billed`, rung);
  const before = { ...(await read<Spent>(`${url}/spent`)), posted: await posted() };
  const answered = await load(url, requests);
  const giveUpAt = performance.now() + deliveredWithinMs;
  const isPosting = !["in process", undefined].includes(rungs[rung].delivery);
  while (isPosting && (await posted()) < before.posted + answered && performance.now() < giveUpAt)
    await setTimeout(5);
  const after = { ...(await read<Spent>(`${url}/spent`)), posted: await posted() };
  const billed = after.billed + after.posted - before.billed - before.posted;
  return { cpuUs: (after.cpuUs - before.cpuUs) / answered, answered, billed };
}

/** Each connection is a customer's, and sends the next request as soon as the last is answered. Returns how many were admitted. */
async function load(url: string, requests: number): Promise<number> {
  let sent = 0;
  let answered = 0;
  let isOver = false;
  // Asleep, it would be woken by each answer, at the expense of the process that is measured.
  const stayAwake = (): void => {
    if (!isOver) setImmediate(stayAwake);
  };
  stayAwake();
  const serve = async (customer: number): Promise<void> => {
    const client = createSocketClient(url);
    const request = `GET /chat HTTP/1.1\r\nhost: ${new URL(url).host}\r\nx-customer: customer-${customer}\r\n\r\n`;
    while (sent++ < requests) if ((await client.send(request)) === 200) answered += 1;
    client.close();
  };
  try {
    await Promise.all(Array.from({ length: connections }, (_, customer) => serve(customer)));
  } finally {
    isOver = true;
  }
  return answered;
}

async function read<T>(url: string, rung = ""): Promise<T> {
  return (await (await fetch(url, { headers: { "service-api-key": rung } })).json()) as T;
}

function print(all: ReadonlyMap<RungName, readonly Turn[]>): void {
  const cpuUs = (rung: RungName, part: number): number => {
    const sorted = (all.get(rung) ?? []).map((turn) => turn.cpuUs).sort((a, b) => a - b);
    return sorted[Math.floor(part * sorted.length)] ?? Number.NaN;
  };
  const added = (rung: RungName, part = 0.15) => cpuUs(rung, part) - cpuUs("bare", 0.15);
  const ratio = (rung: RungName, other: RungName) => (added(rung) / added(other)).toFixed(2);
  printTable(
    ["CPU us", "p15", "above bare", "p5 to p50", "x express-rate-limit", "x least gate"],
    rungNames.map((rung) => {
      const { title, least } = rungs[rung];
      return [
        title,
        cpuUs(rung, 0.15).toFixed(1),
        added(rung).toFixed(1),
        `${added(rung, 0.05).toFixed(1)} to ${added(rung, 0.5).toFixed(1)}`,
        rung === "bare" ? "" : ratio(rung, "limited"),
        least === undefined ? "" : ratio(rung, least),
      ];
    }),
  );
}
