import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { RunningServer } from "@creditgate/conformance";

export interface Command {
  readonly program: string;
  readonly options: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly folder?: string;
}

/** Starts a server in a process of its own, which prints the URL that it listens on. */
export async function startProcess(command: Command): Promise<RunningServer> {
  const { program, options, environment = {}, folder } = command;
  const child = spawn(program, options, {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const url = await announcedUrl(child);
  return {
    url,
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
  };
}

function announcedUrl(child: ChildProcess): Promise<string> {
  const said: string[] = [];
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) =>
      reject(new Error(`ended with ${code} before it listened:\n${said.join("\n")}`)),
    );
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue;
      // Read to the end, so that the child never waits for us.
      createInterface(stream).on("line", (line) => {
        said.push(line);
        const url = /http:\/\/(?:127\.0\.0\.1|localhost):\d+/.exec(line)?.[0];
        if (url !== undefined) resolve(url.replace("localhost", "127.0.0.1"));
      });
    }
  });
}
