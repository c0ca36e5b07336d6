import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createKeyRing } from "../src/http/key-ring.ts";
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
    const [here, there] = [1, 2].map(() => createKeyRing(scene.database, scene.clock));
    for (const ring of [here, there]) expect(await ring?.find(apiKey)).toMatchObject({ orgId: scene.orgId });
    await change("revoked_at", scene.clock.now());
    here?.forget();
    expect(await here?.find(apiKey)).toBeUndefined();
    expect(await there?.find(apiKey)).toBeDefined();
    scene.clock.time += 1_001;
    expect(await there?.find(apiKey)).toBeUndefined();
  });

  it("ends a key that it remembers at the instant at which it expires", async () => {
    const ring = createKeyRing(scene.database, scene.clock);
    await change("expires_at", scene.clock.now() + 10);
    expect(await ring.find(apiKey)).toBeDefined();
    scene.clock.time += 10;
    expect(await ring.find(apiKey)).toBeUndefined();
  });

  it("does not remember that there was no such key", async () => {
    const ring = createKeyRing(scene.database, scene.clock);
    await change("revoked_at", scene.clock.now());
    expect(await ring.find(apiKey)).toBeUndefined();
    await scene.pool.query("update api_keys set revoked_at = null");
    expect(await ring.find(apiKey)).toBeDefined();
  });

  it("reads a key once for many who wait, and notes its use once a minute", async () => {
    const ring = createKeyRing(scene.database, scene.clock);
    const found = await Promise.all(Array.from({ length: 50 }, () => ring.find(apiKey)));
    expect(new Set(found).size).toBe(1);
    const used = async () =>
      (await scene.pool.query("select last_used_at from api_keys")).rows[0].last_used_at;
    const first = new Date(scene.clock.now());
    expect(await used()).toEqual(first);
    scene.clock.time += 59_999;
    await ring.find(apiKey);
    expect(await used()).toEqual(first);
    scene.clock.time += 1;
    await ring.find(apiKey);
    expect(await used()).toEqual(new Date(scene.clock.now()));
  });
});
