import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** What the application reports: how many reports it has settled, its memory in MiB, and what is left in the end. */
export interface Fact {
  readonly settled?: number;
  readonly rss: number;
  readonly done?: boolean;
  readonly left?: { readonly queued: number; readonly parked: number; readonly dead: number };
}

export interface ApplicationOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly outbox: string;
  readonly journal: string;
  /** Names its reports apart from those of every other run. */
  readonly run: string;
  /** `load` settles as fast as it can; `drain` only delivers what is there. */
  readonly mode: "load" | "drain";
  /** In `load`: this many, then it waits for `goOn`. @default until it is killed */
  readonly reports?: number;
  readonly workers?: number;
}

/** An application in a process of its own; it runs from `dist`. */
export interface Application {
  /** Resolves with the first fact for which `wanted` holds; rejects when the process ends before. */
  until(wanted: (fact: Fact) => boolean): Promise<Fact>;
  goOn(): void;
  /** kill -9. */
  kill(): Promise<void>;
}

const script = join(import.meta.dirname, "loaded-process.mjs");

export function startApplication(options: ApplicationOptions): Application {
  const { baseUrl, apiKey, outbox, journal, run, mode, reports, workers } = options;
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    CREDITGATE_BASE_URL: baseUrl,
    CREDITGATE_API_KEY: apiKey,
    OUTBOX: outbox,
    JOURNAL: journal,
    RUN: run,
    MODE: mode,
  };
  if (reports !== undefined) env.REPORTS = String(reports);
  if (workers !== undefined) env.WORKERS = String(workers);
  const child: ChildProcess = spawn(process.execPath, [script], { stdio: ["pipe", "pipe", "inherit"], env });
  const ended = once(child, "exit");
  const listeners = new Set<(fact: Fact) => void>();
  if (child.stdout !== null) {
    createInterface({ input: child.stdout }).on("line", (line) => {
      for (const listener of listeners) listener(JSON.parse(line));
    });
  }
  return {
    until(wanted) {
      return new Promise((resolve, reject) => {
        const listener = (fact: Fact) => {
          if (!wanted(fact)) return;
          listeners.delete(listener);
          resolve(fact);
        };
        listeners.add(listener);
        ended.then(([code]) => reject(new Error(`the application has ended with ${code}`)));
      });
    },
    goOn: () => void child.stdin?.write("go on\n"),
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
