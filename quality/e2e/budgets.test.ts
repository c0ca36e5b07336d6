import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAdminClient, type OrganizationAdmin } from "@creditgate/admin";
import { createClient } from "@creditgate/client";
import { startControlPlane, type TestControlPlane } from "@creditgate/control-plane/testing";
import { createGate, createMemoryOutbox, createRegistry, type Gate, type Outbox } from "@creditgate/core";
import { createSqliteOutbox } from "@creditgate/sqlite";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { fixtureOf } from "./gated-api.ts";

const adminToken = "cga_a-token-for-these-tests";
const noon = Date.UTC(2026, 4, 5, 12);
const clock = { time: noon, now: () => clock.time };
let plane: TestControlPlane;
let organization: OrganizationAdmin;
let customerId = "";
beforeAll(async () => {
  plane = await startControlPlane({ fixture: fixtureOf({}, { message: 1 }), adminToken, clock });
  organization = await createAdminClient({ baseUrl: plane.baseUrl, adminToken }).organizationNamed("Acme");
});
afterAll(() => plane?.stop());
beforeEach(async () => {
  clock.time = noon;
  customerId = randomUUID();
  await organization.customers.create({ externalId: customerId, name: "Company" });
  await organization.wallets.create(customerId, { kind: "prepaid", creditCurrencyKey: "ai_credits" });
  const top_ups = [{ credit_currency_key: "ai_credits", credits: 1_000 }];
  await organization.wallets.topUp({ customer_id: customerId, top_ups }, { idempotencyKey: customerId });
});

const set = (key: string, request: Parameters<OrganizationAdmin["budgets"]["set"]>[3]) =>
  organization.budgets.set(customerId, "ai_credits", key, request);
const used = async (key: string) => {
  await plane.settled();
  return (await organization.budgets.get(customerId, "ai_credits", key)).used;
};

/** The gate of a process of its own. */
function startGate(outbox: Outbox = createMemoryOutbox()): Gate {
  const client = createClient({ baseUrl: plane.baseUrl, apiKey: plane.apiKey });
  const registry = createRegistry();
  return createGate({ client, currency: "ai_credits", registry, outbox, logger: false, check: false });
}

const ask = (gate: Gate, budgets: readonly string[]) =>
  gate.authorize({ customerId, agentId: "chat", indicator: "message", hold: 1, budgets });

/** Sends a message, if it is admitted. */
async function send(gate: Gate, ...budgets: readonly string[]) {
  const decision = await ask(gate, budgets);
  if (!decision.allowed) return decision.denial;
  decision.charge.report({ requests: 1 });
  await decision.charge.settle();
  return undefined;
}

it("stops the member whose day is used up, and serves the next request when the limit is raised", async () => {
  await set("member:*", { limit: 3, every: "day" });
  const gate = startGate();
  for (const member of [1, 2, 3])
    for (let count = 0; count < member; count++) await send(gate, `member:${member}`);
  expect(await send(gate, "member:3")).toMatchObject({
    code: "budget_exceeded",
    status: 402,
    budget: { key: "member:3", limit: 3, left: 0, resetsAt: "2026-05-06T00:00:00.000Z" },
  });
  expect(await send(gate, "member:2")).toBeUndefined();
  await set("member:3", { limit: 4, every: "day" });
  expect(await send(gate, "member:3")).toBeUndefined();
  expect(await send(gate, "member:3")).toMatchObject({ code: "budget_exceeded" });
  await gate.close();
  expect([await used("member:1"), await used("member:2"), await used("member:3")]).toEqual([1, 3, 4]);
});

it("serves again when the next day begins", async () => {
  await set("member:1", { limit: 1, every: "day" });
  const gate = startGate();
  expect(await send(gate, "member:1")).toBeUndefined();
  expect(await send(gate, "member:1")).toMatchObject({ code: "budget_exceeded" });
  await plane.settled();
  clock.time += 12 * 60 * 60 * 1_000;
  expect(await send(gate, "member:1")).toBeUndefined();
  await gate.close();
  expect(await used("member:1")).toBe(1);
});

it("denies a key that has no budget, and never takes it for one without a limit", async () => {
  const gate = startGate();
  expect(await send(gate, "membr:1")).toMatchObject({ code: "budget_unknown", status: 402 });
  await gate.close();
});

it("shows beside the budgets what of the wallet expires next", async () => {
  await set("member:1", { limit: 5 });
  const expiresAt = new Date(noon + 86_400_000).toISOString();
  const given = {
    customerId,
    creditCurrencyKey: "ai_credits",
    source: "promotion",
    reason: "Welcome",
  } as const;
  const idempotencyKey = `grant-${customerId}`;
  await organization.grants.create({ ...given, credits: 20, expiresAt }, { idempotencyKey });
  const gate = startGate();
  const balance = await gate.balance(customerId, { maxAgeMs: 0, budgets: ["member:1"] });
  expect(balance).toMatchObject({
    capacity: 1_020,
    expiring: [{ at: expiresAt, credits: 20 }],
    budgets: { "member:1": { limit: 5 } },
  });
  await gate.close();
});

it("denies nothing by a budget that only warns, and denies again once it is enforced", async () => {
  await set("member:1", { limit: 1, mode: "warn" });
  await set("team:1", { limit: 3 });
  const gate = startGate();
  for (let count = 0; count < 3; count++) expect(await send(gate, "member:1", "team:1")).toBeUndefined();
  expect(await send(gate, "member:1", "team:1")).toMatchObject({ budget: { key: "team:1" } });
  expect((await gate.balance(customerId, { budgets: ["member:1", "team:1"] }))?.budgets).toMatchObject({
    "team:1": { limit: 3 },
  });
  expect(await used("member:1")).toBe(3);
  await set("member:1", { mode: "enforce" });
  // What was read before is forgotten.
  const next = startGate();
  expect(await send(next, "member:1")).toMatchObject({
    ...{ code: "budget_exceeded", budget: { key: "member:1", limit: 1 } },
  });
  await next.close();
  await gate.close();
});

it("admits of requests at once what the least budget has room for", async () => {
  await set("team:1", { limit: 10 });
  await set("member:*", { limit: 7 });
  const gate = startGate();
  const members = Array.from({ length: 60 }, (_, index) => `member:${index % 2}`);
  const denials = await Promise.all(members.map((member) => send(gate, member, "team:1")));
  expect(denials.filter((denial) => denial === undefined)).toHaveLength(10);
  await gate.close();
  const [first, second] = [await used("member:0"), await used("member:1")];
  expect([await used("team:1"), first + second]).toEqual([10, 10]);
  expect(Math.max(first, second)).toBeLessThanOrEqual(7);
});

it("counts what a process had not delivered when it ended", async () => {
  await set("member:1", { limit: 5, every: "day" });
  const folder = mkdtempSync(join(tmpdir(), "creditgate-budgets-"));
  const path = join(folder, "usage.db");
  try {
    const outbox = createSqliteOutbox({ path });
    const gate = startGate(outbox);
    await send(gate, "member:1");
    // Its reports stay on the disk from here on.
    plane.faults.unavailable(503, { paths: ["/api/v2/usage"] });
    for (let count = 0; count < 3; count++) expect(await send(gate, "member:1")).toBeUndefined();
    await gate.close({ graceMs: 0 });
    await outbox.close();

    const next = createSqliteOutbox({ path });
    const restarted = startGate(next);
    expect(await send(restarted, "member:1")).toBeUndefined();
    expect(await send(restarted, "member:1")).toMatchObject({ code: "budget_exceeded" });
    const delivered = new Promise<void>((resolve) => {
      let left = 4;
      restarted.on("delivered", () => {
        left -= 1;
        if (left === 0) resolve();
      });
    });
    plane.faults.restore();
    await delivered;
    await restarted.close();
    await next.close();
    expect(await used("member:1")).toBe(5);
  } finally {
    plane.faults.restore();
    rmSync(folder, { recursive: true, force: true });
  }
});
