import { type ChildProcess, spawn } from "node:child_process";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { ControlPlaneError } from "../../errors/control-plane-error.ts";
import { invalid } from "../values.ts";

const startMs = 60_000;
const stopMs = 20_000;

/** The application on trial, started by its command, and again after each kill. */
export class Application {
  readonly #command: string;
  readonly #url: URL;
  readonly #environment: NodeJS.ProcessEnv;
  #process: ChildProcess | undefined;
  /** Whether no process has its output any more. */
  #isClosed = false;
  #output = "";

  constructor(command: string, url: URL, environment: Readonly<Record<string, string>>) {
    this.#command = command;
    this.#url = url;
    this.#environment = { ...process.env, ...environment };
  }

  /**
   * Resolves when it accepts connections. Rejects if it ends before, or another listens already. `LEAK_STATE` is another one for each
   * start with wallets of their own.
   */
  async start(state: number): Promise<void> {
    if (await this.#accepts()) throw failed(`something listens on ${this.#url.host} already`);
    // A process group of its own: a shell, npm and the server get each signal.
    const child = spawn(this.#command, {
      shell: true,
      detached: true,
      env: { ...this.#environment, LEAK_STATE: String(state) },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (data) => {
        this.#output = `${this.#output}${data}`.slice(-2_000);
      });
    }
    this.#process = child;
    process.once("exit", this.#kill);
    this.#isClosed = false;
    child.once("close", () => {
      if (this.#process === child) this.#isClosed = true;
    });
    const deadline = Date.now() + startMs;
    while (!(await this.#accepts())) {
      const isOver = hasEnded(child);
      if (!isOver && Date.now() < deadline) await delay(25);
      else {
        await this.stop("SIGKILL");
        throw failed(
          `the command ${isOver ? "ended" : `accepts no connection on ${this.#url.host}`}:\n${this.#output}`,
        );
      }
    }
  }

  /** Sends the signal, and waits until no process of its group is left; after 20 s they are killed. */
  async stop(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process;
    const pid = child?.pid;
    if (child === undefined || pid === undefined) return;
    signalled(pid, signal);
    await until(() => this.#isClosed || (hasEnded(child) && !signalled(pid, 0)), stopMs);
    this.#kill();
    // A process that has left the group may have the output for ever.
    await until(() => this.#isClosed, 1_000);
    child.stdout?.destroy();
    child.stderr?.destroy();
    this.#process = undefined;
    process.off("exit", this.#kill);
  }

  /** How it has ended by itself, if it has. */
  get end(): string | undefined {
    const child = this.#process;
    return child && hasEnded(child)
      ? `ended by ${child.signalCode ?? `exit code ${child.exitCode}`}`
      : undefined;
  }

  /** It does not outlive this process. */
  readonly #kill = (): void => {
    if (this.#process?.pid !== undefined) signalled(this.#process.pid, "SIGKILL");
  };

  #accepts(): Promise<boolean> {
    const { hostname, port, protocol } = this.#url;
    return new Promise((resolve) => {
      const host = hostname.replace(/^\[|\]$/g, "");
      const socket = connect(Number(port || (protocol === "https:" ? 443 : 80)), host);
      socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
      socket.once("connect", () => socket.destroy());
    });
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** To the whole group. Returns whether any process of it is there. */
function signalled(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return false;
    throw error;
  }
}

function failed(received: string): ControlPlaneError {
  return invalid("--start", "a command that starts the application", received);
}

/** Resolves when it holds, or after this many milliseconds. */
export async function until(holds: () => boolean, ms: number): Promise<void> {
  const end = Date.now() + ms;
  while (!holds() && Date.now() < end) await delay(10);
}
