import { readFile } from "node:fs/promises";
import { createClient } from "@creditgate/client";
import type { Fixture } from "@creditgate/control-plane";
import { startControlPlane, type TestControlPlane } from "@creditgate/control-plane/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAppByHand } from "../src/demo/by-hand/app.ts";
import { byHand } from "../src/demo/by-hand/credits.ts";
import { createStandInModel } from "../src/stand-in-model.ts";
import { serve } from "./local-server.ts";

let plane: TestControlPlane;
beforeAll(async () => {
  const example: Fixture = JSON.parse(await readFile(new URL("../fixture.json", import.meta.url), "utf8"));
  const wallets = (available: number) => [{ currency: "ai_credits", kind: "prepaid" as const, available }];
  plane = await startControlPlane({
    fixture: {
      ...example,
      customers: [
        { externalId: `alice${byHand}`, name: "Alice", wallets: wallets(3) },
        { externalId: `dora${byHand}`, name: "Dora", wallets: wallets(0.99) },
      ],
    },
  });
});
afterAll(() => plane.stop());

async function ask(token: string): Promise<Response> {
  const client = createClient({ baseUrl: plane.baseUrl, apiKey: plane.apiKey, retries: 0 });
  const url = await serve(createAppByHand({ client, llm: createStandInModel({ pause: async () => {} }) }));
  return fetch(`${url}/chat`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ message: "What is a credit, in 40 words?" }),
  });
}

// The comparison is fair: with one request at a time the middleware written by hand does all that it should.
describe("the chat gated by hand", () => {
  it("serves a customer who can pay, and bills the answer", async () => {
    const response = await ask("demo-alice");
    expect(response.status).toBe(200);
    expect((await response.text()).trim().split(" ")).toHaveLength(40);
    await expect.poll(async () => (await plane.balance(`alice${byHand}`)).ai_credits?.available).toBe(2.6);
  });

  it("denies a customer who cannot pay for the longest answer", async () => {
    expect((await ask("demo-dora")).status).toBe(402);
  });

  it("knows who it is", async () => {
    expect((await ask("demo-nobody")).status).toBe(401);
  });

  it("denies everyone while billing cannot be asked", async () => {
    plane.faults.unavailable(503);
    expect((await ask("demo-alice")).status).toBe(503);
    plane.faults.restore();
  });
});
