// One command: a local control plane, and the app, built if it has not been.
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createClient } from "@creditgate/client";
import { startControlPlane } from "@creditgate/control-plane/testing";

const here = dirname(fileURLToPath(import.meta.url));
const next = join(dirname(createRequire(import.meta.url).resolve("next/package.json")), "dist/bin/next");
const env = { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" };

if (!existsSync(join(here, ".next/BUILD_ID"))) {
  const { status } = spawnSync(process.execPath, [next, "build"], { cwd: here, env, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

// The real one, on a PostgreSQL of its own; its wallets are forgotten when this process ends.
const fixture = JSON.parse(await readFile(join(here, "fixture.json"), "utf8"));
const { baseUrl, apiKey, stop } = await startControlPlane({ fixture });

// What a fixture cannot say: who has a plan already, and who has not paid for it yet.
const { orders } = createClient({ baseUrl, apiKey });
for (const order of JSON.parse(await readFile(join(here, "orders.json"), "utf8"))) await orders.create(order);

const port = process.env.PORT ?? "3000";
const app = spawn(process.execPath, [next, "start", "--hostname", "127.0.0.1", "--port", port], {
  cwd: here,
  env: { ...env, CREDITGATE_BASE_URL: baseUrl, CREDITGATE_API_KEY: apiKey },
  stdio: ["ignore", "pipe", "inherit"],
});
createInterface(app.stdout).on("line", (line) => {
  const url = /Local: +(\S+)/.exec(line)?.[1];
  if (url !== undefined) console.log(`control plane on ${baseUrl}\nnext-chat listening on ${url}`);
});

// The app first: it delivers its last usage to the control plane.
let asked = false;
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    asked = true;
    app.kill(signal);
  });
}
app.once("exit", async (code) => {
  await stop();
  process.exit(asked ? 0 : (code ?? 1));
});
