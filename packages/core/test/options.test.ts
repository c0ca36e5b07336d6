import { CreditgateError } from "@creditgate/client";
import { createGate, createMemoryOutbox, createRegistry, type GateOptions } from "@creditgate/core";
import { createManualClock } from "@creditgate/core/testing";
import { describe, expect, it } from "vitest";
import { createFakeService, hangs } from "./service.ts";

const valid = { client: createFakeService().client, currency: "ai_credits", wallet: "prepaid" } as const;

function misuse(options: object): unknown {
  try {
    return createGate({ registry: createRegistry(), ...valid, ...options } as GateOptions);
  } catch (error) {
    return error;
  }
}

describe("createGate", () => {
  it.each([
    ["client", { client: undefined }, "a client, as createClient() makes it", "undefined"],
    ["client", { client: { send() {} } }, "a client, as createClient() makes it", "an object"],
    [
      "currency",
      { currency: undefined },
      "a string of 1 to 256 bytes without control characters",
      "undefined",
    ],
    ["currency", { currency: "" }, "a string of 1 to 256 bytes", '""'],
    ["wallet", { wallet: null as never }, '"prepaid" or "postpaid"', "null"],
    ["wallet", { wallet: "Prepaid" }, '"prepaid" or "postpaid"', '"Prepaid"'],
    ["price", { price: 5 }, "a function", "5"],
    ["settlementLagMs", { settlementLagMs: -1 }, "a number, from 0 to 86400000", "-1"],
    ["ttlMs", { ttlMs: 0 }, "a number, from 1 to 86400000", "0"],
    ["ttlMs", { ttlMs: Number.NaN }, "a number", "NaN"],
    ["ttlMs", { ttlMs: "5000" }, "a number", '"5000"'],
    ["maxStaleMs", { maxStaleMs: 100 }, "a number, from 5000 to 86400000", "100"],
    ["minRefreshMs", { minRefreshMs: Number.POSITIVE_INFINITY }, "a number, from 0 to 86400000", "Infinity"],
    ["checkTimeoutMs", { checkTimeoutMs: 0 }, "a number, from 1 to 86400000", "0"],
    ["maxCustomers", { maxCustomers: 1.5 }, "a whole number, from 1 to 10000000", "1.5"],
    ["maxCustomers", { maxCustomers: 0 }, "a number, from 1 to 10000000", "0"],
    ["concurrency", { concurrency: 0 }, "a number, from 1 to 1000", "0"],
    ["ambiguous", { ambiguous: "maybe" }, '"auto" or "park" or "retry"', '"maybe"'],
    ["outbox", { outbox: {} }, "an Outbox", "an object"],
    ["ledger", { ledger: [] }, "a Ledger", "an array"],
    ["clock", { clock: Date }, "a Clock", "a function"],
    ["random", { random: 0.5 }, "a function", "0.5"],
    ["logger", { logger: true }, "a logger", "true"],
    ["logger", { logger: {} }, "a logger", "an object"],
    [
      "registry",
      { registry: new Map() },
      "a registry, as createRegistry() makes it",
      "an object of class Map",
    ],
  ])("refuses a bad %s: %j", (option, options, expected, received) => {
    const error = misuse(options);
    expect(error).toBeInstanceOf(CreditgateError);
    expect(error).toMatchObject({ code: "invalid_option" });
    const { message } = error as CreditgateError;
    expect(message.startsWith(`${option}: expected ${expected}`), message).toBe(true);
    expect(message.endsWith(`, received ${received}`), message).toBe(true);
  });

  it.each([
    ["prise", "price"],
    ["setlementLagMs", "settlementLagMs"],
    ["check_timeout_ms", "checkTimeoutMs"],
    ["wallets", "wallet"],
  ])("refuses the option %s, and says that %s is meant", (name, meant) => {
    expect(misuse({ [name]: 1 })).toMatchObject({
      code: "invalid_option",
      message: `${name}: unknown option; did you mean "${meant}"?`,
    });
  });

  it("waits a second for a balance by default", async () => {
    const service = createFakeService();
    service.onBalance = hangs;
    const clock = createManualClock();
    const registry = createRegistry();
    const gate = createGate({ ...valid, client: service.client, clock, registry, logger: false });
    let decided = false;
    const decision = gate.authorize({ customerId: "alice", agentId: "chat", indicator: "message", hold: 1 });
    void decision.then(() => {
      decided = true;
    });
    await clock.advance(999);
    expect(decided).toBe(false);
    await clock.advance(1);
    expect((await decision).allowed).toBe(false);
  });

  it.each([undefined, null, "gate"])("refuses %s for options", (options) => {
    expect(() => createGate(options as unknown as GateOptions)).toThrow("options: expected an object");
  });

  it("takes what is at the bounds, and leaves the caller's object as it is", () => {
    const options = Object.freeze({
      ...valid,
      registry: createRegistry(),
      settlementLagMs: 0,
      ttlMs: 1,
      maxStaleMs: 1,
      minRefreshMs: 0,
      checkTimeoutMs: 86_400_000,
      maxCustomers: 1,
      concurrency: 1_000,
    });
    expect(createGate(options)).toBeDefined();
  });

  it("raises the default of maxStaleMs to a greater ttlMs", () => {
    expect(misuse({ ttlMs: 120_000 })).not.toBeInstanceOf(Error);
  });

  it("shows only the beginning of a long value", () => {
    const { message } = misuse({ currency: "x".repeat(10_000) }) as CreditgateError;
    expect(message.length).toBeLessThan(200);
  });
});

describe("createMemoryOutbox", () => {
  it("refuses an option that it does not know", () => {
    const options: object = { maxReport: 1 };
    expect(() => createMemoryOutbox(options)).toThrow(
      'maxReport: unknown option; did you mean "maxReports"?',
    );
  });

  it.each([0, -1, 1.5, Number.NaN])("refuses maxReports: %s", (maxReports) => {
    expect(() => createMemoryOutbox({ maxReports })).toThrow("maxReports: expected a");
  });
});
