import {
  createTrialStore,
  type SharedStoreOnTrial,
  type StoreStep,
  type TestRunner,
  testSharedStore,
} from "@creditgate/conformance";
import { createManualClock } from "@creditgate/core/testing";
import {
  createAccountState,
  createMemoryStore,
  exchange,
  parseResponse,
  type SharedStore,
} from "@creditgate/fleet";
import { describe, expect, it } from "vitest";

function memory(): SharedStoreOnTrial {
  const clock = createManualClock({ drain: async () => {} });
  return { store: createMemoryStore({ clock }), advance: clock.advance };
}

/** A store that can forget, and answers as one does that speaks JSON. */
function forgetting(change: Partial<StoreStep> = {}): SharedStoreOnTrial {
  const trial = createTrialStore({ createAccountState, exchange, ...change });
  const store: SharedStore = {
    async exchange(account, request) {
      const answer = await trial.store.exchange(account, JSON.parse(JSON.stringify(request)));
      return parseResponse(
        JSON.parse(JSON.stringify(answer, (_, value) => (typeof value === "number" ? String(value) : value))),
      );
    },
  };
  return { ...trial, store };
}

const parts = ["figures", "reservations", "windows", "account"] as const;

testSharedStore("memory", { create: memory, restarts: false }, { describe, it });
testSharedStore(
  "a store that forgets",
  { create: () => forgetting(), restarts: true, stepsBack: true, loses: parts },
  { describe, it },
);

describe("testSharedStore", () => {
  it("fails a store that does another step, with the seed, the sync and what differs", async () => {
    const failures: string[] = [];
    const tests: Promise<void>[] = [];
    const runner: TestRunner = {
      describe: (_name, body) => body(),
      it: (name, body) =>
        tests.push(body().catch((error) => void failures.push(`${name}: ${error.message}`))),
    };
    const forgetful: typeof exchange = (account, request, instant) =>
      exchange(account, { ...request, queued: 0 }, instant);
    testSharedStore(
      "forgetful",
      { create: () => forgetting({ exchange: forgetful }), restarts: true, stepsBack: true },
      runner,
    );
    await Promise.all(tests);
    expect(failures.join("\n")).toContain(
      "what only a queue has until its lag is over, whatever a balance includes: shownPrepaid",
    );
    expect(failures.join("\n")).toMatch(
      /random syncs.*seed \d+: Error: .*expected \d+, received \d+.*"queued":/s,
    );
    expect(failures.length).toBeLessThan(tests.length);
  });
});

describe("parseAnswer", () => {
  const answer = {
    status: "ok",
    now: "17",
    epoch: "e",
    born: "-9007199254740991",
    reservation: "9007199254740991",
    recalls: 0,
    prepaid: "-5",
    postpaid: "wallet_missing",
    out: "0",
    used: "0",
    shownPrepaid: "0",
    shownPostpaid: "0",
  };

  it("reads decimal text, and takes what is absent for nothing", () => {
    expect(parseResponse(answer)).toEqual({
      status: "ok",
      now: 17,
      epoch: "e",
      born: Number.MIN_SAFE_INTEGER,
      reservation: Number.MAX_SAFE_INTEGER,
      calm: false,
      denied: false,
      waiting: 0,
      recalls: 0,
      refresh: null,
      stamp: null,
      prepaid: -5,
      postpaid: "wallet_missing",
      extended: false,
      out: 0,
      used: 0,
      shownPrepaid: 0,
      shownPostpaid: 0,
      recent: 0,
    });
  });

  it.each([
    null,
    {},
    { ...answer, status: "fine" },
    { ...answer, now: "1e3" },
    { ...answer, reservation: undefined },
    { ...answer, reservation: 0.5 },
    { ...answer, prepaid: "constructor" },
    { ...answer, out: "9007199254740993" },
    { ...answer, epoch: 1 },
    { ...answer, refresh: "gone" },
  ])("throws for %j", (broken) => {
    expect(() => parseResponse(broken)).toThrow(TypeError);
  });
});
