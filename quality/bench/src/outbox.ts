import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGate, createRegistry, type OutboxReport } from "@creditgate/core";
import { createSqliteOutbox } from "@creditgate/sqlite";
import { createInstantClient, prepaid } from "./instant-client.ts";
import { type Load, measureLoad } from "./outbox/load.ts";
import { printTable } from "./table.ts";

const requests = [1, 64, 512] as const;
const durationMs = 3_000;

/** What durability costs: reports on the disk per second, and for how long the event loop is held meanwhile. */
export async function benchmarkOutbox(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "creditgate-bench-"));
  try {
    const idle = await measureLoad({
      workers: 1,
      durationMs,
      run: () => new Promise((done) => setTimeout(done, 1)),
    });
    const rows = [["nothing at all", "", "", milliseconds(idle)]];
    for (const workers of requests)
      rows.push(rowOf("fsync'd file append", workers, await bareAppends(folder, workers)));
    for (const workers of requests)
      rows.push(rowOf("outbox.append(), FULL", workers, await outboxAppends(folder, workers)));
    for (const durableHolds of [false, true]) {
      const name = `authorize, settle${durableHolds ? ", durableHolds" : ""}`;
      for (const workers of requests)
        rows.push(rowOf(name, workers, await gatedWork(folder, workers, durableHolds)));
    }
    printTable(["", "at once", "per second", "p99 loop delay"], rows);
    console.log(
      `\n${durationMs / 1_000} s each. The delay is that of a 1 ms timer (perf_hooks), so an idle loop shows a little more than 1 ms.`,
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** What one would write oneself: a line, and an fsync before the answer. */
async function bareAppends(folder: string, workers: number): Promise<Load> {
  const file = await open(join(folder, "bare"), "a", 0o600);
  try {
    const run = async () => {
      await file.write(`${JSON.stringify(report(crypto.randomUUID()))}\n`);
      await file.datasync();
    };
    return await measureLoad({ workers, durationMs, run });
  } finally {
    await file.close();
  }
}

async function outboxAppends(folder: string, workers: number): Promise<Load> {
  const outbox = createSqliteOutbox({ path: join(folder, `appends-${workers}.db`), maxReports: 10_000_000 });
  try {
    return await measureLoad({
      workers,
      durationMs,
      run: async () => outbox.append([report(crypto.randomUUID())]),
    });
  } finally {
    await outbox.close();
  }
}

/** All that durability costs a request: with `durableHolds` its hold is on the disk before it begins. */
async function gatedWork(folder: string, workers: number, durableHolds: boolean): Promise<Load> {
  const outbox = createSqliteOutbox({
    path: join(folder, `gate-${workers}-${durableHolds}.db`),
    maxReports: 10_000_000,
  });
  const gate = createGate({
    client: createInstantClient(prepaid(1e9)),
    currency: "ai_credits",
    wallet: "prepaid",
    registry: createRegistry(),
    lagWatch: false,
    outbox,
    durableHolds,
  });
  try {
    return await measureLoad({
      workers,
      durationMs,
      async run() {
        const decision = await gate.authorize({
          customerId: "ada",
          agentId: "chat",
          indicator: "message",
          hold: 1,
        });
        if (!decision.allowed) throw new Error(decision.denial.code);
        decision.charge.report(
          { provider: "openai", model: "gpt-5", inputTokens: 12, outputTokens: 40 },
          { credits: 1 },
        );
        await decision.charge.settle();
      },
    });
  } finally {
    await gate.close({ graceMs: 0 });
    await outbox.close();
  }
}

function report(id: string): OutboxReport {
  const rawUsage = { provider: "openai", model: "gpt-5", inputTokens: 12, outputTokens: 40 };
  const entry = { id, amount: 1_000_000 };
  return {
    id,
    customerId: "ada",
    agentId: "chat",
    indicator: "message",
    rawUsage,
    currency: "ai_credits",
    entry,
  };
}

function rowOf(name: string, workers: number, load: Load): string[] {
  return [name, String(workers), load.perSecond.toFixed(0), milliseconds(load)];
}

function milliseconds({ p99DelayMs }: Load): string {
  return `${p99DelayMs.toFixed(1)} ms`;
}
