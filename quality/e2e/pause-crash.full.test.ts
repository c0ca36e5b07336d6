import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { startControlPlane } from "@creditgate/control-plane/testing";
import { expect, it } from "vitest";
import { fixtureOf } from "./gated-api.ts";

const script = join(import.meta.dirname, "durability/paused-process.mjs");
const names = Array.from({ length: 10 }, (_, at) => `customer-${at}`);

/** The first facts of a process of its own, as many as `count`; then it is killed with kill -9. */
async function factsOf(env: Readonly<Record<string, string>>, count: number): Promise<unknown[]> {
  const child: ChildProcess = spawn(process.execPath, [script], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...env },
  });
  const ended = once(child, "exit");
  const facts: unknown[] = [];
  if (child.stdout !== null)
    for await (const line of createInterface({ input: child.stdout })) {
      facts.push(JSON.parse(line));
      if (facts.length === count) break;
    }
  child.kill("SIGKILL");
  await ended;
  return facts;
}

it("a process that is killed while work pauses has billed once what came before, and holds only what had gone on", async () => {
  const wallets = names.map((name) => [name, { kind: "prepaid", currency: "ai_credits", available: 3 }]);
  const plane = await startControlPlane({ fixture: fixtureOf(Object.fromEntries(wallets)) });
  const folder = mkdtempSync(join(tmpdir(), "creditgate-pause-"));
  const env = {
    CREDITGATE_BASE_URL: plane.baseUrl,
    CREDITGATE_API_KEY: plane.apiKey,
    OUTBOX: join(folder, "usage.db"),
    CUSTOMERS: String(names.length),
  };
  try {
    // What is billed before the pause stays on the disk.
    plane.faults.unavailable(503, { paths: ["/api/v2/usage"] });
    const facts = await factsOf({ ...env, MODE: "pause" }, names.length);
    const even = names.filter((_, at) => at % 2 === 0);
    const odd = names.filter((_, at) => at % 2 === 1);
    expect(new Set(facts)).toEqual(
      new Set([...even.map((paused) => ({ paused })), ...odd.map((resumed) => ({ resumed }))]),
    );
    plane.faults.restore();
    const [found] = await factsOf({ ...env, MODE: "recover" }, 1);
    expect(found).toMatchObject({
      left: { queued: 0, parked: 0, dead: 0 },
      // What pauses holds nothing; what went on is an operator's to decide, and holds until then.
      orphans: expect.arrayContaining(odd.map((customerId) => ({ customerId, hold: 2e6 }))),
      allowed: names.map((name) => even.includes(name)),
    });
    expect((found as { orphans: unknown[] }).orphans).toHaveLength(odd.length);
    await plane.settled();
    for (const name of names) expect((await plane.balance(name)).ai_credits).toMatchObject({ available: 2 });
  } finally {
    plane.faults.restore();
    await plane.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}, 300_000);
