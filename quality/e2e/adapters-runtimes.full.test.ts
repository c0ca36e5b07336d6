import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Readable } from "node:stream";
import type { AdapterOnTrial, RunningServer } from "@creditgate/conformance";
import { Miniflare } from "miniflare";
import { afterAll, beforeAll } from "vitest";
import { bundle } from "./adapters-bundle.ts";
import { send, serve } from "./adapters-node.ts";
import { startProcess } from "./adapters-process.ts";
import { testAdapter } from "./adapters-runner.ts";

const programs = resolve(import.meta.dirname, "../../node_modules/.bin");

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "creditgate-runtimes-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** Starts the program that `runtimes/` has for this runtime. */
async function inProcess(runtime: "bun" | "deno", options: readonly string[], controlPlaneUrl: string) {
  const script = join(folder, `${runtime}.mjs`);
  await writeFile(script, (await bundle(`${runtime}.ts`, { runtime })).code);
  return startProcess({
    program: join(programs, runtime),
    options: [...options, script],
    environment: { CONTROL_PLANE_URL: controlPlaneUrl, NO_COLOR: "1" },
    folder,
  });
}

async function inWorkerd(app: "edge" | "hono", controlPlaneUrl: string): Promise<RunningServer> {
  const miniflare = new Miniflare({
    modules: [{ type: "ESModule", path: "worker.mjs", contents: (await bundle("worker.ts")).code }],
    compatibilityDate: "2026-04-01",
    compatibilityFlags: ["enable_request_signal", "request_signal_passthrough"],
    // It logs there what the handlers on trial throw.
    handleRuntimeStdio(stdout: Readable, stderr: Readable) {
      stdout.resume();
      stderr.resume();
    },
    // Past the proxy that miniflare puts in front, which compresses streams.
    unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
    bindings: { CONTROL_PLANE_URL: controlPlaneUrl, APP: app },
  });
  const { origin } = await miniflare.unsafeGetDirectURL();
  return { url: origin, close: () => miniflare.dispose() };
}

const bun = ["run"];
const deno = ["run", "--no-config", "--allow-net", "--allow-env"];

testAdapter("edge in workerd", {
  start: (url) => inWorkerd("edge", url),
  serve,
  send,
  onWeb: true,
  impossible: endsInWorkerd,
});
testAdapter("Hono in workerd", {
  start: (url) => inWorkerd("hono", url),
  serve,
  send,
  onWeb: true,
  impossible: endsInWorkerd,
});
testAdapter("edge in Bun", { start: (url) => inProcess("bun", bun, url), serve, send, onWeb: true });
testAdapter("edge in Deno", {
  start: (url) => inProcess("deno", deno, url),
  serve,
  send,
  onWeb: true,
  impossible: leavesInDeno,
});

type Cell = Parameters<NonNullable<AdapterOnTrial["impossible"]>>[0];

/** Only `waitUntil()` keeps what goes on behind an answer, and the answer of another does not. */
function endsInWorkerd({ body, ending }: Cell): string | undefined {
  return body.startsWith("a stream") && /^another answers early|replaces the answer$/.test(ending)
    ? "workerd may end what works on behind another's answer"
    : undefined;
}

function leavesInDeno({ body, ending }: Cell): string | undefined {
  return !body.startsWith("a stream") && ending.startsWith("another answers early")
    ? "to Deno, a client disconnects once any answer has gone out"
    : undefined;
}
