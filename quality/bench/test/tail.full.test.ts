import { expect, it } from "vitest";
import { measureTail, phases } from "../src/tail.ts";

it("admits and bills on a cached balance while the service is late, hangs, and returns", async () => {
  const measured = await measureTail(50);
  expect([...measured.keys()]).toEqual(phases);
  for (const { authorize, settle } of measured.values()) {
    expect(authorize.length).toBeGreaterThanOrEqual(32);
    expect(settle).toHaveLength(authorize.length);
  }
});
