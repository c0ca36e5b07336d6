import { CreditgateError } from "@creditgate/client";
import {
  createGate,
  createMemoryOutbox,
  createRegistry,
  type GateOptions,
  type Outbox,
} from "@creditgate/core";
import type { RecoveredReport } from "@creditgate/core/adapter";
import { createManualClock } from "@creditgate/core/testing";
import { createLeasedLedger, createMemoryStore } from "@creditgate/fleet";
import { describe, expect, it } from "vitest";
import { createFakeService, outcome, status, wallet } from "./service.ts";

const missing = () =>
  Promise.reject(new CreditgateError("invalid_option", "organization: expected the organisation"));

/** Gates of several processes on one store and one wallet of 100 credits; each has an API key of its own. */
function createFleet() {
  const clock = createManualClock();
  const store = createMemoryStore({ clock });
  const service = createFakeService();
  service.fund("alice", { ai_credits: wallet({ available: 100 }) });
  const lines: string[] = [];
  /** `organization`: as the option says, or the service tells. */
  function start(apiKey: string, organization: () => Promise<string>, options: Partial<GateOptions> = {}) {
    const client: NonNullable<GateOptions["client"]> = {
      ...service.client,
      fingerprint: (of = "key") => (of === "key" ? Promise.resolve(apiKey) : organization()),
    };
    return createGate({
      client,
      currency: "ai_credits",
      wallet: "prepaid",
      registry: createRegistry(),
      ledger: createLeasedLedger(store, { clock }),
      clock,
      minRefreshMs: 0,
      lagWatch: false,
      logger: { error: (line) => lines.push(line) },
      actionTimeoutMs: 0,
      ...options,
    } as GateOptions);
  }
  async function ask(gate: ReturnType<typeof start>, hold: number) {
    const request = { customerId: "alice", agentId: "chat", indicator: "message", hold };
    const decided = gate.authorize(request).then(outcome);
    let isDecided = false;
    void decided.then(() => {
      isDecided = true;
    });
    for (let turn = 0; turn < 500 && !isDecided; turn++) await clock.advance(10);
    return decided;
  }
  return { clock, service, lines, start, ask };
}

const acme = async () => "acme";

describe("processes with the old and the new API key of an organisation", () => {
  it("spend one wallet together, and no more than it can pay", async () => {
    const { start, ask } = createFleet();
    const [old, rotated] = [start("old", acme), start("new", acme)];
    expect(await ask(old, 60)).toBe("allowed");
    expect(await ask(rotated, 60)).toBe("insufficient_credits");
    expect(await ask(rotated, 40)).toBe("allowed");
  });

  it("spend apart from those of another organisation on the same store", async () => {
    const { start, ask } = createFleet();
    const [one, other] = [start("one", acme), start("other", async () => "umbrella")];
    expect(await ask(one, 60)).toBe("allowed");
    expect(await ask(other, 60)).toBe("allowed");
  });

  it("count, after a restart with the new key, what the one before has left", async () => {
    const { start, ask } = createFleet();
    const id = "1";
    const left: RecoveredReport = {
      id,
      customerId: "alice",
      currency: "ai_credits",
      entry: { id, amount: 70e6 },
      delivered: true,
    };
    const recover = async () => ({ reports: [left], works: [] });
    const outbox: Outbox = Object.assign(createMemoryOutbox(), { recover });
    const [old, restarted] = [start("old", acme), start("new", acme, { outbox })];
    expect(await ask(restarted, 30)).toBe("allowed");
    expect(await ask(old, 1)).toBe("insufficient_credits");
  });
});

describe("a gate on a shared ledger whose organisation nothing tells", () => {
  it("lets nothing in, and tells how to name it", async () => {
    const { start, ask, lines } = createFleet();
    expect(await ask(start("key", missing), 1)).toBe("upstream_unavailable");
    expect(lines).toEqual([expect.stringContaining("organization: expected the organisation")]);
  });

  it("decides as ever on a ledger of its own", async () => {
    const { start, ask } = createFleet();
    expect(await ask(start("key", missing, { ledger: undefined }), 1)).toBe("allowed");
  });

  it("asks the service once for all requests that come while it is away, and goes on when it is back", async () => {
    const { start, clock } = createFleet();
    let asked = 0;
    let isAway = true;
    const gate = start("key", async () => {
      asked++;
      if (isAway) throw status(503);
      return "acme";
    });
    const request = { customerId: "alice", agentId: "chat", indicator: "message", hold: 1 };
    const askAll = () => Promise.all(Array.from({ length: 10 }, () => gate.authorize(request).then(outcome)));
    expect(new Set(await askAll())).toEqual(new Set(["upstream_unavailable"]));
    expect(asked).toBe(1);
    isAway = false;
    await clock.advance(1_000);
    const answered = askAll();
    for (let turn = 0; turn < 10; turn++) await clock.advance(10);
    expect(new Set(await answered)).toEqual(new Set(["allowed"]));
    expect(asked).toBe(2);
  });

  it("delivers what an earlier process has left when the service is back, also where no request comes", async () => {
    const { start, clock, service } = createFleet();
    let isAway = true;
    const [id, currency] = ["1", "ai_credits"];
    const entry = { id, amount: 1 };
    const report = {
      id,
      customerId: "alice",
      agentId: "chat",
      indicator: "message",
      rawUsage: {},
      currency,
      entry,
    };
    const memory = createMemoryOutbox();
    const recover = async () => {
      memory.append([report]);
      memory.release([report]);
      return { reports: [{ ...report, delivered: false }], works: [] };
    };
    const outbox: Outbox = Object.assign(memory, { recover });
    start("key", () => (isAway ? Promise.reject(status(503)) : acme()), { outbox });
    await clock.advance(0);
    isAway = false;
    for (let turn = 0; turn < 100; turn++) await clock.advance(100);
    expect(service.reports).toMatchObject([{ key: "1" }]);
  });
});

describe("a gate without a ledger beside one with a shared ledger, in one process", () => {
  const gates = () => {
    const registry = createRegistry();
    const { start, ask } = createFleet();
    const shared = start("key", acme, { registry });
    return { ask, shared, forgetful: start("key", acme, { registry, ledger: undefined }) };
  };

  it("shares that one", async () => {
    const { ask, shared, forgetful } = gates();
    expect(await ask(shared, 60)).toBe("allowed");
    expect(await ask(forgetful, 60)).toBe("insufficient_credits");
    expect(await ask(forgetful, 40)).toBe("allowed");
  });

  it("has the other refused where it has decided first: two ledgers would each give out the whole wallet", async () => {
    const { ask, shared, forgetful } = gates();
    expect(await ask(forgetful, 60)).toBe("allowed");
    const request = { customerId: "alice", agentId: "chat", indicator: "message", hold: 60 };
    await expect(shared.authorize(request)).rejects.toThrow(
      "ledger: expected the ledger of the first gate on this service and key",
    );
  });

  it("keeps its own where the other has closed", async () => {
    const { ask, shared, forgetful } = gates();
    await shared.close();
    expect(await ask(forgetful, 60)).toBe("allowed");
  });
});
