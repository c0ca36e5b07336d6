import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@creditgate/client";
import { startControlPlane, type TestControlPlane } from "@creditgate/control-plane/testing";
import { type Charge, createGate, createRegistry, type Gate } from "@creditgate/core";
import { createRandom } from "@creditgate/core/testing";
import { createSqliteOutbox, type SqliteOutbox } from "@creditgate/sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { audit, readBooks, richCustomers } from "./durability/books.ts";
import { type FaultProxy, type NetworkFault, startFaultProxy } from "./durability/fault-proxy.ts";

const reports = Number(process.env.CREDITGATE_FAULTY_REPORTS ?? 100);
const models = Array.from({ length: reports }, (_, at) => `report-${at}`);
/** 10 % lost replies, and a little of everything else. */
const shares: readonly (readonly [NetworkFault, number])[] = [
  ["lost_reply", 0.1],
  ["reset_before", 0.05],
  ["truncated", 0.05],
  ["blackhole", 0.02],
  ["slow", 0.2],
];
const minutes = 60_000;

let controlPlane: TestControlPlane;
let proxy: FaultProxy;
let outbox: SqliteOutbox;
let gate: Gate;
let folder: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "creditgate-faults-"));
  controlPlane = await startControlPlane({ fixture: richCustomers });
  proxy = await startFaultProxy(controlPlane.baseUrl);
  outbox = createSqliteOutbox({ path: join(folder, "usage.db") });
  gate = createGate({
    client: createClient({ baseUrl: proxy.baseUrl, apiKey: controlPlane.apiKey, timeoutMs: 1_000 }),
    currency: "ai_credits",
    wallet: "prepaid",
    outbox,
    registry: createRegistry(),
    checkTimeoutMs: 30_000,
    lagWatch: false,
    // Patience is not what is tested here.
    random: () => 0.01,
  });
}, 3 * minutes);

afterEach(async () => {
  await gate?.close({ graceMs: 0 });
  await outbox?.close();
  await proxy?.close();
  await controlPlane?.stop();
  rmSync(folder, { recursive: true, force: true });
}, 3 * minutes);

/** Admits all the work over a good network, then bills it over a bad one, as many reports at a time as `wave` says. */
async function billOverBadNetwork(wave = reports): Promise<void> {
  const charges = await Promise.all(models.map((_, at) => admit(`customer-${at % 10}`)));
  const random = createRandom(4);
  proxy.fault = (request) => {
    if (!request.startsWith("POST")) return undefined;
    let chance = random.next();
    for (const [fault, share] of shares) {
      chance -= share;
      if (chance < 0) return fault;
    }
    return undefined;
  };
  for (const [at, charge] of charges.entries()) charge.report({ model: models[at] }, { credits: 1 });
  for (let at = 0; at < reports; at += wave) {
    await Promise.all(charges.slice(at, at + wave).map((charge) => charge.settle()));
    if (wave < reports) await gate.flush({ timeoutMs: 10 * minutes });
  }
}

async function admit(customerId: string): Promise<Charge> {
  const decision = await gate.authorize({ customerId, agentId: "chat", indicator: "message", hold: 1 });
  if (!decision.allowed) throw new Error(decision.denial.code);
  return decision.charge;
}

function faults(): string {
  return [...proxy.struck].map(([fault, count]) => `${count} ${fault}`).join(", ");
}

describe("a network that loses, resets, truncates, delays and swallows", () => {
  it(
    "between the gate and a service that honours keys: lost 0, duplicates 0",
    async () => {
      proxy.stripBatches = true;
      await billOverBadNetwork();
      const left = await gate.flush({ timeoutMs: 10 * minutes });
      const books = await readBooks(controlPlane);
      const { lost, twice } = audit(books, models);
      console.log(
        `keys honoured, ${reports} reports, ${faults()}: lost ${lost.length}, duplicates ${twice.length}`,
      );
      expect(left).toEqual({ queued: 0, parked: 0, dead: 0 });
      expect({ lost, twice }).toEqual({ lost: [], twice: [] });
      expect(books.paid).toBe(reports);
      for (const [fault] of shares) expect(proxy.struck.get(fault), fault).toBeGreaterThan(0);
    },
    12 * minutes,
  );

  it(
    "between the gate and a service that takes batches: lost 0, duplicates 0",
    async () => {
      await billOverBadNetwork(5);
      const books = await readBooks(controlPlane);
      const { lost, twice } = audit(books, models);
      console.log(
        `batches, ${reports} reports, ${faults()}: lost ${lost.length}, duplicates ${twice.length}`,
      );
      expect(await outbox.status()).toEqual({ queued: 0, parked: 0, dead: 0 });
      expect({ lost, twice }).toEqual({ lost: [], twice: [] });
      expect(books.paid).toBe(reports);
      expect(proxy.struck.get("lost_reply")).toBeGreaterThan(0);
    },
    12 * minutes,
  );

  it(
    "between the gate and one that does not: duplicates 0, and every ambiguous report is listed",
    async () => {
      proxy.stripKeys = true;
      const parked: unknown[] = [];
      gate.on("parked", ({ report }) => parked.push(report.rawUsage.model));
      const delivered: unknown[] = [];
      gate.on("delivered", ({ report }) => delivered.push(report.rawUsage.model));
      await billOverBadNetwork();
      const left = await gate.flush({ timeoutMs: 10 * minutes });
      const books = await readBooks(controlPlane);
      const { lost, twice } = audit(books, models);
      // What is not in the books was parked, and so was what is there without an answer to the gate.
      const unhandled = models.filter((model) => !delivered.includes(model));
      console.log(
        `keys not honoured, ${reports} reports, ${faults()}: duplicates ${twice.length}, parked ${parked.length}, ` +
          `of which the service has ${parked.length - lost.length}; lost and not listed ${lost.filter((model) => !parked.includes(model)).length}`,
      );
      expect(twice).toEqual([]);
      expect(lost.filter((model) => !parked.includes(model))).toEqual([]);
      expect(parked.toSorted()).toEqual(unhandled.toSorted());
      expect(left).toEqual({ queued: 0, parked: parked.length, dead: 0 });
      expect(parked.length).toBeGreaterThan(0);
    },
    12 * minutes,
  );
});
