// One command: the local control plane, and the app, built if it has not been.
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdtemp } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);
const next = join(dirname(require.resolve("next/package.json")), "dist/bin/next");
const creditgate = join(dirname(require.resolve("@creditgate/control-plane")), "cli.js");
const environment = { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" };

if (!existsSync(join(here, ".next/BUILD_ID"))) {
  const { status } = spawnSync(process.execPath, [next, "build"], {
    cwd: here,
    env: environment,
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 1);
}

/** Resolves with the URL that the server announces. */
function announced(server, name) {
  return new Promise((resolve, reject) => {
    server.once("exit", (code) => reject(new Error(`${name} ended with ${code}`)));
    createInterface(server.stdout).on("line", (line) => {
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
      if (url !== undefined) resolve(url);
    });
  });
}

// Left to the system to clear away, with the wallets of this run. PostgreSQL, which root may not run, belongs to another user then.
const folder = await mkdtemp(join(tmpdir(), "creditgate-next-chat-"));
await chmod(folder, 0o711);
const stdio = ["ignore", "pipe", "inherit"];
const options = ["--port", "0", "--data", join(folder, "data"), "--fixture", join(here, "fixture.json")];
const controlPlane = spawn(process.execPath, [creditgate, "serve", ...options, "--settlement-delay", "0"], {
  stdio,
});
process.once("exit", () => controlPlane.kill("SIGTERM"));
const baseUrl = await announced(controlPlane, "the control plane");

const app = spawn(
  process.execPath,
  [next, "start", "--hostname", "127.0.0.1", "--port", process.env.PORT ?? "3000"],
  {
    cwd: here,
    env: {
      ...environment,
      CREDITGATE_BASE_URL: baseUrl,
      CREDITGATE_API_KEY: "cg_test_local",
      SETTLEMENT_LAG_MS: "2000",
    },
    stdio,
  },
);
process.once("exit", () => app.kill("SIGTERM"));
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(0));
console.log(`next-chat listening on ${await announced(app, "next")} (control plane on ${baseUrl})`);
