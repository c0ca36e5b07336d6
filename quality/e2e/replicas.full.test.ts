import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createAdminClient } from "@creditgate/admin";
import { startControlPlane, type TestControlPlane } from "@creditgate/control-plane/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fixtureOf } from "./gated-api.ts";

const adminToken = "cga_a-token-for-these-tests";
const clock = { time: Date.now(), now: () => clock.time };
let plane: TestControlPlane;
beforeEach(async () => {
  const wallet = { kind: "prepaid", currency: "ai_credits", available: 1_000 } as const;
  plane = await startControlPlane({ fixture: fixtureOf({ alice: wallet }), adminToken, clock });
});
afterEach(() => plane.stop());

/** A real process with a gate, whose ledger is in its memory. */
async function startReplica() {
  const child = fork(join(import.meta.dirname, "misconfigured/replica.mjs"), {
    env: { ...process.env, CREDITGATE_BASE_URL: plane.baseUrl, CREDITGATE_API_KEY: plane.apiKey },
    silent: true,
    execArgv: [],
  });
  let stderr = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  await once(child, "message");
  return {
    async work(): Promise<void> {
      const answered = once(child, "message");
      child.send("work");
      expect(await answered).toEqual([true, undefined]);
    },
    /** Ends as a deploy ends it; resolves with the lines of stderr. */
    async end(): Promise<readonly string[]> {
      const closed = once(child, "close");
      child.send("end");
      await closed;
      return stderr.split("\n").filter((line) => line !== "");
    },
  };
}

type Replica = Awaited<ReturnType<typeof startReplica>>;

async function serve(replicas: readonly Replica[], minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    for (const replica of replicas) await replica.work();
    clock.time += 60_000;
  }
}

async function doctor(): Promise<{ readonly code: number | null; readonly stdout: string }> {
  const cli = join(import.meta.dirname, "../../packages/control-plane/bin/creditgate.js");
  const child = spawn(process.execPath, [cli, "doctor", "--customer", "alice", "--currency", "ai_credits"], {
    env: { PATH: process.env.PATH, CREDITGATE_BASE_URL: plane.baseUrl, CREDITGATE_API_KEY: plane.apiKey },
  });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  const [code] = await once(child, "close");
  return { code, stdout };
}

describe("three processes with ledgers in memory, and one wallet", () => {
  it("each say so in one line, and so do the doctor and the control plane", async () => {
    const replicas = await Promise.all([startReplica(), startReplica(), startReplica()]);
    await serve(replicas, 12);
    const { code, stdout } = await doctor();
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /FAIL ledger {4}3 ledgers have spent the same wallets at the same time.*\n +fix: .*Redis, PostgreSQL or Durable Objects/,
    );
    const [organization] = await createAdminClient({
      baseUrl: plane.baseUrl,
      adminToken,
    }).organizations.list();
    const { gates } = createAdminClient({ baseUrl: plane.baseUrl, adminToken }).organization(
      organization?.organizationId ?? "",
    );
    const { ledgers, wallets } = (await gates.list()).separateLedgers;
    expect(wallets).toEqual([{ customerId: "alice", currency: "ai_credits" }]);

    await serve(replicas, 5);
    const lines = await Promise.all(replicas.map((replica) => replica.end()));
    expect(lines.map((own) => own.length)).toEqual([1, 1, 1]);
    for (const line of lines.flat()) expect(line).toContain("3 separate ledgers spend the same wallets");
    const named = lines.flat().map((line) => /this process is ([\da-f-]{36})\./.exec(line)?.[1]);
    expect(named.toSorted()).toEqual(ledgers.map(({ processId }) => processId).toSorted());
  });
});

describe("one process at a time", () => {
  it("says nothing, through a rolling deploy and a restart", async () => {
    const old = await startReplica();
    await serve([old], 12);
    const next = await startReplica();
    await serve([old, next], 6);
    expect(await old.end()).toEqual([]);
    await serve([next], 12);
    expect(await next.end()).toEqual([]);
    const restarted = await startReplica();
    await serve([restarted], 12);
    const { stdout } = await doctor();
    expect(stdout).toContain("ok   wallet");
    expect(stdout).not.toContain("ledger");
    expect(await restarted.end()).toEqual([]);
  });
});
