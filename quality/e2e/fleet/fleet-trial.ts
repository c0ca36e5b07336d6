import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pass } from "node:timers/promises";
import type { TestControlPlane } from "@creditgate/control-plane/testing";
import { type Connection, type Left, type Spender, type SpenderTask, startSpender } from "./spender.ts";
import type { FragileServer, StoreServer } from "./store-server.ts";

/** How large a trial is. Each piece of work holds, and costs, `hold` credits. */
export interface FleetSize {
  readonly processes: number;
  /** Of each process. */
  readonly attempts: number;
  /** In the wallet, in credits. */
  readonly funds: number;
  readonly hold: number;
  readonly atOnce: number;
  readonly leaseMs: number;
}

/** What happens in the middle of a trial. */
export interface FleetFault<Server extends StoreServer = StoreServer> {
  readonly title: string;
  /** What differs in the task of the processes. */
  readonly task?: Partial<SpenderTask>;
  /** How this process reaches the store, where not all do in the same way. */
  readonly connectionOf?: (index: number) => Connection;
  strike(scene: Scene<Server>): Promise<void>;
}

/** What a fault may do. */
export interface Scene<Server extends StoreServer> {
  readonly trial: FleetTrial<Server>;
  readonly spenders: readonly Spender[];
  /** The process that is struck, where it is only one. */
  readonly victim: Spender;
  /** kill -9. */
  killVictim(): Promise<void>;
  /** Another process of the same name. */
  replaceVictim(): Promise<void>;
  stopVictim(ms: number): Promise<void>;
  /** Resolves when so many are let in in all, or everything is decided. */
  until(admitted: number): Promise<void>;
}

export interface FleetTrial<Server extends StoreServer = StoreServer> {
  readonly size: FleetSize;
  readonly server: Server;
  readonly controlPlane: TestControlPlane;
  readonly customerId: string;
  /** Names the store, apart from those of other trials: small letters, digits and _. */
  readonly fleet: string;
  /** Where journals are written. */
  readonly folder: string;
  readonly leases: boolean;
  readonly fault: FleetFault<Server>;
  /** How many are let in before the fault strikes. */
  readonly strikesAt: number;
  /** The index of the process that is struck, where it is only one. */
  readonly victim: number;
}

/** What the processes have written down, and what they left. */
export interface FleetOutcome {
  /** The work that was let in, by the model that names it in its report. */
  readonly admitted: readonly string[];
  /** The part of it whose `settle()` has resolved. */
  readonly settled: readonly string[];
  readonly denied: number;
  readonly left: readonly Left[];
  /** Micro-credits that the store counts for processes that have all ended. */
  readonly stranded: number;
  readonly elapsedMs: number;
}

export async function runFleetTrial<Server extends StoreServer>(
  trial: FleetTrial<Server>,
): Promise<FleetOutcome> {
  const { size, server, fleet, strikesAt, fault, victim } = trial;
  await server.init(fleet);
  const waiting = new Set<{ readonly admitted: number; readonly resolve: () => void }>();
  const onProgress = () => {
    const admitted = spenders.reduce((sum, spender) => sum + spender.admitted, 0);
    for (const one of waiting) if (admitted >= one.admitted) one.resolve();
  };
  const start = (index: number) => startSpender(taskOf(trial, index), onProgress);
  const spenders = Array.from({ length: size.processes }, (_, index) => start(index));
  const all = () => Promise.all(spenders.map(({ done }) => done));
  const until = async (admitted: number) => {
    const reached = new Promise<void>((resolve) => waiting.add({ admitted, resolve }));
    onProgress();
    await Promise.race([reached, all()]);
  };
  try {
    await Promise.all(spenders.map(({ ready }) => ready));
    const startedAt = performance.now();
    for (const spender of spenders) spender.go();
    await until(strikesAt);
    const victimNow = () => {
      const spender = spenders[victim];
      if (spender === undefined) throw new Error(`there is no process ${victim}`);
      return spender;
    };
    await fault.strike({
      trial,
      spenders,
      get victim() {
        return victimNow();
      },
      killVictim: () => victimNow().kill(),
      async replaceVictim() {
        spenders[victim] = start(victim);
        await victimNow().ready;
        victimNow().go();
      },
      async stopVictim(ms) {
        victimNow().signal("SIGSTOP");
        // The fault itself, not a wait for something.
        await pass(ms);
        victimNow().signal("SIGCONT");
      },
      until,
    });
    const left = await all();
    const elapsedMs = performance.now() - startedAt;
    const journals = spenders.flatMap(({ task }) => readJournal(task));
    return {
      admitted: journals.filter(({ what }) => what === "admitted").map(({ model }) => model),
      settled: journals.filter(({ what }) => what === "settled").map(({ model }) => model),
      denied: journals.filter(({ what }) => what === "denied").length,
      left,
      stranded: await server.out(fleet),
      elapsedMs,
    };
  } finally {
    await Promise.all(spenders.map((spender) => spender.kill()));
  }
}

/** The faults that a single server can have. */
export const commonFaults: readonly FleetFault<FragileServer>[] = [
  { title: "where nothing happens", strike: async () => {} },
  {
    title: "while one process is killed with kill -9 and started again",
    // Else what a killed process has in hand is let in, and never billed.
    task: { durableHolds: true },
    async strike({ killVictim, replaceVictim }) {
      await killVictim();
      await replaceVictim();
    },
  },
  {
    title: "while one process is stopped for longer than its lease",
    strike: ({ stopVictim, trial }) => stopVictim(1.5 * trial.size.leaseMs),
  },
  { title: "while the store crashes and starts again", strike: ({ trial }) => trial.server.restart() },
  { title: "while the store is emptied", strike: ({ trial }) => trial.server.empty(trial.fleet) },
];

function taskOf<Server extends StoreServer>(
  { size, server, controlPlane, customerId, fleet, folder, leases, fault }: FleetTrial<Server>,
  index: number,
): SpenderTask {
  const { attempts, atOnce, hold, leaseMs } = size;
  const { baseUrl, apiKey } = controlPlane;
  const name = `web-${index}`;
  return {
    name,
    baseUrl,
    apiKey,
    connection: fault.connectionOf?.(index) ?? server.connection,
    outbox: "shared",
    fleet,
    customerId,
    attempts,
    atOnce,
    hold,
    workMs: 5,
    // A process that is stopped has its part for longer than a lease.
    mostRetries: 50,
    lease: { leases, leaseMs },
    durableHolds: false,
    journal: join(folder, `${fleet}-${name}`),
    ...fault.task,
  };
}

function readJournal({ name, journal }: SpenderTask): readonly { model: string; what: string }[] {
  const lines = readFileSync(journal, "utf8").trim().split("\n");
  return lines.map((line) => {
    const [number = "", what = ""] = line.split(" ");
    return { model: `${name}:${number}`, what };
  });
}
