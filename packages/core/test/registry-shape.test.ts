import { createGate, createRegistry } from "@creditgate/core";
import { expect, it } from "vitest";
import { Entry } from "../src/outbox/report.ts";
import { Recoveries } from "../src/registry/recoveries.ts";
import { processRegistry } from "../src/registry/registry.ts";
import { createFakeService, wallet } from "./service.ts";

/** What other instances of core can reach of an object: its own fields, and what its classes offer. */
function members(found: object): readonly string[] {
  const names = new Set(Object.keys(found));
  for (let of: unknown = found; of !== null && of !== Object.prototype; of = Object.getPrototypeOf(of)) {
    for (const name of Object.getOwnPropertyNames(of)) names.add(name);
  }
  names.delete("constructor");
  return [...names].sort();
}

/**
 * Two versions of core in one process share the registry if its name is the same, and call what they find there. So the shape
 * below belongs to the number: where a release has had this number, a change of shape takes the next one.
 */
it("is shared by versions of core whose registry has the same shape: registry@4", async () => {
  const registry = processRegistry();
  const shared = globalThis as { readonly [name: symbol]: unknown };
  expect(shared[Symbol.for("@creditgate/core/registry@4")]).toBe(registry);

  const service = createFakeService();
  service.fund("alice", { ai_credits: wallet({ available: 10 }) });
  const own = createRegistry();
  const gate = createGate({
    client: service.client,
    currency: "ai_credits",
    wallet: "prepaid",
    registry: own,
    lagWatch: false,
  });
  const decision = await gate.authorize({
    customerId: "alice",
    agentId: "chat",
    indicator: "message",
    hold: 1,
  });
  if (decision.allowed) decision.charge.release();
  const [customers] = own.customers.values();
  const customer = customers?.peek("alice");
  const opened = customer?.wallet("ai_credits");
  const hold = await opened?.account.hold(1, "prepaid", Number.NEGATIVE_INFINITY);
  const shape = { registry, customers, service: customers?.service, recoveries: new Recoveries() };
  const parts = {
    customer,
    wallet: opened,
    account: opened?.account,
    ledger: customers?.ledger,
    hold,
    left: new Entry("a", 1),
  };
  const found = Object.entries({ ...shape, ...parts }).map(([name, part]) => [name, members(part ?? {})]);
  expect(Object.fromEntries(found)).toMatchInlineSnapshot(`
    {
      "account": [
        "acknowledge",
        "add",
        "await",
        "awaited",
        "beginRefresh",
        "beyond",
        "correct",
        "end",
        "figures",
        "flush",
        "forget",
        "held",
        "hold",
        "idle",
        "install",
        "left",
        "limit",
        "recover",
        "release",
        "settle",
        "stamp",
        "subtract",
        "take",
        "used",
      ],
      "customer": [
        "active",
        "budgets",
        "id",
        "idle",
        "isActive",
        "open",
        "read",
        "refreshBehind",
        "refreshSince",
        "refreshing",
        "rest",
        "schedule",
        "send",
        "visit",
        "wallet",
      ],
      "customers": [
        "accountOf",
        "all",
        "clock",
        "gates",
        "get",
        "guard",
        "idle",
        "keep",
        "ledger",
        "left",
        "maxCustomers",
        "peek",
        "service",
      ],
      "hold": [
        "admitted",
        "amount",
        "isBeyond",
        "phase",
      ],
      "ledger": [
        "account",
        "budget",
        "close",
        "id",
      ],
      "left": [
        "acknowledge",
        "admittedAs",
        "amount",
        "correct",
        "id",
        "join",
        "priced",
        "record",
      ],
      "recoveries": [
        "begin",
        "concerns",
        "end",
        "fail",
        "none",
        "over",
      ],
      "registry": [
        "customers",
        "recoveries",
        "sharedNames",
      ],
      "service": [
        "acceptsUsage",
        "batchFailed",
        "batchLimit",
        "doesNotKnow",
        "fingerprint",
        "gate",
        "hasRefused",
        "hasRefusedReport",
        "honoursKeys",
        "isExtended",
        "learnFrom",
        "learnFromError",
        "learnKeys",
        "loseKeys",
        "namesProblems",
        "onKeys",
        "takesBudgets",
        "unbillable",
        "usageParts",
      ],
      "wallet": [
        "account",
        "currency",
        "funds",
        "journal",
        "kind",
        "older",
      ],
    }
  `);
  await gate.close();
});
