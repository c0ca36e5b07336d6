import { type ChildProcess, spawn } from "node:child_process";
import { bounded } from "./bounded.ts";

export interface ServerProcessOptions {
  readonly name: string;
  readonly script: string;
  readonly args?: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
}

/** A Node server in a process of its own, which prints "listening on URL" when it is ready. */
export class ServerProcess {
  /** Resolves to its URL; rejects if it ends before it has printed one. */
  readonly url: Promise<string>;
  /** Resolves, however it comes to its end, to a description of that. */
  readonly ended: Promise<string>;
  readonly #name: string;
  readonly #child: ChildProcess;
  #output = "";
  #errors = "";

  constructor({ name, script, args = [], environment }: ServerProcessOptions) {
    this.#name = name;
    // A process group of its own: Ctrl-C reaches the demo alone, which then stops its servers in the right order.
    this.#child = spawn(process.execPath, [script, ...args], {
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#errors = (this.#errors + text).slice(-2_000);
    });
    this.ended = new Promise((resolve) => {
      this.#child.once("error", (error) => resolve(`${name} cannot be started: ${error.message}`));
      this.#child.once("close", (code, signal) => {
        resolve(`${name} has ended with ${signal ?? `exit code ${code}`}\n${this.#errors.trim()}`.trim());
      });
    });
    this.url = this.#announcedUrl();
    // Avoids an unhandled rejection when it is not awaited.
    this.url.catch(() => {});
  }

  /** What it has printed after these words, up to a space or the end of the line. */
  printed(words: string): string | undefined {
    return this.#output.split(words)[1]?.split(/\s/)[0];
  }

  /** Asks it to end, then urges, then ends it. */
  async stop(): Promise<void> {
    if (await this.#endsAfter("SIGTERM", 20_000)) return;
    // Servers take a second signal as "now".
    if (await this.#endsAfter("SIGTERM", 3_000)) return;
    await this.#endsAfter("SIGKILL", 3_000);
  }

  signal(signal: NodeJS.Signals): void {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill(signal);
  }

  async #endsAfter(signal: NodeJS.Signals, withinMs: number): Promise<boolean> {
    this.signal(signal);
    return bounded(this.ended, { what: `the end of ${this.#name}`, withinMs }).then(
      () => true,
      () => false,
    );
  }

  #announcedUrl(): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => {
        this.#output = (this.#output + text).slice(-2_000);
        const url = /listening on (http:\/\/\S+)\s/.exec(this.#output)?.[1];
        if (url !== undefined) resolve(url);
      });
      void this.ended.then((how) => reject(new Error(how)));
    });
  }
}
