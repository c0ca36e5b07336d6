import type { SharedStore, SyncRequest, SyncResponse } from "@creditgate/fleet";
import { createPostgresStore } from "@creditgate/postgres";
import { afterAll, describe, expect, it } from "vitest";
import { createCluster } from "./cluster.ts";
import { requestOf, sync } from "./request.ts";

const cluster = await createCluster();
afterAll(() => cluster.close());
const primary = createPostgresStore({ sql: cluster.primary });
const replica = createPostgresStore({ sql: cluster.replica });

/** What one process says of one account. */
function sender(account: string, id: string) {
  let seq = 0;
  let epoch: string | null = null;
  let at: number | null = null;
  return async (store: SharedStore, fields: Partial<SyncRequest> = {}): Promise<SyncResponse> => {
    const request = requestOf(id, ++seq, { epoch, at, ...fields });
    const answer = await (epoch === null ? sync(store, account, request) : store.exchange(account, request));
    epoch = answer.epoch;
    at = answer.now;
    return answer;
  };
}

const having = (amount: number, fields: Partial<SyncRequest> = {}) => ({
  base: amount,
  keep: amount,
  claim: amount,
  ...fields,
});

/** Reads a balance that tells, again and again, until the store has left its quarantine. */
async function calm(
  sync: ReturnType<typeof sender>,
  store: SharedStore,
  capacity: number,
): Promise<SyncResponse> {
  for (;;) {
    const { now: stamp, epoch } = await sync(store, { refresh: "now" });
    const snapshot = { stamp, epoch, prepaid: capacity, postpaid: capacity, extended: true };
    const answer = await sync(store, { snapshot });
    if (answer.calm) return answer;
  }
}

describe("the store on a primary with a replica", () => {
  it("knows after a crash all that it has answered, in the same epoch", async () => {
    const sync = sender("crashed", "p");
    const before = await sync(primary, having(7));
    await cluster.crashPrimary();
    expect(await sync(primary, having(7))).toMatchObject({ status: "ok", epoch: before.epoch, out: 7 });
  });

  it("does nothing on a replica", async () => {
    await cluster.caughtUp();
    await expect(replica.exchange("crashed", requestOf("q", 1))).rejects.toThrow("read-only transaction");
  });

  it("begins an epoch when a replica is promoted that has not heard everything, and grants nothing until all have spoken", async () => {
    const [one, two] = [sender("promoted", "one"), sender("promoted", "two")];
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
      reservation: 0,
    });
    expect((await one(replica, having(60))).status).toBe("register");
    expect(await one(replica, having(60, { register: true }))).toMatchObject({ status: "ok", out: 60 });
    await calm(two, replica, 100);
    expect(await two(replica, need)).toMatchObject({ denied: true, out: 60 });
    expect(await two(replica, { first: 40, need: 40 })).toMatchObject({
      denied: false,
      reservation: 40,
      out: 100,
    });
  });
});
