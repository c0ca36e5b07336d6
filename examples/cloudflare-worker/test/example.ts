import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

const folder = resolve(import.meta.dirname, "..");
const root = resolve(folder, "../..");

/** The example, started as its README says, but on free ports. */
export interface Example {
  readonly url: string;
  readonly controlPlaneUrl: string;
  /** The command that it prints, to try it. */
  readonly command: string;
  /** Where it keeps what it must clear away. */
  readonly temporary: string;
  /** Resolves when neither it nor a process that it has started holds its output any more. */
  end(signal: "SIGINT" | "SIGTERM"): Promise<void>;
}

export async function startExample(): Promise<Example> {
  // It imports what has been built: built here, so that it is never an old one.
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const projects = ["packages/edge", "packages/control-plane"];
  await promisify(execFile)(process.execPath, [tsc, "-b", ...projects], { cwd: root });
  const temporary = await mkdtemp(join(tmpdir(), "creditgate-worker-"));
  // PostgreSQL, which root may not run, passes through here as another user.
  await chmod(temporary, 0o711);
  const { CREDITGATE_TEST_DATABASE_URL: _, ...environment } = process.env;
  const child = spawn(process.execPath, ["start.mjs"], {
    cwd: folder,
    env: { ...environment, PORT: "0", TMPDIR: temporary },
    stdio: ["ignore", "pipe", "inherit"],
    // A process group of its own, to which Ctrl-C can be sent as a terminal does.
    detached: true,
  });
  const closed = once(child, "close");
  const output = await announcement(child);
  return {
    url: found(output, /worker listening on (\S+)/),
    controlPlaneUrl: found(output, /control plane on (\S+)/),
    command: found(output, /(curl .*)/),
    temporary,
    async end(signal) {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      process.kill(signal === "SIGINT" ? -child.pid : child.pid, signal);
      await closed;
    },
  };
}

async function announcement({ stdout }: ChildProcess): Promise<string> {
  let output = "";
  if (stdout === null) return output;
  for await (const line of createInterface(stdout)) {
    output += `${line}\n`;
    if (line.startsWith("curl ")) break;
  }
  // Whoever prints must not wait for us.
  stdout.resume();
  return output;
}

function found(output: string, pattern: RegExp): string {
  const match = pattern.exec(output)?.[1];
  if (match === undefined) throw new Error(`expected ${pattern} in the output, received:\n${output}`);
  return match;
}
