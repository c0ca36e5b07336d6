import { createAdminClient, type OrganizationAdmin } from "@creditgate/admin";
import { createClient } from "@creditgate/client";
import { startControlPlane, type TestControlPlane } from "@creditgate/control-plane/testing";
import { createGate, type Gate, startHeartbeat } from "@creditgate/core";
import { createManualClock, type ManualClock } from "@creditgate/core/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { fixtureOf } from "./gated-api.ts";

const adminToken = "cga_a-token-for-these-tests";
let plane: TestControlPlane;
let organization: OrganizationAdmin;
beforeAll(async () => {
  const wallet = { kind: "prepaid", currency: "ai_credits", available: 100 } as const;
  plane = await startControlPlane({ fixture: fixtureOf({ alice: wallet }, { message: 1 }), adminToken });
  const [found] = await createAdminClient({ baseUrl: plane.baseUrl, adminToken }).organizations.list();
  organization = createAdminClient({ baseUrl: plane.baseUrl, adminToken }).organization(
    found?.organizationId ?? "",
  );
});
afterAll(() => plane?.stop());

/** Lets the gate's time go on until this holds. */
async function until(clock: ManualClock, holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await clock.advance(1_000);
}

it("shows an operator a report that was refused, and sends it again when the cause is mended", async () => {
  const client = createClient({ baseUrl: plane.baseUrl, apiKey: plane.apiKey });
  const clock = createManualClock();
  const gate: Gate = createGate({
    client,
    currency: "ai_credits",
    logger: false,
    check: false,
    checkTimeoutMs: 30_000,
  });
  const heartbeat = startHeartbeat(gate, { client, name: "web-eu", platform: "Express", clock });
  const dead = new Promise((resolve) => gate.on("dead", resolve));
  const work = { customerId: "alice", agentId: "not-made-yet", indicator: "message", hold: 1 };
  const decision = await gate.authorize(work);
  if (!decision.allowed) throw new Error("denied");
  decision.charge.report({ requests: 1 });
  await decision.charge.settle();
  await dead;
  await until(clock, async () => (await organization.gates.list()).reports.length === 1);
  const { gates, decisions, reports } = await organization.gates.list();
  expect(gates).toMatchObject([{ name: "web-eu", platform: "Express", dead: 1, open: 0, held: 0 }]);
  expect(decisions).toEqual([{ name: "web-eu", code: null, decisions: 1 }]);
  const [report] = reports;
  expect(report).toMatchObject({ state: "dead", customerId: "alice", agentId: "not-made-yet", credits: 1 });
  expect(report?.reason).toContain("agent");

  await organization.agents.create({
    agentId: "not-made-yet",
    agentExternalId: "late",
    agentName: "Late",
  });
  const terms = { billing: "CREDITS", currency: "ai_credits", price: { perEvent: 1 } } as const;
  await organization.indicators.create("not-made-yet", { name: "message", ...terms });
  const delivered = new Promise((resolve) => gate.on("delivered", resolve));
  await organization.gates.retry(report?.gateId ?? "", [report?.id ?? ""]);
  let isDelivered = false;
  void delivered.then(() => {
    isDelivered = true;
  });
  await until(clock, async () => isDelivered);
  await plane.settled();
  expect((await plane.balance("alice")).ai_credits).toMatchObject({ available: 99 });
  await until(clock, async () => (await organization.gates.list()).reports.length === 0);
  expect((await organization.gates.list()).gates).toMatchObject([{ dead: 0 }]);
  await heartbeat.stop();
  await gate.close();
});
