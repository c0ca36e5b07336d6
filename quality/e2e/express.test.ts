import { createClient } from "@creditgate/client";
import { startControlPlane, type TestControlPlane } from "@creditgate/control-plane/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fixtureOf, type GatedApi, startGatedApi } from "./gated-api.ts";

let controlPlane: TestControlPlane;
let api: GatedApi | undefined;

beforeEach(async () => {
  controlPlane = await startControlPlane({
    fixture: fixtureOf({
      fifty: { kind: "prepaid", currency: "ai_credits", available: 50 },
      broke: { kind: "prepaid", currency: "ai_credits", available: 0 },
      unlimited: { kind: "postpaid", currency: "ai_credits", limit: 0 },
    }),
  });
});

afterEach(async () => {
  await api?.stop();
  api = undefined;
  await controlPlane.stop();
});

/** A handler that blocks all who are let in until as many decisions have been made, so that no hold is free too soon. */
function blockUntilDecided(decisions: number): GatedApi["handler"] {
  const decided = new Promise<void>((resolve) => {
    let count = 0;
    api?.gate.on("decision", () => ++count === decisions && resolve());
  });
  return async (_request, response) => {
    await decided;
    response.json({});
  };
}

function count(responses: Response[], status: number): number {
  return responses.filter((response) => response.status === status).length;
}

describe("two hundred requests at once on a wallet that holds 50 credits", () => {
  it("are answered 50 times 200 and 150 times 402, and the wallet ends at exactly 0", async () => {
    api = await startGatedApi(controlPlane, { checkTimeoutMs: 5_000 });
    const { post } = api;
    api.handler = blockUntilDecided(200);
    const responses = await Promise.all(Array.from({ length: 200 }, () => post("fifty")));
    expect(count(responses, 200)).toBe(50);
    expect(count(responses, 402)).toBe(150);
    expect(await api.gate.flush()).toEqual({ queued: 0, parked: 0, dead: 0 });
    await controlPlane.settled();
    const { ai_credits: wallet } = await controlPlane.balance("fifty");
    expect(wallet).toMatchObject({ available: 0, overage_used: 0 });
  });
});

describe("fifty requests at once on a cold cache", () => {
  it("make one balance call", async () => {
    api = await startGatedApi(controlPlane, { checkTimeoutMs: 5_000 });
    const { post } = api;
    api.handler = blockUntilDecided(50);
    const responses = await Promise.all(Array.from({ length: 50 }, () => post("fifty")));
    expect(count(responses, 200)).toBe(50);
    expect(api.balanceCalls()).toBe(1);
  });
});

describe("an all-zero wallet", () => {
  it("is denied when configured as prepaid", async () => {
    api = await startGatedApi(controlPlane, { wallet: "prepaid", checkTimeoutMs: 5_000 });
    const response = await api.post("broke");
    expect(response.status).toBe(402);
    expect(response.headers.get("content-type")).toContain("application/problem+json");
    expect(await response.json()).toMatchObject({ code: "insufficient_credits", required: 1, available: 0 });
  });

  it("is served when configured as postpaid", async () => {
    api = await startGatedApi(controlPlane, { wallet: "postpaid", checkTimeoutMs: 5_000 });
    expect((await api.post("unlimited")).status).toBe(200);
  });
});

describe("a customer who was denied and then topped up", () => {
  it("is served by the very next request", async () => {
    api = await startGatedApi(controlPlane, { checkTimeoutMs: 5_000 });
    expect((await api.post("broke")).status).toBe(402);
    await createClient({ baseUrl: controlPlane.baseUrl, apiKey: controlPlane.apiKey }).wallets.topUp(
      {
        customer_id: "broke",
        top_ups: [{ credit_currency_key: "ai_credits", credits: 10 }],
      },
      { idempotencyKey: "top-up" },
    );
    expect((await api.post("broke")).status).toBe(200);
  });
});

describe("a control plane that hangs", () => {
  it("makes a request without a cached balance be answered 503 with Retry-After", async () => {
    controlPlane.faults.hang();
    api = await startGatedApi(controlPlane, { checkTimeoutMs: 50 });
    const responses = await Promise.all([api.post("fifty"), api.post("fifty")]);
    responses.push(await api.post("fifty"));
    for (const response of responses) {
      expect(response.status).toBe(503);
      expect(response.headers.get("retry-after")).toBe("1");
      expect(await response.json()).toMatchObject({ code: "upstream_unavailable", retryable: true });
    }
  });
});

describe("a control plane that answers 503 to usage", () => {
  it("does not keep the response from the user, and gets the usage once it is back", async () => {
    controlPlane.faults.unavailable(503, { paths: ["/api/v2/usage"] });
    api = await startGatedApi(controlPlane, { checkTimeoutMs: 5_000 });
    const refused = new Promise((resolve) => api?.gate.on("degraded", resolve));
    expect((await api.post("fifty")).status).toBe(200);
    expect(await refused).toMatchObject({ what: "delivery" });
    controlPlane.faults.restore();
    expect(await api.gate.flush()).toEqual({ queued: 0, parked: 0, dead: 0 });
    await controlPlane.settled();
    expect((await controlPlane.balance("fifty")).ai_credits).toMatchObject({ available: 49 });
  });
});
