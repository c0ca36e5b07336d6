import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** The example's gateway, in a process of its own. */
export interface GatewayProcess {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts the gateway as its README says, with these variables. */
export async function startGateway(variables: Readonly<Record<string, string>>): Promise<GatewayProcess> {
  const script = fileURLToPath(new URL("../../../../examples/llm-gateway/dist/node.js", import.meta.url));
  const child = spawn(process.execPath, [script], {
    env: { ...process.env, ...variables, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  const [line] = await Promise.race([once(createInterface(child.stdout), "line"), ended]);
  const url = /http:\S+/.exec(String(line))?.[0];
  if (url === undefined) throw new Error("the gateway has not started");
  return {
    url,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
