// One command: a local control plane, a provider that stands in where there is no key, and the gateway, on Node or in workerd.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { startControlPlane } from "@creditgate/control-plane/testing";
import { Miniflare } from "miniflare";
import { deployedWorker } from "../deployed-worker.mjs";
import { standInProvider } from "./dist/stand-in.js";

// The real one, on a PostgreSQL of its own; its wallets are forgotten when this process ends.
const fixture = JSON.parse(await readFile(new URL("fixture.json", import.meta.url), "utf8"));
const controlPlane = await startControlPlane({ fixture });
const standIn = standInProvider().listen(0, "127.0.0.1");
await once(standIn, "listening");

const { env } = process;
const port = env.PORT ?? "8790";
const address = `http://127.0.0.1:${standIn.address().port}`;
const settings = {
  CREDITGATE_BASE_URL: controlPlane.baseUrl,
  CREDITGATE_API_KEY: controlPlane.apiKey,
  CUSTOMER_TOKENS: JSON.stringify({ "demo-alice": "alice", "demo-bob": "bob" }),
  OPENAI_API_KEY: env.OPENAI_API_KEY ?? "none",
  OPENAI_BASE_URL: env.OPENAI_BASE_URL ?? (env.OPENAI_API_KEY ? "" : `${address}/v1`),
  ANTHROPIC_API_KEY: env.ANTHROPIC_API_KEY ?? "none",
  ANTHROPIC_BASE_URL: env.ANTHROPIC_BASE_URL ?? (env.ANTHROPIC_API_KEY ? "" : address),
  MAX_OUTPUT_TOKENS: env.MAX_OUTPUT_TOKENS ?? "",
};
const gateway = process.argv.includes("--workerd") ? await inWorkerd() : await onNode();

// Miniflare's own listeners would end the process before the control plane has cleared up.
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.removeAllListeners(signal).once(signal, async () => {
    // The gateway first: it delivers its last usage to the control plane.
    await gateway.stop(signal);
    standIn.closeAllConnections();
    standIn.close();
    await controlPlane.stop();
    process.exit();
  });
}

console.log(`control plane on ${controlPlane.baseUrl}
gateway listening on ${gateway.url}

curl -N ${gateway.url}/v1/chat/completions -H 'authorization: Bearer demo-alice' \\
  -d '{"model":"gpt-5","stream":true,"messages":[{"role":"user","content":"What is a credit?"}]}'
`);

async function onNode() {
  const child = spawn(process.execPath, [fileURLToPath(new URL("dist/node.js", import.meta.url))], {
    env: { ...env, ...settings, PORT: port },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  const lines = once(createInterface(child.stdout), "line");
  const [line] = await Promise.race([lines, ended.then(() => [""])]);
  const url = /http:\S+/.exec(line)?.[0];
  if (url !== undefined) return { url, stop: (signal) => child.kill(signal) && ended };
  await controlPlane.stop();
  process.exit(1);
}

async function inWorkerd() {
  const worker = await deployedWorker(import.meta.url, settings);
  const workerd = new Miniflare({ ...worker, host: "127.0.0.1", port: Number(port) });
  const { origin } = await workerd.ready;
  return { url: origin, stop: () => workerd.dispose() };
}
