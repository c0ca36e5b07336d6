import type { Charge } from "@creditgate/core";
import { withCredits } from "@creditgate/next";
import { notFound, permanentRedirect, redirect } from "next/navigation.js";
import { NextRequest, NextResponse } from "next/server.js";
import { afterEach, beforeEach, describe, expect, expectTypeOf, it, vi } from "vitest";
import { createStage, paid } from "./stage.ts";

const defaultUsage = { model: "default" };
const context = { params: Promise.resolve({}) };
const request = () => new NextRequest("https://app.example/chat", { method: "POST" });

describe("withCredits, of a route handler", () => {
  beforeEach(() => void vi.spyOn(console, "warn").mockImplementation(() => {}));
  afterEach(() => vi.restoreAllMocks());

  it("gives the handler the parameters and the charge, and bills what it reported", async () => {
    const { gate, outcome } = createStage();
    const POST = withCredits(
      gate,
      paid,
      async (_request, { params, credits }: { params: Promise<{ id: string }>; credits: Charge }) => {
        credits.report({ model: "m" });
        return new Response((await params).id);
      },
    );
    expectTypeOf(POST).toEqualTypeOf<
      (request: NextRequest, context: { params: Promise<{ id: string }> }) => Promise<Response>
    >();
    const response = await POST(request(), { params: Promise.resolve({ id: "7" }) });
    expect(await response.text()).toBe("7");
    expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: ["m"] });
  });

  it("takes handlers that want no parameters, and tells resolvers Next's request", async () => {
    const { gate, emitted } = createStage();
    const options = {
      ...paid,
      customer: ({ cookies }: NextRequest) => cookies.get("user")?.value,
      hold: ({ nextUrl }: NextRequest) => Number(nextUrl.searchParams.get("hold")),
    };
    const GET = withCredits(gate, options, async (asked, { credits }) => {
      expectTypeOf(asked).toEqualTypeOf<NextRequest>();
      expectTypeOf(credits).toEqualTypeOf<Charge>();
      return new Response();
    });
    await GET(new NextRequest("https://app.example/?hold=7", { headers: { cookie: "user=alice" } }), context);
    expect(emitted("decision")).toMatchObject([{ customerId: "alice", trace: { hold: 7 } }]);
  });

  it("keeps status, headers and cookies of a NextResponse", async () => {
    const { gate } = createStage();
    const POST = withCredits(gate, paid, () => {
      const response = NextResponse.json({ ok: true }, { status: 201, headers: { "x-mine": "1" } });
      response.cookies.set("a", "1");
      response.cookies.set("b", "2");
      return response;
    });
    const response = await POST(request(), context);
    expect([response.status, response.headers.get("x-mine")]).toEqual([201, "1"]);
    expect(response.headers.getSetCookie()).toEqual(["a=1; Path=/", "b=2; Path=/"]);
    expect(await response.json()).toEqual({ ok: true });
  });

  it("answers who cannot pay with a denial, and asks no handler", async () => {
    const { gate, outcome } = createStage(4);
    const handler = vi.fn(() => new Response());
    const response = await withCredits(gate, paid, handler)(request(), context);
    expect([response.status, await response.json()]).toMatchObject([402, { code: "insufficient_credits" }]);
    expect(handler).not.toHaveBeenCalled();
    expect(await outcome()).toEqual({ settlements: 0, held: 0, billed: [] });
  });

  it.each([
    ["redirect", () => redirect("/there")],
    ["permanentRedirect", () => permanentRedirect("/there")],
  ])("counts a %s() out of the handler as a success, and lets it through", async (_name, leave) => {
    const { gate, outcome } = createStage();
    const POST = withCredits(gate, { ...paid, defaultUsage }, async () => leave());
    await expect(POST(request(), context)).rejects.toMatchObject({
      digest: expect.stringMatching(/^NEXT_REDIRECT;/),
    });
    expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: ["default"] });
  });

  it("counts a notFound() out of the handler as a failure, and lets it through", async () => {
    const { gate, outcome } = createStage();
    const POST = withCredits(gate, { ...paid, defaultUsage }, async () => notFound());
    await expect(POST(request(), context)).rejects.toMatchObject({ digest: "NEXT_HTTP_ERROR_FALLBACK;404" });
    expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: [] });
  });

  it("rejects with what the handler throws, and gives the hold back", async () => {
    const { gate, outcome } = createStage();
    const failure = new Error("handler");
    const POST = withCredits(gate, { ...paid, defaultUsage }, () => {
      throw failure;
    });
    await expect(POST(request(), context)).rejects.toBe(failure);
    expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: [] });
  });

  it("gates OPTIONS as any other method", async () => {
    const handler = vi.fn(() => new Response(null, { status: 204 }));
    const OPTIONS = withCredits(createStage(0).gate, paid, handler);
    const asked = new NextRequest("https://app.example/chat", { method: "OPTIONS" });
    expect((await OPTIONS(asked, context)).status).toBe(402);
    expect(handler).not.toHaveBeenCalled();
  });
});
