import { fork } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { Child } from "../control-plane/child.ts";

/** The example's gateway, in a process of its own that answers questions of `probe.ts`. */
export interface GatewayProcess extends Pick<Child<unknown>, "stop" | "send"> {
  readonly url: string;
  answer<Answer>(): Promise<Answer>;
}

/** Starts the gateway as its README says, with these variables. */
export async function startGateway(
  variables: Readonly<Record<string, string>>,
  options: readonly string[] = [],
): Promise<GatewayProcess> {
  const child = fork(new URL("../../../../examples/llm-gateway/dist/node.js", import.meta.url), {
    env: { ...process.env, ...variables, PORT: "0" },
    execArgv: ["--import", new URL("probe.js", import.meta.url).href, ...options],
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  const ended = once(child, "close");
  const [line] = await Promise.race([once(createInterface(child.stdout as Readable), "line"), ended]);
  const url = /http:\S+/.exec(String(line))?.[0];
  if (url === undefined) throw new Error("the gateway has not started");
  return {
    url,
    send: (message) => void child.send(message),
    answer: async () => (await once(child, "message"))[0],
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
