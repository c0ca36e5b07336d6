import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { vi } from "vitest";

const root = resolve(import.meta.dirname, "..");
const run = promisify(execFile);

/** An example that has been told to start. */
export interface LaunchedExample {
  /** What it has printed, once there is a line like `ready`; rejects if it ends before. */
  outputUntil(ready: RegExp): Promise<string>;
  /** Its temporary files: PostgreSQL's folder, which goes when PostgreSQL has, and whatever else there is. */
  files(): Promise<readonly string[]>;
  /**
   * Sends the signal as a terminal or an operator does. Resolves when no process holds the example's output and no file
   * of it is left; rejects if one stays.
   */
  end(signal: "SIGINT" | "SIGTERM"): Promise<void>;
}

/** An example that is ready. */
export interface StartedExample extends Omit<LaunchedExample, "outputUntil"> {
  readonly url: string;
  readonly controlPlaneUrl: string;
  /** What it has printed by the time it was ready. */
  readonly output: string;
}

/** Compiles packages: examples import what has been built, and it must never be an old one. */
export async function buildPackages(...packages: readonly string[]): Promise<void> {
  await run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-b", ...packages], {
    cwd: root,
  });
}

/** Starts the example in this folder as its README says, with these arguments, but on free ports. */
export async function launchExample(folder: string, ...args: readonly string[]): Promise<LaunchedExample> {
  const temporary = await mkdtemp(join(tmpdir(), "creditgate-example-"));
  // PostgreSQL, which root may not run, passes through here as another user.
  await chmod(temporary, 0o711);
  // It has a PostgreSQL of its own, whichever the tests use.
  const { CREDITGATE_TEST_DATABASE_URL: _, DATABASE_URL: __, ...environment } = process.env;
  const child = spawn(process.execPath, ["start.mjs", ...args], {
    cwd: folder,
    env: { ...environment, PORT: "0", TMPDIR: temporary },
    stdio: ["ignore", "pipe", "inherit"],
    // A process group of its own, to which Ctrl-C can be sent as a terminal does.
    detached: true,
  });
  const closed = once(child, "close");
  // Again where one has gone while its folder was read.
  const files = (): Promise<string[]> => readdir(temporary, { recursive: true }).catch(files);
  return {
    outputUntil: (ready) => outputUntil(child, ready),
    files,
    async end(signal) {
      if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      process.kill(signal === "SIGINT" ? -child.pid : child.pid, signal);
      await closed;
      await vi.waitUntil(async () => (await readdir(temporary)).length === 0, { timeout: 30_000 });
      await rmdir(temporary);
    },
  };
}

/** Resolves once the example has printed a line like `ready`. */
export async function startExample(
  folder: string,
  ready: RegExp,
  ...args: readonly string[]
): Promise<StartedExample> {
  const { outputUntil, files, end } = await launchExample(folder, ...args);
  const output = await outputUntil(ready);
  return {
    url: found(output, /listening on (\S+)/),
    controlPlaneUrl: found(output, /control plane on (\S+)/),
    output,
    files,
    end,
  };
}

function outputUntil(child: ChildProcess, ready: RegExp): Promise<string> {
  let output = "";
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => reject(new Error(`${child.spawnfile} ended with ${code}:\n${output}`)));
    if (child.stdout === null) return;
    // Read to the end, so that the example never waits for us.
    createInterface(child.stdout).on("line", (line) => {
      output += `${line}\n`;
      if (ready.test(line)) resolve(output);
    });
  });
}

function found(output: string, pattern: RegExp): string {
  const match = pattern.exec(output)?.[1];
  if (match === undefined) throw new Error(`expected ${pattern} in the output, received:\n${output}`);
  return match;
}
