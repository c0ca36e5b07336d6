import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, type TestContext } from "vitest";
import { freePort } from "../../../quality/free-port.ts";

const program = join(import.meta.dirname, "../bin/creditgate.js");
const application = join(import.meta.dirname, "leak/bad-day.mjs");

/** Starts `creditgate leak` on an application that has such a day; its billing service is played, unless there is one at the URL. */
async function leak({ onTestFinished }: TestContext, day: string, args: readonly string[], url?: string) {
  const folder = await mkdtemp(join(tmpdir(), "creditgate-leak-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const billing = join(folder, "billing.json");
  const balance = { path: "/balance", answer: { left: "{available}" } };
  const routes = { url, balance, report: { path: "/usage" }, topUp: { path: "/top-up", body: {} } };
  await writeFile(billing, JSON.stringify(routes));
  const common = [
    "--billing",
    billing,
    "--wait",
    "2000",
    "--outage",
    "2000",
    "--requests",
    "10",
    "--wallet",
    "5",
  ];
  const address = `http://127.0.0.1:${await freePort()}/chat`;
  const start = `exec '${process.execPath}' '${application}'`;
  const child = spawn(process.execPath, [program, "leak", address, "--start", start, ...common, ...args], {
    env: { ...process.env, DAY: day },
    stdio: ["ignore", "pipe", "pipe"],
  });
  // What spins at its end would spin for ever.
  onTestFinished(() => void child.kill("SIGKILL"));
  const printed = { output: "" };
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (printed.output += data));
  return { child, address, printed };
}

async function tried(...given: Parameters<typeof leak>) {
  const { child, printed } = await leak(...given);
  const [code] = await once(child, "exit");
  return { code, output: printed.output };
}

async function isListening(address: string): Promise<boolean> {
  const socket = connect(Number(new URL(address).port), "127.0.0.1");
  return once(socket, "connect").then(
    () => Boolean(socket.destroy()),
    () => false,
  );
}

const customer = ["--header", "x-customer: {customer}"];

describe.concurrent("creditgate leak on a bad day", { timeout: 60_000 }, () => {
  it("ends after clients that left an answer which was complete", async (context) => {
    const { code } = await tried(context, "none", [...customer, "--only", "leave-byte"]);
    expect(code).toBe(0);
  });

  it.for(["crash", "outage"])(
    "does not report that nothing leaked if it saw no work: %s",
    async (day, context) => {
      const { code, output } = await tried(context, day, [
        ...customer,
        "--only",
        "parallel,leave-headers,leave-byte",
      ]);
      expect(output).toContain("\nno leak was seen, but parallel, leave-headers, leave-byte saw no work\n");
      expect(code).toBe(2);
    },
  );

  it("ends though a process that left the group of the application has its output", async (context) => {
    const { code, output } = await tried(context, "daemon", ["--only", "parallel"]);
    expect(output).toContain("10 worked");
    expect(code).toBe(1);
  });

  it("ends the application when its terminal is closed", async (context) => {
    const { child, address, printed } = await leak(context, "none", [...customer, "--only", "hangs"]);
    // The `expect` of the file has no test to poll for once another that runs beside this one has ended.
    const { expect } = context;
    await expect.poll(() => printed.output, { timeout: 50_000 }).toContain("one request");
    child.kill("SIGHUP");
    await once(child, "exit");
    await expect.poll(() => isListening(address)).toBe(false);
  });

  it("takes no text for a balance", async (context) => {
    const service = createServer((_, response) => response.end('{"left":"5 credits"}'));
    await once(service.listen(0, "127.0.0.1"), "listening");
    context.onTestFinished(() => void service.close().closeAllConnections());
    const { port } = service.address() as AddressInfo;
    const { code, output } = await tried(context, "none", ["--only", "parallel"], `http://127.0.0.1:${port}`);
    expect(output).toMatch(/^wallet of 5 credits, 10 requests at once +10 worked +5 not paid/m);
    expect(output).toContain(
      "not seen: the balance: the service's answer has no number where {available} is",
    );
    expect(code).toBe(1);
  });
});
