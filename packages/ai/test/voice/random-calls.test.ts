import { endpoints } from "@creditgate/client";
import type { TestControlPlane } from "@creditgate/control-plane/testing";
import { createRandom } from "@creditgate/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { faults } from "./network.ts";
import { Phone, startPhone } from "./phone.ts";
import { Book, randomTurn } from "./script.ts";

/** `npm run test:voice-calls` does five hundred. */
const pairs = Number(process.env.CREDITGATE_VOICE_CALLS ?? 12) / 2;

let plane: TestControlPlane;
beforeAll(async () => {
  plane = await startPhone({ alice: 28 });
});
afterAll(() => plane.stop());

describe(`${2 * pairs} random voice calls, two at once on one wallet`, () => {
  it("are billed what was measured, however they end and the network fails, and never overdraw the wallet", {
    timeout: 1_800_000,
  }, async () => {
    const random = createRandom(11);
    const phone = new Phone(plane);
    const endings: Record<string, number> = {};
    let expected = 28_000_000;
    phone.network.otherwise = (path) =>
      random.chance(0.1) && path !== endpoints.walletTopUp.path ? random.pick(faults) : undefined;

    /** One call: turns, until its script ends, its caller hangs up, its handler crashes, or the credits do. */
    const take = async (): Promise<void> => {
      const caller = new AbortController();
      const book = new Book();
      const decision = await phone.decide("alice", {
        signal: caller.signal,
        openMs: 300_000,
        hold: { ahead: 6, reserve: 5 },
        onExhausted({ call }) {
          const words = { characters: random.integer(0, 500) };
          call.tts(words);
          book.tell(words);
        },
      });
      if (!decision.allowed) {
        endings[decision.denial.code] = (endings[decision.denial.code] ?? 0) + 1;
        return;
      }
      const { call } = decision;
      const end = random.pick(["completed", "aborted", "failed"]);
      const running = call.run(async () => {
        for (let turns = random.integer(1, 12); turns > 0; turns--) {
          if (call.state !== "running") return;
          book.play(call, randomTurn(random));
          await waiting(random.integer(200, 5_000));
        }
        if (end === "aborted") caller.abort();
        if (end === "failed") throw new Error("crashed");
      });
      await running.catch(() => {});
      const bill = await call.ended;
      book.seconds = bill.seconds;
      endings[bill.ending] = (endings[bill.ending] ?? 0) + 1;
      expect(bill).toMatchObject({ credits: book.total / 1e6, unposted: [] });
      expected -= book.total;
    };
    const waiting = (ms: number) => new Promise<void>((resolve) => phone.clock.schedule(ms, resolve));

    for (let pair = 0; pair < pairs; pair++) {
      await phone.passing(Promise.all([take(), take()]));
      const left = await phone.available("alice");
      expect(left).toBe(expected);
      expect(left).toBeGreaterThanOrEqual(0);
      if (left > 24_000_000 || random.chance(0.1)) continue;
      // Enough for both to begin, and seldom for both to end as they would.
      const top_ups = [{ credit_currency_key: "voice_credits", credits: 12 }];
      await phone.client.wallets.topUp({ customer_id: "alice", top_ups }, { idempotencyKey: `pay-${pair}` });
      expected += 12_000_000;
    }
    console.info(`${2 * pairs} voice calls: ${JSON.stringify(endings)}`);
    const { completed = 0, aborted = 0, failed = 0, exhausted = 0 } = endings;
    expect(completed + aborted + failed + exhausted).toBeGreaterThan(pairs);
    expect(await phone.gate.balance("alice")).toMatchObject({ held: 0 });
  });
});
