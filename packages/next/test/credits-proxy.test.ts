import { creditsProxy } from "@creditgate/next";
import { NextRequest } from "next/server.js";
import { describe, expect, expectTypeOf, it } from "vitest";
import { createStage, paid } from "./stage.ts";

const request = (init: { method?: string; headers?: Record<string, string> } = {}) =>
  new NextRequest("https://app.example/chat", init);

describe("creditsProxy", () => {
  it("lets who can pay on, holds nothing for them and bills nothing", async () => {
    const { gate, outcome } = createStage();
    const hint = creditsProxy(gate, { ...paid, hold: 100 });
    expectTypeOf(hint).toEqualTypeOf<(request: NextRequest) => Promise<Response | undefined>>();
    expect([await hint(request()), await hint(request())]).toEqual([undefined, undefined]);
    expect(await outcome()).toEqual({ settlements: 2, held: 0, billed: [] });
  });

  it("answers who cannot pay", async () => {
    const response = await creditsProxy(createStage(4).gate, paid)(request());
    expect([response?.status, response?.headers.get("cache-control")]).toEqual([402, "no-store"]);
    expect(await response?.json()).toMatchObject({ code: "insufficient_credits" });
  });

  it("answers a browser's navigation with a page", async () => {
    const response = await creditsProxy(
      createStage(4).gate,
      paid,
    )(request({ headers: { "sec-fetch-mode": "navigate" } }));
    expect([response?.status, response?.headers.get("content-type")]).toEqual([
      402,
      "text/html; charset=utf-8",
    ]);
  });

  it("answers 401 where there is no customer", async () => {
    const options = { ...paid, customer: ({ cookies }: NextRequest) => cookies.get("user")?.value };
    expect((await creditsProxy(createStage().gate, options)(request()))?.status).toBe(401);
  });

  it("lets what is skipped on, without asking for a balance, and nothing else", async () => {
    const { gate, emitted } = createStage(0);
    const hint = creditsProxy(gate, { ...paid, skip: ({ method }: NextRequest) => method === "OPTIONS" });
    expect(await hint(request({ method: "OPTIONS" }))).toBeUndefined();
    expect(emitted("decision")).toEqual([]);
    expect((await creditsProxy(gate, paid)(request({ method: "OPTIONS" })))?.status).toBe(402);
  });

  it("rejects with what a resolver throws", async () => {
    const failure = new Error("resolver");
    const hint = creditsProxy(createStage().gate, { ...paid, customer: () => Promise.reject(failure) });
    await expect(hint(request())).rejects.toBe(failure);
  });

  it("refuses at once options that cannot be right", () => {
    expect(() => creditsProxy(createStage().gate, { ...paid, hold: 0 })).toThrow("hold: expected");
  });
});
