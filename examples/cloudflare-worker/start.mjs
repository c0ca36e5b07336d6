// One command: a local control plane, and the worker in workerd, which is what Cloudflare runs.
import { readFile } from "node:fs/promises";
import { startControlPlane } from "@creditgate/control-plane/testing";
import { Miniflare } from "miniflare";
import { deployedWorker } from "../deployed-worker.mjs";

const read = async (file) => JSON.parse(await readFile(new URL(file, import.meta.url), "utf8"));
const { CREDITGATE_BASE_URL: baseUrl, CREDITGATE_API_KEY: apiKey } = process.env;
// Without an address, one on a PostgreSQL of its own; its wallets are forgotten when this process ends.
const controlPlane = baseUrl
  ? { baseUrl, apiKey, stop: () => {} }
  : await startControlPlane({ fixture: await read("fixture.json") });
const worker = new Miniflare({
  ...(await deployedWorker(import.meta.url, {
    CREDITGATE_BASE_URL: controlPlane.baseUrl,
    CREDITGATE_API_KEY: controlPlane.apiKey,
    // This one debits at once.
    SETTLEMENT_LAG_MS: "1000",
  })),
  host: "127.0.0.1",
  port: Number(process.env.PORT ?? 8787),
});
const { origin } = await worker.ready;

// Miniflare's own listeners would end the process before the control plane has cleared up; workerd ends with it.
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.removeAllListeners(signal).once(signal, async () => {
    await controlPlane.stop();
    process.exit();
  });
}

console.log(`control plane on ${controlPlane.baseUrl}
worker listening on ${origin}

curl -iN ${origin} -H 'authorization: Bearer demo-alice' -d 'What is a credit?'
`);
