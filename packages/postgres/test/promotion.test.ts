import type { Answer, SharedStore, Word } from "@creditgate/core";
import { createPostgresStore } from "@creditgate/postgres";
import { afterAll, describe, expect, it } from "vitest";
import { createCluster } from "./cluster.ts";
import { say, wordOf } from "./word.ts";

const cluster = await createCluster();
afterAll(() => cluster.close());
const primary = createPostgresStore({ sql: cluster.primary });
const replica = createPostgresStore({ sql: cluster.replica });

/** What one process says of one account. */
function speaker(account: string, id: string) {
  let seq = 0;
  let epoch: string | null = null;
  let at: number | null = null;
  return async (store: SharedStore, said: Partial<Word> = {}): Promise<Answer> => {
    const word = wordOf(id, ++seq, { epoch, at, ...said });
    const answer = await (epoch === null ? say(store, account, word) : store.exchange(account, word));
    epoch = answer.epoch;
    at = answer.now;
    return answer;
  };
}

const having = (amount: number, said: Partial<Word> = {}) => ({
  base: amount,
  keep: amount,
  claim: amount,
  ...said,
});

/** Reads a balance that tells, again and again, until the store has left its quarantine. */
async function calm(say: ReturnType<typeof speaker>, store: SharedStore, capacity: number): Promise<Answer> {
  for (;;) {
    const { now: stamp, epoch } = await say(store, { news: "now" });
    const snapshot = { stamp, epoch, prepaid: capacity, postpaid: capacity, tells: true };
    const answer = await say(store, { snapshot });
    if (answer.calm) return answer;
  }
}

describe("the store on a primary with a replica", () => {
  it("knows after a crash all that it has answered, in the same epoch", async () => {
    const say = speaker("crashed", "p");
    const before = await say(primary, having(7));
    await cluster.crashPrimary();
    expect(await say(primary, having(7))).toMatchObject({ status: "ok", epoch: before.epoch, out: 7 });
  });

  it("does nothing on a replica", async () => {
    await cluster.caughtUp();
    await expect(replica.exchange("crashed", wordOf("q", 1))).rejects.toThrow("read-only transaction");
  });

  it("begins an epoch when a replica is promoted that has not heard everything, and grants nothing until all have spoken", async () => {
    const [one, two] = [speaker("promoted", "one"), speaker("promoted", "two")];
    const balance = await calm(two, primary, 100);
    await one(primary, having(10));
    await cluster.caughtUp();
    await cluster.cutOff();
    expect(await one(primary, having(60))).toMatchObject({ status: "ok", out: 60 });
    await cluster.stopPrimary();
    await cluster.promote();

    const need = { first: 50, need: 50 };
    const told = await two(replica, need);
    expect(told).toMatchObject({ status: "register", out: 10 });
    expect(told.epoch).not.toBe(balance.epoch);
    expect(await two(replica, { register: true, ...need })).toMatchObject({
      calm: false,
      denied: false,
      block: 0,
    });
    expect((await one(replica, having(60))).status).toBe("register");
    expect(await one(replica, having(60, { register: true }))).toMatchObject({ status: "ok", out: 60 });
    await calm(two, replica, 100);
    expect(await two(replica, need)).toMatchObject({ denied: true, out: 60 });
    expect(await two(replica, { first: 40, need: 40 })).toMatchObject({ denied: false, block: 40, out: 100 });
  });
});
