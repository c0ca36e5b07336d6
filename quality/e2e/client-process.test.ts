import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";

const run = promisify(execFile);
const folder = join(import.meta.dirname, "../../packages/client");

/** Runs a module in the folder of the client, as it has been built. */
async function runModule(source: string, conditions: readonly string[] = []): Promise<string> {
  const named = conditions.map((condition) => `--conditions=${condition}`);
  const { stdout } = await run(process.execPath, [...named, "--input-type=module", "--eval", source], {
    cwd: folder,
  });
  return stdout.trim();
}

describe("a process that has called the service", () => {
  it("ends by itself once all is answered, although its connections are kept", async () => {
    // Longer than this test may take: only a process that does not wait for its connections ends before.
    const server = createServer({ keepAliveTimeout: 600_000 }, (_, response) => response.end("{}"));
    await once(server.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void server.close());
    onTestFinished(() => server.closeAllConnections());
    const { port } = server.address() as AddressInfo;
    const stdout = await runModule(`
      import { createTransport, endpoints } from "@creditgate/client";
      const transport = createTransport({ baseUrl: "http://127.0.0.1:${port}", apiKey: "cg_test_key" });
      console.log((await transport.send(endpoints.agentList)).status);
    `);
    expect(stdout).toBe("200");
  });
});

describe("the transport of a client", () => {
  it.each([
    [[], "pool"],
    [["workerd"], "fetch"],
    [["edge-light"], "fetch"],
    [["deno"], "fetch"],
    [["bun"], "fetch"],
    [["browser"], "fetch"],
  ])("under the conditions %j is %s, also where Node's own holds too", async (conditions, transport) => {
    const resolved = await runModule('console.log(import.meta.resolve("#platform-exchange"))', conditions);
    expect(resolved).toMatch(new RegExp(`platform-${transport}.js$`));
  });
});
