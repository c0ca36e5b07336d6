import { randomUUID } from "node:crypto";
import { createAdminClient, type OrganizationAdmin } from "@creditgate/admin";
import { checkService, createClient, type LedgerKind } from "@creditgate/client";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { connect } from "../src/database/connection.ts";
import { forgetGates } from "../src/gates/heartbeat.ts";
import { type AdminScene, adminToken, openAdminScene } from "./admin-scene.ts";
import { usageOf } from "./caller.ts";

const minute = 60_000;
let scene: AdminScene;
let acme: OrganizationAdmin;
beforeAll(async () => {
  scene = await openAdminScene();
  acme = await createAdminClient({ baseUrl: scene.plane.baseUrl, adminToken }).organizationNamed("Acme");
});
afterAll(() => scene.plane.stop());
/** Whatever a test has left is forgotten by the next one. */
afterEach(() => {
  scene.clock.time += 3 * 60 * minute;
});

const header = "creditgate-separate-ledgers";

function request(path: string, init: RequestInit = {}, apiKey = scene.plane.apiKey): Promise<Response> {
  const headers = { "service-api-key": apiKey, "content-type": "application/json", ...init.headers };
  return fetch(`${scene.plane.baseUrl}${path}`, { ...init, headers });
}

/** What the service reports to one who names no gate: it looks for what is new before it answers. */
async function reported(apiKey?: string): Promise<string | null> {
  scene.clock.time += minute;
  return (await request("/api/v1/agents?page=1&limit=1", {}, apiKey)).headers.get(header);
}

/** A process that spends wallets by a ledger of this kind. */
function process(ledger: LedgerKind = "memory", apiKey?: string) {
  const gate = { "creditgate-gate": `${randomUUID()}; ledger=${ledger}` };
  const post = (path: string, body: unknown) =>
    request(path, { method: "POST", headers: gate, body: JSON.stringify(body) }, apiKey);
  return {
    id: gate["creditgate-gate"].slice(0, 36),
    async spends(report: Report = {}): Promise<void> {
      const { status } = await post("/api/v2/usage", usageOf(report));
      expect(status).toBe(202);
    },
    async spendsInBatch(...reports: readonly Report[]): Promise<void> {
      const batch = reports.map((report) => ({ key: randomUUID(), ...(usageOf(report) as Report) }));
      expect((await post("/api/v2/usage/batch", { reports: batch })).status).toBe(200);
    },
    /** What it learns with its next balance. */
    async learns(): Promise<string | null> {
      const answer = await request("/api/v1/wallet/balance?customer_id=alice", { headers: gate }, apiKey);
      expect(answer.status).toBe(200);
      return answer.headers.get(header);
    },
  };
}

type Report = Readonly<Record<string, unknown>>;
type Process = ReturnType<typeof process>;

/** All of them spend, again and again. */
async function spend(processes: readonly Process[], minutes: number, report: Report = {}): Promise<void> {
  for (let passed = 0; passed <= minutes; passed++) {
    if (passed > 0) scene.clock.time += minute;
    for (const one of processes) await one.spends(report);
  }
}

describe("processes that spend one wallet, each by a ledger in its memory", () => {
  it("are reported to each of them, to the doctor, and to operators", async () => {
    const [one, other, third] = [process(), process(), process()];
    await spend([one, other, third], 15);
    expect(await reported()).toBe("3");
    for (const each of [one, other, third]) expect(await each.learns()).toBe("3");

    const client = createClient({ baseUrl: scene.plane.baseUrl, apiKey: scene.plane.apiKey });
    for (const customerId of [undefined, "alice"]) {
      const findings = await checkService(client, { customerId });
      expect(findings.find(({ name }) => name === "ledger")).toMatchObject({
        ok: false,
        message: expect.stringContaining("3 ledgers"),
        fix: expect.stringContaining("shared ledger"),
      });
    }

    const { separateLedgers } = await acme.gates.list();
    expect(separateLedgers.wallets).toEqual([{ customerId: "alice", currency: "ai_credits" }]);
    expect(separateLedgers.guarded).toBe(false);
    expect(separateLedgers.ledgers.map(({ processId }) => processId).sort()).toEqual(
      [one, other, third].map(({ id }) => id).sort(),
    );
    const [first] = separateLedgers.ledgers;
    expect(first).toMatchObject({ ledger: "memory" });
    expect(Date.parse(first?.lastAt ?? "") - Date.parse(first?.since ?? "")).toBe(15 * minute);
  });

  it("are recognised in batches", async () => {
    const [one, other] = [process(), process()];
    for (let passed = 0; passed < 12; passed++) {
      await one.spendsInBatch({ customerId: "alice" }, { customerId: "nobody" });
      await other.spendsInBatch({ customerId: "alice" });
      scene.clock.time += minute;
    }
    expect(await reported()).toBe("2");
  });

  it("are reported until they have ended for a quarter of an hour", async () => {
    const [one, other] = [process(), process()];
    await spend([one, other], 12);
    expect(await reported()).toBe("2");
    await spend([one], 16);
    expect(await reported()).toBe(null);
    expect((await acme.gates.list()).separateLedgers.ledgers).toEqual([]);
  });

  it("are not reported to a process that is none of them", async () => {
    const [one, other] = [process(), process()];
    await spend([one, other], 12);
    expect(await reported()).toBe("2");
    expect(await process().learns()).toBe(null);
    const fixed = process("shared");
    await fixed.spends();
    expect(await fixed.learns()).toBe(null);
  });
});

describe("a process beside others that share a ledger", () => {
  it("is reported to that process, and named once for all that share", async () => {
    const [alone, ...sharing] = [process(), process("shared"), process("shared")];
    await spend([alone, ...sharing], 12);
    expect(await reported()).toBe("2");
    expect(await alone.learns()).toBe("2");
    for (const each of sharing) expect(await each.learns()).toBe(null);
    const { ledgers } = (await acme.gates.list()).separateLedgers;
    expect(ledgers.map(({ ledger, processId }) => [ledger, processId])).toEqual([
      ["memory", alone.id],
      ["shared", null],
    ]);
  });
});

describe("nothing is reported", () => {
  it("of processes that share their ledger", async () => {
    const sharing = [process("shared"), process("shared"), process("shared")];
    await spend(sharing, 20);
    expect(await reported()).toBe(null);
  });

  it("of one process", async () => {
    const one = process();
    await spend([one], 20);
    expect(await reported()).toBe(null);
    expect(await one.learns()).toBe(null);
  });

  it("of a rolling deploy, however often", async () => {
    let old = process();
    await spend([old], 20);
    for (let deploys = 0; deploys < 4; deploys++) {
      const next = process();
      await spend([old, next], 6);
      expect(await reported()).toBe(null);
      await spend([next], 10);
      old = next;
    }
    expect(await reported()).toBe(null);
    expect(await old.learns()).toBe(null);
  });

  it("of restarts", async () => {
    for (let restarts = 0; restarts < 6; restarts++) {
      const next = process();
      await spend([next], restarts);
      expect(await next.learns()).toBe(null);
    }
    expect(await reported()).toBe(null);
  });

  it("of processes that each have customers, or a currency, of their own", async () => {
    const [one, other] = [process(), process()];
    for (let passed = 0; passed < 20; passed++) {
      await one.spends({ customerId: "alice" });
      await other.spends({ customerId: "bob" });
      await other.spends({ customerId: "alice", indicator: "speech" });
      scene.clock.time += minute;
    }
    expect(await reported()).toBe(null);
  });

  it("of reports that no gate has sent, or one that does not say who it is", async () => {
    const headers = [undefined, "", "x".repeat(8_000), "<script>; ledger=memory", "a; ledger=memory"];
    for (let passed = 0; passed < 20; passed++) {
      for (const gate of headers) {
        const named = gate === undefined ? {} : { "creditgate-gate": gate };
        const body = JSON.stringify(usageOf());
        expect((await request("/api/v2/usage", { method: "POST", headers: named, body })).status).toBe(202);
      }
      scene.clock.time += minute;
    }
    expect(await reported()).toBe(null);
  });

  it("to another organisation, whose customers have the same names", async () => {
    const { organizationId } = (await scene.admin.post("/organizations", { name: "B" })).json;
    const { apiKey } = (await scene.admin.post(`/organizations/${organizationId}/api-keys`, { name: "b" }))
      .json;
    const [one, other] = [process(), process()];
    await spend([one, other], 12);
    expect(await reported()).toBe("2");
    expect(await reported(String(apiKey))).toBe(null);
    const theirs = createAdminClient({ baseUrl: scene.plane.baseUrl, adminToken });
    const { separateLedgers } = await (await theirs.organizationNamed("B")).gates.list();
    expect(separateLedgers).toEqual({ ledgers: [], wallets: [], guarded: false });
  });
});

describe("isolates with a guard", () => {
  it("are reported as such, and are well", async () => {
    const isolates = [process("guard"), process("guard")];
    await spend(isolates, 20);
    expect(await reported()).toBe("guarded");
    for (const each of isolates) expect(await each.learns()).toBe(null);
    const client = createClient({ baseUrl: scene.plane.baseUrl, apiKey: scene.plane.apiKey });
    const findings = await checkService(client);
    expect(findings.find(({ name }) => name === "ledger")).toMatchObject({ ok: true });
    expect((await acme.gates.list()).separateLedgers).toEqual({ ledgers: [], wallets: [], guarded: true });
  });

  it("beside a ledger without one are two", async () => {
    const [alone, isolate] = [process(), process("guard")];
    await spend([alone, isolate], 12);
    expect(await reported()).toBe("2");
    expect(await alone.learns()).toBe("2");
    expect(await isolate.learns()).toBe(null);
  });
});

describe("what is stored of it", () => {
  it("is forgotten an hour later", async () => {
    await spend([process(), process()], 12);
    expect(await reported()).toBe("2");
    const { database, close } = connect(scene.plane.databaseUrl);
    await forgetGates(database, new Date(scene.clock.time));
    expect(await database.selectFrom("gate_wallets").selectAll().execute()).not.toEqual([]);
    await forgetGates(database, new Date(scene.clock.time + 61 * minute));
    expect(await database.selectFrom("gate_wallets").selectAll().execute()).toEqual([]);
    await close();
  });
});
