import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { bareEnvironment } from "../src/database/embedded/data-directory.ts";
import { type Caller, caller } from "./caller.ts";
import { acme } from "./fixture.ts";

export const program: string = fileURLToPath(new URL("../bin/creditgate.js", import.meta.url));

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Program {
  readonly process: ChildProcess;
  readonly exit: Promise<Exit>;
  /** Resolves with what it has printed when that matches, rejects if it ends before. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
}

/** Runs the built command, or another, as a process of its own, in a session of its own as in a terminal. */
export function creditgate(
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
  folder?: string,
  script = program,
): Program {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: folder,
    env: { ...bareEnvironment, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const exit = once(child, "close").then(([code, signal]): Exit => ({ code, signal, stdout, stderr }));
  return {
    process: child,
    exit,
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(stdout);
          if (match !== null) resolve(match);
        };
        child.stdout.on("data", look);
        look();
        void exit.then(() => reject(new Error(`creditgate ended: ${stdout}${stderr}`)));
      }),
  };
}

export interface Workplace {
  readonly data: string;
  readonly fixture: string;
  remove(): Promise<void>;
}

/** A folder that whoever runs PostgreSQL may enter, with a fixture in it. */
export async function openWorkplace(): Promise<Workplace> {
  const folder = await mkdtemp(path.join(tmpdir(), "creditgate-serve-"));
  await chmod(folder, 0o755);
  const fixture = path.join(folder, "fixture.json");
  await writeFile(fixture, JSON.stringify(acme));
  return {
    data: path.join(folder, "data"),
    fixture,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Starts `creditgate serve` and waits until it is ready. */
export async function serve(
  { data, fixture }: Workplace,
  ...options: string[]
): Promise<Program & { readonly baseUrl: string; readonly call: Caller }> {
  const program = creditgate(["serve", "--port", "0", "--data", data, "--fixture", fixture, ...options]);
  const [, baseUrl = ""] = await program.printed(/^creditgate listening on (\S+) /m);
  return { ...program, baseUrl, call: caller({ baseUrl, apiKey: "cg_test_local" }) };
}
