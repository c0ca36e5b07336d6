import { afterAll, beforeAll, expect, it } from "vitest";
import { startControlPlane, type TestControlPlane } from "../src/testing/index.ts";
import { caller, usageOf } from "./caller.ts";
import { acme } from "./fixture.ts";

let plane: TestControlPlane;
beforeAll(async () => {
  plane = await startControlPlane({ fixture: acme });
});
afterAll(() => plane.stop());
it("works", async () => {
  const call = caller(plane);
  const r = await call("POST", "/api/v2/usage", { body: usageOf() });
  expect(r.status).toBe(202);
  await plane.settled();
  expect((await plane.balance("alice")).ai_credits?.available).toBe(98.934);
  const t0 = performance.now();
  const p2 = await startControlPlane({ fixture: acme });
  console.log("start", performance.now() - t0);
  const t1 = performance.now();
  await p2.stop();
  console.log("stop", performance.now() - t1);
});
