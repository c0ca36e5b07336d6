import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createKeyRing } from "../src/keys/key-ring.ts";
import { acme } from "./fixture.ts";
import { openScene, type Scene } from "./scene.ts";

const apiKey = acme.organization.apiKey ?? "";

let scene: Scene;
beforeEach(async () => {
  scene = await openScene(acme);
});
afterEach(() => scene.close());

const change = (column: "revoked_at" | "expires_at", at: number) =>
  scene.pool.query(`update api_keys set ${column} = $1`, [new Date(at)]);

describe("createKeyRing", () => {
  it("refuses a key that another replica has revoked after a second, and one of its own at once", async () => {
    const [here, there] = [1, 2].map(() => createKeyRing(scene.database, scene.clock, scene.clock));
    for (const ring of [here, there]) expect(await ring?.find(apiKey)).toMatchObject({ orgId: scene.orgId });
    await change("revoked_at", scene.clock.now());
    here?.forget();
    expect(await here?.find(apiKey)).toBeUndefined();
    expect(await there?.find(apiKey)).toBeDefined();
    scene.clock.time += 1_001;
    expect(await there?.find(apiKey)).toBeUndefined();
  });

  it("refuses a revoked key also where its clock is set back meanwhile", async () => {
    const elapsed = { time: 1, now: () => elapsed.time };
    const ring = createKeyRing(scene.database, scene.clock, elapsed);
    expect(await ring.find(apiKey)).toBeDefined();
    await change("revoked_at", scene.clock.now());
    scene.clock.time -= 3_600_000;
    elapsed.time += 1_001;
    expect(await ring.find(apiKey)).toBeUndefined();
  });

  it("ends a key that it remembers at the instant at which it expires", async () => {
    const ring = createKeyRing(scene.database, scene.clock, scene.clock);
    await change("expires_at", scene.clock.now() + 10);
    expect(await ring.find(apiKey)).toBeDefined();
    scene.clock.time += 10;
    expect(await ring.find(apiKey)).toBeUndefined();
  });

  it("knows a key that another replica has made after a second, and one of its own at once", async () => {
    const [here, there] = [1, 2].map(() => createKeyRing(scene.database, scene.clock, scene.clock));
    await change("revoked_at", scene.clock.now());
    for (const ring of [here, there]) expect(await ring?.find(apiKey)).toBeUndefined();
    await scene.pool.query("update api_keys set revoked_at = null");
    here?.forget();
    expect(await here?.find(apiKey)).toBeDefined();
    expect(await there?.find(apiKey)).toBeUndefined();
    scene.clock.time += 1_001;
    expect(await there?.find(apiKey)).toBeDefined();
  });

  it("asks the database once a second for a key that does not exist, and never for a mistyped one", async () => {
    const ring = createKeyRing(scene.database, scene.clock, scene.clock);
    const asked = vi.spyOn(scene.database, "selectFrom");
    for (let count = 0; count < 20; count++) expect(await ring.find("cg_no_such_key")).toBeUndefined();
    expect(asked).toHaveBeenCalledTimes(1);
    scene.clock.time += 1_001;
    await ring.find("cg_no_such_key");
    expect(asked).toHaveBeenCalledTimes(2);
    await ring.find(`cgk_${"0".repeat(40)}`);
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it("reads a key once for many who wait, and notes its use once a minute", async () => {
    const ring = createKeyRing(scene.database, scene.clock, scene.clock);
    const found = await Promise.all(Array.from({ length: 50 }, () => ring.find(apiKey)));
    expect(new Set(found).size).toBe(1);
    const first = scene.clock.now();
    await expect.poll(lastUse).toBe(first);
    scene.clock.time += 59_999;
    await ring.find(apiKey);
    scene.clock.time += 1;
    await ring.find(apiKey);
    await expect.poll(lastUse).toBe(first + 60_000);
  });

  it("lets a request in while its use cannot be noted, and notes it later", async () => {
    const ring = createKeyRing(scene.database, scene.clock, scene.clock);
    const holder = await scene.pool.connect();
    await holder.query("begin");
    await holder.query("select from api_keys for update");
    expect(await ring.find(apiKey)).toBeDefined();
    // The one that waits, and no idle connection whose last query it was: the next request would be given that.
    const terminate =
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like 'update%api_keys%'";
    await expect.poll(async () => (await scene.pool.query(terminate)).rowCount).toBe(1);
    await holder.query("rollback");
    holder.release();
    scene.clock.time += 1_001;
    expect(await ring.find(apiKey)).toBeDefined();
    await expect.poll(lastUse).toBe(scene.clock.now());
  });
});

const lastUse = async (): Promise<number | undefined> => {
  const { rows } = await scene.pool.query<{ last_used_at: Date | null }>("select last_used_at from api_keys");
  return rows[0]?.last_used_at?.getTime();
};
