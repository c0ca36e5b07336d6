import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createTransport } from "@creditgate/client";
import { createGate, createRegistry, type Gate, type GateOptions } from "@creditgate/core";
import { createSqliteOutbox, type SqliteOutbox } from "@creditgate/sqlite";
import { afterEach, describe, expect, it, vi } from "vitest";
import { temporaryFile } from "./temporary-file.ts";

const apiKey = "canary-5f2b8c1d-key";
const wallet = {
  available: 100,
  pending: 0,
  overage_used: 0,
  overage_limit: 0,
  postpaid_used: 0,
  postpaid_limit: 0,
};

/**
 * A service whose wallet has 100 credits, and which takes usage, but debits it much later; or is away, or takes it and never
 * answers. It echoes keys if it honours them.
 */
function service(
  options: { readonly away?: boolean; readonly silent?: boolean; readonly honoursKeys?: boolean } = {},
): {
  readonly fetch: typeof fetch;
  readonly keys: string[];
} {
  const keys: string[] = [];
  return {
    keys,
    async fetch(_, init) {
      if (init?.method !== "POST") return Response.json({ balances: { ai_credits: wallet } });
      if (options.away) return new Response(null, { status: 503 });
      const key = String(new Headers(init.headers).get("idempotency-key"));
      keys.push(key);
      if (options.silent) return new Promise(() => {});
      const headers = options.honoursKeys ? { "idempotency-key": key } : {};
      return Response.json({}, { status: 202, headers });
    },
  };
}

const opened: { readonly gate: Gate; readonly outbox: SqliteOutbox }[] = [];
afterEach(async () => {
  for (const { gate, outbox } of opened.splice(0)) {
    await gate.close({ graceMs: 0 });
    await outbox.close();
  }
});

function start(
  path: string,
  { fetch }: ReturnType<typeof service>,
  options: Partial<GateOptions> = {},
): Gate {
  const outbox = createSqliteOutbox({ path });
  const gate = createGate({
    client: createTransport({ baseUrl: "https://billing.example", apiKey, fetch }),
    currency: "ai_credits",
    wallet: "prepaid",
    registry: createRegistry(),
    lagWatch: false,
    outbox,
    ...options,
  } as GateOptions);
  opened.push({ gate, outbox });
  return gate;
}

/** The file as a process finds it after the one that works on it has died. */
function afterCrash(path: string): string {
  const found = temporaryFile();
  for (const part of ["", "-wal"]) if (existsSync(path + part)) cpSync(path + part, found + part);
  return found;
}

async function ask(gate: Gate, hold: number) {
  return gate.authorize({ customerId: "ada", agentId: "chat", indicator: "message", hold });
}

async function work(gate: Gate, credits: number): Promise<void> {
  const decision = await ask(gate, credits);
  if (!decision.allowed) throw new Error(decision.denial.code);
  decision.charge.report({ model: "m" }, { credits });
  await decision.charge.settle();
}

describe("a gate on a file that an earlier gate of the same process has left", () => {
  it("counts what is in it once, and gives it free when it has been debited", async () => {
    const path = temporaryFile();
    const registry = createRegistry();
    const first = start(path, service({ away: true }), { registry });
    await work(first, 60);
    await first.close({ graceMs: 10 });
    await opened[0]?.outbox.close();
    // The first may have closed before it had read the 503: without "retry" the second would park what may have arrived.
    const retrying = { ambiguous: "retry", settlementLagMs: 0, ttlMs: 1, minRefreshMs: 0 } as const;
    const second = start(path, service(), { registry, ...retrying });
    await second.flush();
    expect(await second.balance("ada")).toMatchObject({ unconfirmed: 60 });
    // The clock has advanced by its resolution, so a balance that is asked for now shows the debit.
    await expect.poll(async () => (await ask(second, 90)).allowed).toBe(true);
  });
});

describe("a gate with a SQLite outbox, after a crash", () => {
  it.each([
    ["was delivered, and may not be debited yet", false],
    ["waits for delivery", true],
  ])("admits no more than the wallet can pay: usage that %s still counts", async (_, away) => {
    const path = temporaryFile();
    const first = start(path, service({ away }));
    await work(first, 60);
    await first.flush({ timeoutMs: away ? 0 : 10_000 });
    const second = start(afterCrash(path), service({ away }));
    expect(await ask(second, 41)).toMatchObject({
      allowed: false,
      denial: { code: "insufficient_credits", available: 40 },
    });
    expect(await ask(second, 40)).toMatchObject({ allowed: true });
  });

  it("sends what work had reported that did not end before its process closed", async () => {
    const path = temporaryFile();
    const first = start(path, service({ away: true }), { ambiguous: "retry" });
    const decision = await ask(first, 60);
    if (!decision.allowed) throw new Error(decision.denial.code);
    decision.charge.report({ model: "m" });
    expect(await first.close({ graceMs: 10 })).toMatchObject({ queued: 1, open: 0, undelivered: [] });
    const back = service();
    expect(await start(afterCrash(path), back, { ambiguous: "retry" }).flush()).toMatchObject({ queued: 0 });
    expect(back.keys).toHaveLength(1);
  });

  it("sends what was queued, with the same key", async () => {
    const path = temporaryFile();
    const first = start(path, service({ away: true }), { ambiguous: "retry" });
    const keys: string[] = [];
    await work(first, 60);
    const back = service();
    const second = start(afterCrash(path), back, { ambiguous: "retry" });
    second.on("delivered", ({ report }) => keys.push(report.id));
    expect(await second.flush()).toEqual({ queued: 0, parked: 0, dead: 0 });
    expect(back.keys).toEqual(keys);
    expect(keys).toHaveLength(1);
  });

  it("does not send again what may have arrived, where the service does not honour keys", async () => {
    const path = temporaryFile();
    const silent = service({ silent: true });
    await work(start(path, silent), 60);
    await vi.waitFor(() => expect(silent.keys).toHaveLength(1), { timeout: 30_000 });
    const back = service();
    const second = start(afterCrash(path), back);
    expect(await second.flush()).toEqual({ queued: 0, parked: 1, dead: 0 });
    expect(back.keys).toEqual([]);
  });

  it("sends it again, with the same key, where the service has honoured keys before", async () => {
    const path = temporaryFile();
    const options = { honoursKeys: true, silent: false };
    const first = service(options);
    const gate = start(path, first);
    await work(gate, 10);
    await gate.flush();
    options.silent = true;
    await work(gate, 10);
    await vi.waitFor(() => expect(first.keys).toHaveLength(2), { timeout: 30_000 });
    const back = service({ honoursKeys: true });
    expect(await start(afterCrash(path), back).flush()).toEqual({ queued: 0, parked: 0, dead: 0 });
    expect(back.keys).toEqual([first.keys[1]]);
  });

  it("has forgotten the work in flight without durableHolds", async () => {
    const path = temporaryFile();
    await ask(start(path, service()), 60);
    expect(await ask(start(afterCrash(path), service()), 100)).toMatchObject({ allowed: true });
  });

  it("counts the work in flight with durableHolds, and tells of it", async () => {
    const path = temporaryFile();
    await ask(start(path, service(), { durableHolds: true }), 60);
    const second = start(afterCrash(path), service(), { durableHolds: true });
    const orphans: unknown[] = [];
    second.on("orphan", (event) => orphans.push(event));
    expect(await ask(second, 41)).toMatchObject({ allowed: false });
    expect(await ask(second, 40)).toMatchObject({ allowed: true });
    expect(orphans).toMatchObject([{ policy: "review", work: { customerId: "ada", hold: 60e6 } }]);
  });

  it("bills an orphan once, however often the process dies meanwhile", async () => {
    const defaultUsage = { outputTokens: 5 };
    const options = { durableHolds: true, onOrphan: "default", defaultUsage, ambiguous: "retry" } as const;
    let path = temporaryFile();
    await ask(start(path, service(), options), 60);
    for (let crash = 0; crash < 3; crash++) {
      path = afterCrash(path);
      await start(path, service({ away: true }), options).flush({ timeoutMs: 0 });
    }
    const back = service();
    expect(await start(afterCrash(path), back, options).flush()).toEqual({ queued: 0, parked: 0, dead: 0 });
    expect(back.keys).toHaveLength(1);
  });

  it("leaves no API key in any file", async () => {
    const path = temporaryFile();
    const gate = start(path, service({ away: true }), { durableHolds: true });
    await work(gate, 60);
    await ask(gate, 1);
    await gate.flush({ timeoutMs: 0 });
    for (const file of readdirSync(dirname(path))) {
      expect(readFileSync(join(dirname(path), file)).includes(apiKey), file).toBe(false);
    }
  });
});

describe("a gate with a SQLite outbox, restarted without a crash", () => {
  /** Ends the process as a deploy does. */
  async function stop(gate: Gate): Promise<void> {
    await gate.close({ graceMs: 100 });
    await opened.find((one) => one.gate === gate)?.outbox.close();
  }

  it("does not bill twice what was on its way when its grace was over, with ambiguous: park", async () => {
    const path = temporaryFile();
    const silent = service({ silent: true });
    const first = start(path, silent, { ambiguous: "park" });
    await work(first, 60);
    await vi.waitFor(() => expect(silent.keys).toHaveLength(1), { timeout: 30_000 });
    await stop(first);
    const back = service();
    const second = start(path, back, { ambiguous: "park" });
    const parked: unknown[] = [];
    second.on("parked", ({ report }) => parked.push(report.id));
    expect(await second.flush()).toEqual({ queued: 0, parked: 1, dead: 0 });
    expect(back.keys).toEqual([]);
    expect(parked).toEqual(silent.keys);
    expect(await ask(second, 41)).toMatchObject({ allowed: false });
  });

  it("three times in a row, on a wallet of 10 with usage that is debited late, admits 10", async () => {
    const path = temporaryFile();
    const figures = { ...wallet, available: 10 };
    const late: typeof fetch = async (_, init) =>
      init?.method === "POST"
        ? Response.json({}, { status: 202 })
        : Response.json({ balances: { ai_credits: figures } });
    let admitted = 0;
    for (let life = 0; life < 3; life++) {
      const gate = start(path, { fetch: late, keys: [] });
      const decision = await ask(gate, 10);
      if (decision.allowed) {
        admitted += 10;
        decision.charge.report({ model: "m" }, { credits: 10 });
        await decision.charge.settle();
      }
      await gate.flush();
      await stop(gate);
    }
    expect(admitted).toBe(10);
  });
});
