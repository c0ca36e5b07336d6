import type { Denial } from "@creditgate/core";
import { denialMessage } from "@creditgate/core/adapter";
import { describe, expect, it } from "vitest";
import { denialPage } from "../src/denial/page/compact.ts";
import { createScene, wallet } from "./service.ts";

const denial: Denial = {
  code: "insufficient_credits",
  status: 402,
  title: "Not enough credits",
  currency: "ai_credits",
  required: 5,
  available: 1.25,
  shortfall: 3.75,
  retryable: false,
};

function headers(given: Record<string, string>) {
  return (name: string) => given[name];
}

const navigation = headers({ "sec-fetch-mode": "navigate", accept: "text/html,*/*;q=0.8" });

describe("a denial of a browser's navigation", () => {
  it("is a page that says in words what is missing", () => {
    const { status, headers, body } = denialMessage(denial, navigation);
    expect(status).toBe(402);
    expect(headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
    });
    expect(body).toContain("<h1>Not enough credits</h1>");
    expect(body).toContain(
      "This needs <strong>5</strong> ai credits; <strong>1.25</strong> can be spent now.",
    );
    expect(body).toContain("Top up to go on.");
  });

  it("shows the way to go on", () => {
    const advised: Denial = { ...denial, recommendedAction: "complete_payment", actionUrl: "/pay?a=1&b=2" };
    const { body } = denialMessage(advised, navigation);
    expect(body).toContain("A payment is open");
    expect(body).toContain('href="/pay?a=1&#38;b=2"');
  });

  it("loads nothing, runs nothing, and escapes what it was given", () => {
    const hostile: Denial = { ...denial, currency: "<script>alert(1)</script>", actionUrl: '"><img src=x>' };
    const { headers, body } = denialMessage(hostile, navigation);
    expect(headers["content-security-policy"]).toBe("default-src 'none'; style-src 'unsafe-inline'");
    expect(body).not.toMatch(/<(script|img)/);
  });

  it("says when to come back where the service cannot tell", () => {
    const outage: Denial = {
      ...denial,
      code: "upstream_unavailable",
      status: 503,
      retryable: true,
      retryAfter: 1,
    };
    const { headers, body } = denialMessage(outage, navigation);
    expect(headers["retry-after"]).toBe("1");
    expect(body).toContain("Nothing has been charged");
  });

  it("is recognised by its headers", () => {
    const type = (given: Record<string, string>) =>
      denialMessage(denial, headers(given)).headers["content-type"];
    expect(type({ "sec-fetch-mode": "navigate" })).toContain("text/html");
    expect(type({ accept: "text/html" })).toContain("text/html");
    expect(type({ "sec-fetch-mode": "cors", accept: "text/html" })).toBe("application/problem+json");
    expect(type({ accept: "*/*" })).toBe("application/problem+json");
    expect(type({})).toBe("application/problem+json");
  });

  it("is what toResponse() makes of such a request", async () => {
    const scene = createScene();
    scene.service.fund("alice", { ai_credits: wallet() });
    const decision = await scene.authorize(1);
    if (decision.allowed) throw new Error("allowed");
    const response = decision.toResponse(
      new Request("http://a.example/", { headers: { accept: "text/html" } }),
    );
    expect(response.headers.get("content-type")).toContain("text/html");
    expect(decision.toResponse().headers.get("content-type")).toBe("application/problem+json");
  });
});

describe("the page of a bundle for the edge", () => {
  it("says what is wrong and where to go, and takes no markup from the address", () => {
    const page = denialPage({ ...denial, actionUrl: '/billing?"><script>' });
    expect(page).toMatch(/^<!doctype html>/);
    expect(page).toContain("<h1>Not enough credits</h1>");
    expect(page).toContain('<a href="/billing?&#34;&#62;&#60;script&#62;">Continue</a>');
    expect(denialPage(denial)).not.toContain("<a");
  });
});
