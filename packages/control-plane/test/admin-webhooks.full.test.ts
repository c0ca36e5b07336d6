import { randomUUID } from "node:crypto";
import {
  type AdminWebhookDelivery,
  createAdminClient,
  type OrganizationAdmin,
  type WebhookCreateRequest,
  webhookEvent,
} from "@creditgate/admin";
import { CreditgateError, createClient } from "@creditgate/client";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { connect } from "../src/database/connection.ts";
import { startControlPlane, type TestControlPlane } from "../src/testing/index.ts";
import { keepHouse } from "../src/webhooks/housekeeping.ts";
import { adminToken } from "./admin-scene.ts";
import { acme } from "./fixture.ts";
import { openReceiver, type Receiver } from "./receiver.ts";

let plane: TestControlPlane;
let organization: OrganizationAdmin;
beforeAll(async () => {
  // The clock of the tests, who say since when to replay: by that of the database, what comes next may be before it.
  plane = await startControlPlane({ fixture: acme, adminToken, clock: Date });
  organization = await createAdminClient({ baseUrl: plane.baseUrl, adminToken }).organizationNamed("Acme");
});
afterAll(() => plane.stop());

const receivers: Receiver[] = [];
afterEach(async () => {
  for (const { endpointId } of await organization.webhooks.list())
    await organization.webhooks.delete(endpointId);
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
});

async function receiver(): Promise<Receiver> {
  const opened = await openReceiver();
  receivers.push(opened);
  return opened;
}

const client = () => createClient({ baseUrl: plane.baseUrl, apiKey: plane.apiKey });

/** A new customer with credits, which are told of. */
async function newCustomer(): Promise<string> {
  const customer = randomUUID();
  await client().customers.createOrGet({ externalId: customer, name: "Customer" });
  await organization.wallets.create(customer, { kind: "prepaid", creditCurrencyKey: "ai_credits" });
  return customer;
}

const topUp = (customerId: string, credits = 10) =>
  client().wallets.topUp(
    { customer_id: customerId, top_ups: [{ credit_currency_key: "ai_credits", credits }] },
    { idempotencyKey: randomUUID() },
  );

async function deliveriesOf(customerId: string): Promise<readonly AdminWebhookDelivery[]> {
  return (await organization.webhooks.deliveries.list({ customerId })).deliveries;
}

const status = async (customer: string) => (await deliveriesOf(customer)).map((delivery) => delivery.status);

async function failure(promise: Promise<unknown>): Promise<unknown> {
  const error = await promise.catch((reason: unknown) => reason);
  return error instanceof CreditgateError ? { status: error.status, code: error.problem?.code } : error;
}

describe("webhooks of the admin client", () => {
  it("makes an endpoint whose secret is shown once, and tells it of what happens, signed with it", async () => {
    const { url, arrivals, arrived } = await receiver();
    const created = await organization.webhooks.create({ url, description: "Billing" });
    expect(created).toMatchObject({ url, description: "Billing", events: null, status: "enabled" });
    expect(created.secret).toMatch(/^whsec_[\w+/]{43}=$/);
    const { secret, ...shown } = created;
    expect(await organization.webhooks.list()).toEqual([shown]);

    const customer = await newCustomer();
    await topUp(customer);
    await arrived(1);
    const [message] = arrivals;
    const verified = new Webhook(secret).verify(message?.text ?? "", message?.headers ?? {});
    expect(webhookEvent.parse(verified)).toMatchObject({
      type: "wallet.topped_up",
      data: { customerId: customer, credits: 10, available: 10 },
    });
    await expect.poll(() => status(customer)).toEqual(["delivered"]);
    expect((await deliveriesOf(customer))[0]).toMatchObject({
      eventId: message?.id,
      endpointId: created.endpointId,
      creditCurrencyKey: "ai_credits",
      attempts: 1,
      responseStatus: 204,
      error: null,
      nextAttemptAt: null,
      event: verified,
    });
  });

  it("tells an endpoint of the types that it asks for", async () => {
    const { url, arrivals, arrived } = await receiver();
    const { endpointId } = await organization.webhooks.create({ url, events: ["overage.started"] });
    const customer = await newCustomer();
    await topUp(customer);
    const usage = {
      agentId: "chat",
      customerId: customer,
      indicator: "message",
      rawUsage: { outputTokens: 10_000 },
    };
    await client().usage.report(usage, { idempotencyKey: randomUUID() });
    await arrived(1);
    expect(arrivals.map(({ body }) => body.type)).toEqual(["overage.started"]);
    await organization.webhooks.edit(endpointId, { events: null });
    await topUp(customer);
    await arrived(2);
    expect(arrivals[1]?.body.type).toBe("wallet.topped_up");
  });

  it("tells of a wallet that is low by its own threshold, else by the organisation's, also when that is moved", async () => {
    const { url, arrivals, arrived } = await receiver();
    await organization.webhooks.create({ url, events: ["wallet.low", "wallet.exhausted"] });
    const customer = await newCustomer();
    await topUp(customer, 5);
    expect(await organization.configure({ lowThreshold: 5, usageKeptMonths: 13 })).toMatchObject({
      lowThreshold: 5,
      usageKeptMonths: 13,
    });
    const use = () =>
      client().usage.report(
        { agentId: "chat", customerId: customer, indicator: "message", rawUsage: {} },
        { idempotencyKey: randomUUID() },
      );
    await use();
    await arrived(1);
    expect(arrivals[0]?.body).toMatchObject({ type: "wallet.low", data: { available: 4, lowThreshold: 5 } });
    const { wallets } = organization;
    const own = await wallets.setLimits(customer, "ai_credits", { lowThreshold: 2 });
    expect(own).toMatchObject({ lowThreshold: 2, available: 4 });
    await wallets.setLimits(customer, "ai_credits", { lowThreshold: 4.5 });
    await arrived(2);
    expect(arrivals[1]?.body).toMatchObject({
      type: "wallet.low",
      data: { available: 4, lowThreshold: 4.5 },
    });
    await wallets.setLimits(customer, "ai_credits", { lowThreshold: null });
    expect(await organization.configure({ lowThreshold: null })).toMatchObject({ lowThreshold: null });
    await wallets.setLimits(customer, "ai_credits", { lowThreshold: 3, overageLimit: 1 });
    for (const _ of [1, 2]) await use();
    await arrived(3);
    expect(arrivals[2]?.body).toMatchObject({ type: "wallet.low", data: { available: 2, lowThreshold: 3 } });
    expect(arrivals).toHaveLength(3);
  });

  it("signs with the old secret and the new one, until the old one ends", async () => {
    const { url, arrivals, arrived } = await receiver();
    const { endpointId, secret } = await organization.webhooks.create({ url });
    const rotated = await organization.webhooks.rotateSecret(endpointId, { overlapSeconds: 60 });
    expect(Date.parse(rotated.previousEndAt)).toBeGreaterThan(Date.now() + 50_000);
    await organization.webhooks.sendTest(endpointId);
    await arrived(1);
    const verifies = (own: string, at: number) => {
      const { text = "", headers = {} } = arrivals[at] ?? {};
      try {
        return new Webhook(own).verify(text, headers) !== undefined;
      } catch {
        return false;
      }
    };
    expect([verifies(secret, 0), verifies(rotated.secret, 0)]).toEqual([true, true]);
    const last = await organization.webhooks.rotateSecret(endpointId, { overlapSeconds: 0 });
    await organization.webhooks.sendTest(endpointId);
    await arrived(2);
    expect([secret, rotated.secret, last.secret].map((own) => verifies(own, 1))).toEqual([
      false,
      false,
      true,
    ]);
    for (const _ of [1, 2, 3, 4]) await organization.webhooks.rotateSecret(endpointId);
    expect(await failure(organization.webhooks.rotateSecret(endpointId))).toEqual({
      status: 409,
      code: "too_many_secrets",
    });
    await organization.webhooks.rotateSecret(endpointId, { overlapSeconds: 0 });
    await organization.webhooks.rotateSecret(endpointId);
  });

  it("sends a test to the endpoint that it is asked for, and to no other", async () => {
    const [one, other] = [await receiver(), await receiver()];
    const { endpointId } = await organization.webhooks.create({ url: one.url, events: ["wallet.low"] });
    await organization.webhooks.create({ url: other.url });
    const { eventId } = await organization.webhooks.sendTest(endpointId);
    await one.arrived(1);
    expect(one.arrivals).toMatchObject([
      { id: eventId, body: { type: "webhook.test", data: { endpointId } } },
    ]);
    const { deliveries } = await organization.webhooks.deliveries.list({ type: "webhook.test", limit: 1 });
    expect(deliveries).toMatchObject([{ eventId, endpointId, customerId: null, creditCurrencyKey: null }]);
    expect(other.arrivals).toEqual([]);
  });

  it("sends again what was sent or given up, with the same ids, one or all since a time", async () => {
    const { url, arrivals, arrived, reply } = await receiver();
    const { endpointId } = await organization.webhooks.create({ url });
    const since = new Date().toISOString();
    const customer = await newCustomer();
    for (const _ of [1, 2, 3]) await topUp(customer);
    await arrived(3);
    await expect.poll(() => status(customer)).toEqual(["delivered", "delivered", "delivered"]);
    const ids = arrivals.map(({ id }) => id);

    const eventId = ids[1] ?? "";
    expect(await organization.webhooks.replay(endpointId, { eventId })).toEqual({ replayed: 1, next: null });
    await arrived(4);
    expect(arrivals[3]).toMatchObject({ id: eventId, text: arrivals[1]?.text });

    await expect.poll(() => status(customer)).toEqual(["delivered", "delivered", "delivered"]);
    reply(() => 500);
    expect(await organization.webhooks.replay(endpointId, { since })).toEqual({ replayed: 3, next: null });
    await arrived(5);
    await expect.poll(async () => (await deliveriesOf(customer))[2]?.attempts).toBe(1);
    // What waits is not queued again: it is tried at once.
    reply(() => 204);
    expect(await organization.webhooks.replay(endpointId, { since })).toEqual({ replayed: 0, next: null });
    await arrived(8);
    expect(arrivals.slice(5).map(({ id }) => id)).toEqual(ids);

    const later = new Date(Date.now() + 60_000).toISOString();
    expect(await organization.webhooks.replay(endpointId, { since: later })).toEqual({
      replayed: 0,
      next: null,
    });
  });

  it("replays to a new endpoint what happened before it was made", async () => {
    const [first, second] = [await receiver(), await receiver()];
    await organization.webhooks.create({ url: first.url });
    const since = new Date().toISOString();
    const customer = await newCustomer();
    for (const credits of [1, 2]) await topUp(customer, credits);
    await first.arrived(2);
    const { endpointId } = await organization.webhooks.create({ url: second.url });
    expect(await organization.webhooks.replay(endpointId, { since })).toEqual({ replayed: 2, next: null });
    await second.arrived(2);
    expect(second.arrivals.map(({ body }) => body.data.credits)).toEqual([1, 2]);
  });

  it("gives up what waits for an endpoint that is disabled or deleted, and sends it again when asked", async () => {
    const { url, arrived, reply } = await receiver();
    const { endpointId } = await organization.webhooks.create({ url });
    const customer = await newCustomer();
    reply(() => 500);
    const since = new Date().toISOString();
    await topUp(customer);
    await arrived(1);
    await expect.poll(async () => (await deliveriesOf(customer))[0]?.attempts).toBe(1);
    const disabled = await organization.webhooks.edit(endpointId, { status: "disabled" });
    expect(disabled).toMatchObject({ status: "disabled", disabledBecause: "administrator" });
    await topUp(customer);
    const { database, close } = connect(plane.databaseUrl, 1);
    await keepHouse(database, new Date());
    expect(await deliveriesOf(customer)).toMatchObject([
      { status: "given_up", error: "the endpoint is disabled", nextAttemptAt: null },
    ]);
    for (const refused of [
      () => organization.webhooks.replay(endpointId, { since }),
      () => organization.webhooks.sendTest(endpointId),
    ]) {
      expect(await failure(refused())).toEqual({ status: 409, code: "webhook_disabled" });
    }

    reply(() => 204);
    const enabled = await organization.webhooks.edit(endpointId, { status: "enabled" });
    expect(enabled).toMatchObject({
      status: "enabled",
      disabledBecause: null,
      disabledAt: null,
      failingSince: null,
    });
    expect(await organization.webhooks.replay(endpointId, { since })).toMatchObject({ replayed: 2 });
    await arrived(3);

    reply(() => 500);
    await topUp(customer);
    await arrived(4);
    await organization.webhooks.delete(endpointId);
    await expect
      .poll(async () => {
        await keepHouse(database, new Date());
        return (await deliveriesOf(customer))[0];
      })
      .toMatchObject({ status: "given_up", error: "the endpoint is deleted" });
    await close();
  });

  it("lists deliveries by endpoint, status, type and time, part by part, the newest first", async () => {
    const [fine, failing] = [await receiver(), await receiver()];
    failing.reply(() => 500);
    const endpoints = [];
    for (const { url } of [fine, failing]) endpoints.push(await organization.webhooks.create({ url }));
    const from = new Date().toISOString();
    const customer = await newCustomer();
    for (const _ of [1, 2, 3]) await topUp(customer);
    await Promise.all([fine.arrived(3), failing.arrived(1)]);
    await expect
      .poll(async () => (await status(customer)).filter((one) => one === "delivered"))
      .toHaveLength(3);
    await expect.poll(async () => (await organization.webhooks.list())[1]?.failingSince).not.toBeNull();

    const { deliveries } = organization.webhooks;
    const all: AdminWebhookDelivery[] = [];
    for await (const delivery of deliveries.all({ from, limit: 2 })) all.push(delivery);
    expect(all).toHaveLength(6);
    expect(all.map(({ createdAt }) => createdAt)).toEqual(
      all
        .map(({ createdAt }) => createdAt)
        .sort()
        .reverse(),
    );
    const of = async (query: Parameters<typeof deliveries.list>[0]) =>
      (await deliveries.list({ from, ...query })).deliveries;
    expect(await of({ endpointId: endpoints[0]?.endpointId ?? "" })).toHaveLength(3);
    expect(await of({ to: from })).toEqual([]);
    expect(await of({ type: "wallet.low" })).toEqual([]);
    expect(await of({ status: "given_up" })).toEqual([]);
    const pending = await of({ status: "pending" });
    expect(pending.map(({ nextAttemptAt }) => nextAttemptAt !== null)).toEqual([false, false, true]);
    expect(pending[2]).toMatchObject({
      attempts: 1,
      responseStatus: 500,
      error: "expected a status of 200 to 299, received 500",
    });
  });

  it("names each change in the audit log, without a secret", async () => {
    const { url } = await receiver();
    const { webhooks } = organization;
    const { endpointId, secret } = await webhooks.create({ url });
    await webhooks.edit(endpointId, { description: "Other" });
    const rotated = await webhooks.rotateSecret(endpointId);
    await webhooks.sendTest(endpointId);
    await webhooks.replay(endpointId, { since: new Date().toISOString() });
    await webhooks.delete(endpointId);
    const admin = createAdminClient({ baseUrl: plane.baseUrl, adminToken });
    const { records } = await admin.audit.list({ organizationId: organization.organizationId, limit: 6 });
    expect(records.map(({ action, subject }) => [action, subject === endpointId])).toEqual(
      ["delete", "replay", "test", "rotate_secret", "edit", "create"].map((name) => [
        `webhook.${name}`,
        true,
      ]),
    );
    const text = JSON.stringify(records);
    expect([secret, rotated.secret].some((own) => text.includes(own))).toBe(false);
  });

  it.each<[string, WebhookCreateRequest, object]>([
    ["another scheme", { url: "ftp://example.com" }, { code: "invalid_option" }],
    ["no URL", { url: "example.com/hooks" }, { code: "invalid_option" }],
    ["a user in it", { url: "https://me:secret@example.com" }, { code: "invalid_option" }],
    ["a fragment", { url: "https://example.com/#here" }, { code: "invalid_option" }],
    ["a private address", { url: "https://10.0.0.1/" }, { status: 422, problem: { code: "url_refused" } }],
    [
      "an address in disguise",
      { url: "https://0xa000001/" },
      { status: 422, problem: { code: "url_refused" } },
    ],
    ["no events", { url: "https://example.com", events: [] }, { code: "invalid_option" }],
  ])("refuses an endpoint with %s", async (_, webhook, refusal) => {
    const error = await organization.webhooks.create(webhook).catch((reason: unknown) => reason);
    expect(error).toMatchObject(refusal);
    expect(String(error)).not.toContain("secret");
  });

  it("refuses what is not there, too much, and what is too long ago", async () => {
    const { url } = await receiver();
    const { webhooks } = organization;
    const { endpointId } = await webhooks.create({ url });
    for (const id of [randomUUID(), "other"]) {
      expect(await failure(webhooks.edit(id, {}))).toEqual({ status: 404, code: "webhook_unknown" });
      expect(await failure(webhooks.replay(endpointId, { eventId: id }))).toEqual({
        status: 404,
        code: "event_unknown",
      });
    }
    const old = new Date(Date.now() - 31 * 24 * 3_600_000).toISOString();
    expect(await failure(webhooks.replay(endpointId, { since: old }))).toEqual({
      status: 400,
      code: "invalid_request",
    });
    expect(await failure(webhooks.edit(endpointId, { url: "https://[::ffff:10.0.0.1]" }))).toEqual({
      status: 422,
      code: "url_refused",
    });
    for (let more = 1; more < 20; more++) await webhooks.create({ url });
    expect(await failure(webhooks.create({ url }))).toEqual({ status: 422, code: "too_many_webhooks" });
  });
});
