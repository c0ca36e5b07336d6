// One command: the local control plane, and the worker in workerd, which is what Cloudflare runs.
import { spawn } from "node:child_process";
import { chmod, mkdtemp } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { Miniflare } from "miniflare";

const here = dirname(fileURLToPath(import.meta.url));
// Left to the system to clear away, with the wallets of this run.
const folder = await mkdtemp(join(tmpdir(), "creditgate-worker-"));
// PostgreSQL, which root may not run, belongs to another user then.
await chmod(folder, 0o711);
const program = createRequire(import.meta.url).resolve("@creditgate/control-plane");
const options = [
  "serve",
  "--port",
  "0",
  "--data",
  join(folder, "data"),
  "--fixture",
  join(here, "fixture.json"),
];
const controlPlane = spawn(process.execPath, [join(dirname(program), "cli.js"), ...options], {
  stdio: ["ignore", "pipe", "inherit"],
});
const baseUrl = await new Promise((resolve, reject) => {
  controlPlane.once("exit", (code) => reject(new Error(`the control plane ended with ${code}`)));
  createInterface(controlPlane.stdout).on("line", (line) => {
    const url = /listening on (http:\/\/\S+)/.exec(line)?.[1];
    if (url !== undefined) resolve(url);
  });
});

const { outputFiles } = await build({
  entryPoints: [join(here, "src/worker.ts")],
  conditions: ["workerd", "worker"],
  external: ["@opentelemetry/api"],
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  write: false,
});
const worker = new Miniflare({
  modules: [{ type: "ESModule", path: "worker.mjs", contents: outputFiles[0].text }],
  compatibilityDate: "2026-04-01",
  compatibilityFlags: ["enable_request_signal", "request_signal_passthrough"],
  bindings: { CREDITGATE_BASE_URL: baseUrl, CREDITGATE_API_KEY: "cg_test_local" },
  host: "127.0.0.1",
  port: Number(process.env.PORT ?? 8787),
});
const { origin } = await worker.ready;
console.log(`control plane on ${baseUrl}
worker listening on ${origin}

curl -iN ${origin} -H 'authorization: Bearer demo-alice' -d 'What is a credit?'
`);

// Miniflare ends this process on Ctrl-C; the control plane must not outlive it.
process.once("exit", () => controlPlane.kill("SIGTERM"));
