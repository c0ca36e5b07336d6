import { createAdminClient, type OrganizationAdmin } from "@creditgate/admin";
import { createClient } from "@creditgate/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Connection, connect } from "../src/database/connection.ts";
import { verify } from "../src/verification/wallets.ts";
import { type AdminScene, adminToken, hour, openAdminScene } from "./admin-scene.ts";
import { reported } from "./usage-rows.ts";

let scene: AdminScene;
let acme: OrganizationAdmin;
let connection: Connection;
beforeAll(async () => {
  scene = await openAdminScene();
  acme = await createAdminClient({ baseUrl: scene.plane.baseUrl, adminToken }).organizationNamed("Acme");
  connection = connect(scene.plane.databaseUrl);
});
afterAll(async () => {
  await scene.plane.settled();
  expect((await verify(connection.database)).differences).toEqual([]);
  await connection.close();
  await scene.plane.stop();
});

const client = () => createClient({ baseUrl: scene.plane.baseUrl, apiKey: scene.plane.apiKey });
const reason = "mended";
const newCustomer = async () => {
  const externalId = crypto.randomUUID();
  await acme.customers.create({ externalId, name: "Customer" });
  return externalId;
};
/** Two credits of voice_credits. */
const speak = (customerId: string) =>
  client().usage.report({ agentId: "chat", indicator: "speech", customerId, rawUsage: {} });
const outcomes = async (customerId: string) =>
  (await acme.usage.list({ customerId })).usage.map(({ outcome }) => outcome);

describe("settling usage again", () => {
  it("bills what a wallet could not hold, once, however many ask for it", async () => {
    const customerId = await newCustomer();
    const creditCurrencyKey = "voice_credits";
    await acme.wallets.create(customerId, {
      kind: "postpaid",
      creditCurrencyKey,
      postpaidLimit: 0,
    });
    // As much as a wallet can hold, which by the API would take thousands of corrections.
    await connection.pool.query(
      `with filled as (update wallets set postpaid_used = ${2n ** 63n - 2n}, last_entry = last_entry + 1 where customer_id = $1 returning *)
       insert into ledger_entries (org_id, customer_id, currency, entry_no, cause, reason, available, pending, overage_used, postpaid_used,
                                  created_at, available_after, pending_after, overage_used_after, postpaid_used_after)
       select org_id, customer_id, currency, last_entry, 'correction', 'r', 0, 0, 0, postpaid_used, now(), 0, 0, 0, postpaid_used from filled`,
      [customerId],
    );
    for (let count = 0; count < 3; count++) await speak(customerId);
    await scene.plane.settled();
    expect((await acme.unbilled.list({ customerId, reason: "out_of_range" })).usage).toMatchObject([
      { customerId, creditCurrencyKey, reason: "out_of_range", events: 3, credits: 6 },
    ]);
    expect((await acme.unbilled.list({ customerId, reason: "wallet_missing" })).usage).toEqual([]);

    const filter = { customerId, reason };
    expect(await acme.unbilled.resettle(filter)).toEqual({ resettled: 3, more: false });
    await scene.plane.settled();
    expect(await outcomes(customerId)).toEqual(["out_of_range", "out_of_range", "out_of_range"]);
    const adjustment = {
      customerId,
      creditCurrencyKey,
      credits: 10,
      reason,
    };
    await acme.wallets.refund(adjustment, { idempotencyKey: customerId });
    const future = new Date(scene.clock.time + 1).toISOString();
    const others = [
      { ...filter, from: future },
      { ...filter, cause: "wallet_missing" as const },
      { ...filter, creditCurrencyKey: "ai_credits" },
      { ...filter, agentId: "chat", indicator: "message" },
      { ...filter, usageIds: [crypto.randomUUID()] },
    ];
    for (const other of others) expect(await acme.unbilled.resettle(other)).toMatchObject({ resettled: 0 });
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => acme.unbilled.resettle({ ...filter, agentId: "chat", to: future })),
    );
    expect(answers.reduce((sum, { resettled }) => sum + resettled, 0)).toBe(3);
    await scene.plane.settled();
    expect(await outcomes(customerId)).toEqual(["accrued", "accrued", "accrued"]);
    expect(await acme.unbilled.resettle(filter)).toEqual({ resettled: 0, more: false });
    expect((await acme.ledger.list({ customerId, cause: "usage" })).entries).toHaveLength(3);
    expect(await scene.lastAudit()).toMatchObject({
      action: "usage.resettle",
      subject: { customerId, agentId: "chat", reason },
    });
  });

  it("leaves what has no wallet, which is settled when there is one", async () => {
    const customerId = await newCustomer();
    await speak(customerId);
    await scene.plane.settled();
    expect(await acme.unbilled.resettle({ customerId, reason })).toEqual({
      resettled: 0,
      more: false,
    });
    expect(await outcomes(customerId)).toEqual(["wallet_missing"]);
    await acme.wallets.create(customerId, { kind: "prepaid", creditCurrencyKey: "voice_credits" });
    await scene.plane.settled();
    expect(await outcomes(customerId)).toEqual(["debited"]);
  });

  it("tries what has failed with the next batch", async () => {
    const customerId = await newCustomer();
    await acme.wallets.create(customerId, { kind: "prepaid", creditCurrencyKey: "voice_credits" });
    const { rows } = await connection.pool.query(
      reported(
        `select org_id, null as idempotency_key, 'speech' as indicator, external_id as customer_id, 'voice_credits' as currency,
                2000000 as amount, $2::timestamptz as received_at from customers where external_id = $1`,
        "'infinity'",
      ),
      [customerId, new Date(scene.clock.time)],
    );
    await connection.pool.query(
      "update usage_due set due_at = received_at, message = 'broken', failed_at = '2100-01-01' where due_at = 'infinity'",
    );
    const failed = (await acme.unbilled.settlementFailures.list()).failures;
    expect(failed).toMatchObject([{ usageId: rows[0].usage_id, customerId, message: "broken" }]);
    expect(await acme.unbilled.resettle({ cause: "failed", reason })).toEqual({ resettled: 1, more: false });
    await scene.plane.settled();
    expect(await outcomes(customerId)).toEqual(["debited"]);
    expect((await acme.unbilled.settlementFailures.list()).failures).toEqual([]);
  });
});

describe("voice calls that are open", () => {
  const call = async (agentId: string, customerId: string, parts: number) => {
    const sessionId = crypto.randomUUID();
    await client().voice.session({ sessionId, agentId, customerId });
    for (let part = 0; part < parts; part++)
      await client().voice.stt({ sessionId, audioMinutes: 10, provider: "p", model: "m", plan: "x" });
    return sessionId;
  };
  const callAgent = async (names: readonly string[]) => {
    const agentId = crypto.randomUUID();
    await acme.agents.create({ agentId, agentExternalId: agentId, agentName: "Line" });
    for (const name of names) await addIndicator(agentId, name);
    return agentId;
  };
  const addIndicator = (agentId: string, name: string) =>
    acme.indicators.create(agentId, {
      name,
      billing: "CREDITS",
      currency: "voice_credits",
      price: { perEvent: 5, perCallMinute: 1, perAudioMinute: 0.1 },
    });
  const spent = async (customerId: string) => {
    await scene.plane.settled();
    return (await acme.wallets.get(customerId, "voice_credits")).overageUsed;
  };
  const newCaller = async () => {
    const customerId = await newCustomer();
    await acme.wallets.create(customerId, { kind: "prepaid", creditCurrencyKey: "voice_credits" });
    return customerId;
  };

  it("are listed by customer, agent, state and time, and ended once, with or without their indicator", async () => {
    const customerId = await newCaller();
    const agentId = await callAgent(["won", "lost"]);
    const first = await call(agentId, customerId, 1);
    scene.clock.time += hour;
    const second = await call(agentId, customerId, 0);
    const ids = async (query: object) =>
      (await acme.voiceSessions.list(query)).sessions.map(({ sessionId }) => sessionId);
    const to = new Date(scene.clock.time).toISOString();
    expect(await ids({ customerId })).toEqual([first, second]);
    expect(await ids({ agentId, to })).toEqual([first]);
    expect(await ids({ customerId, from: to, state: "open" })).toEqual([second]);
    expect(await ids({ customerId, state: "abandoned" })).toEqual([]);

    await expect(acme.voiceSessions.close(first, { reason })).rejects.toThrow(
      'which has "lost", "won" in CREDITS',
    );
    await expect(acme.voiceSessions.close(first, { reason, indicator: "none" })).rejects.toThrow("indicator");
    const closed = await acme.voiceSessions.close(first, { reason, indicator: "won", totalDuration: 2 });
    expect(closed).toMatchObject({ sessionId: first, indicator: "won" });
    expect(await scene.lastAudit()).toMatchObject({
      action: "voice_session.close",
      subject: { sessionId: first, reason },
      after: { usageId: closed.usageId },
    });
    expect(await spent(customerId)).toBe(8);
    await expect(acme.voiceSessions.close(first, { reason, indicator: "won" })).rejects.toThrow(
      "expected one that is open",
    );
    await expect(acme.voiceSessions.close("none", { reason })).rejects.toThrow("session");
    await acme.voiceSessions.close(second, { reason, indicator: "lost" });
    expect(await spent(customerId)).toBe(8);
    expect(await ids({ customerId })).toEqual([]);
  });

  it("expire when nothing is heard of them, also those that could not be billed before", async () => {
    const customerId = await newCaller();
    const agentId = await callAgent([]);
    const silent = await call(agentId, customerId, 2);
    scene.clock.time += hour;
    const young = await call(agentId, customerId, 1);
    const expire = () => acme.voiceSessions.expire({ silentSeconds: 1_800, reason });
    expect(await expire()).toEqual({
      billed: 0,
      unbilled: [{ sessionId: silent, reason: expect.stringContaining("0 indicators in CREDITS") }],
      more: false,
    });
    const listed = await acme.voiceSessions.list({ customerId, state: "abandoned" });
    expect(listed.sessions.map(({ sessionId }) => sessionId)).toEqual([silent]);
    await addIndicator(agentId, "call");
    scene.clock.time += 1;
    expect(await expire()).toEqual({ billed: 1, unbilled: [], more: false });
    expect(await spent(customerId)).toBe(2);
    expect(await expire()).toEqual({ billed: 0, unbilled: [], more: false });
    const left = await acme.voiceSessions.list({ customerId });
    expect(left.sessions.map(({ sessionId }) => sessionId)).toEqual([young]);
  });
});
