import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { LeasedLedgerOptions } from "@creditgate/fleet";

interface Address {
  readonly host: string;
  readonly port: number;
}

/** How a process reaches the store. */
export type Connection =
  | { readonly kind: "redis"; readonly url: string }
  | { readonly kind: "sentinel"; readonly sentinels: readonly Address[]; readonly name: string }
  | { readonly kind: "cluster"; readonly nodes: readonly Address[] }
  | { readonly kind: "postgres"; readonly url: string };

/** What one process of a fleet is to do. Milliseconds and credits. */
export interface SpenderTask {
  /** Its successor has the same. */
  readonly name: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly connection: Connection;
  /** On the store, or in the memory of the process. */
  readonly outbox: "shared" | "memory";
  /** Names the store apart from those of other trials. */
  readonly fleet: string;
  readonly customerId: string;
  /** How many requests come, each of which is let in or denied. */
  readonly attempts: number;
  readonly atOnce: number;
  /** What each holds, and costs. */
  readonly hold: number;
  /** A piece of work takes up to so long. */
  readonly workMs: number;
  /** How often work is tried again whose denial says that it may be. */
  readonly mostRetries: number;
  readonly lease: LeasedLedgerOptions;
  readonly settlementLagMs?: number | undefined;
  readonly durableHolds: boolean;
  /** Each request names its member and the team of it, and each fifth one a run. */
  readonly budgets?: SpentBudgets | undefined;
  /** A file that outlasts the process: what was decided and settled. */
  readonly journal: string;
}

/** Who spends: attempt n is made by member n modulo `members`, who is in the team of that number modulo `teams`. */
export interface SpentBudgets {
  readonly members: number;
  readonly teams: number;
}

/** What is left in the outbox in the end, and how often a denial said that the work may be tried again. */
export interface Left {
  readonly retried: number;
  readonly queued: number;
  readonly parked: number;
  readonly dead: number;
  readonly undelivered: number;
  /** Runs that have spent more than their limit. */
  readonly overrun: number;
}

/** A process of a fleet; it runs from `dist`. */
export interface Spender {
  readonly task: SpenderTask;
  /** How much it says that it has let in. */
  readonly admitted: number;
  /** Resolves when its gate stands. */
  readonly ready: Promise<void>;
  /** Resolves when all is decided, delivered and closed; rejects if the process ends before. */
  readonly done: Promise<Left>;
  go(): void;
  signal(signal: "SIGSTOP" | "SIGCONT"): void;
  /** kill -9. */
  kill(): Promise<void>;
}

interface Fact {
  readonly ready?: true;
  readonly admitted?: number;
  readonly done?: Left;
}

const script = join(import.meta.dirname, "spending-process.mjs");

/** `onProgress` is called whenever `admitted` has risen. */
export function startSpender(task: SpenderTask, onProgress: () => void): Spender {
  const child: ChildProcess = spawn(process.execPath, [script], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, TASK: JSON.stringify(task) },
  });
  const ended = once(child, "exit");
  let admitted = 0;
  let lines = "";
  child.stderr?.on("data", (text) => {
    lines += text;
  });
  const facts = new Map<keyof Fact, (fact: Fact) => void>();
  const awaited = (name: keyof Fact) =>
    new Promise<Fact>((resolve, reject) => {
      facts.set(name, resolve);
      ended.then(([code, signal]) =>
        reject(new Error(`${task.name} has ended with ${code ?? signal}: ${lines}`)),
      );
    });
  const ready = awaited("ready").then(() => {});
  const done = awaited("done").then(({ done: left }) => left ?? nothing);
  // One that is killed rejects what is not awaited any more.
  for (const promise of [ready, done]) promise.catch(() => {});
  if (child.stdout !== null) {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const fact: Fact = JSON.parse(line);
      if (fact.admitted !== undefined) {
        admitted = fact.admitted;
        onProgress();
      }
      if (fact.ready !== undefined) facts.get("ready")?.(fact);
      if (fact.done !== undefined) facts.get("done")?.(fact);
    });
  }
  return {
    task,
    get admitted() {
      return admitted;
    },
    ready,
    done,
    go: () => void child.stdin?.write("go\n"),
    signal: (signal) => void child.kill(signal),
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGKILL");
      await ended;
    },
  };
}

const nothing: Left = { queued: 0, parked: 0, dead: 0, undelivered: 0, retried: 0, overrun: 0 };
