import { AdapterControlPlane, type RunningServer, testAdapter } from "@creditgate/core/testing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { NextApp } from "./adapters-next-app.ts";
import { send, serve } from "./adapters-node.ts";
import { runner } from "./adapters-runner.ts";

/** 14 or 15: an earlier major than that of the workspace. */
const major = process.env.CREDITGATE_NEXT;
let next: NextApp;

beforeAll(async () => {
  next = await NextApp.build(major);
}, 600_000);
afterAll(() => next.remove());

async function start(controlPlaneUrl: string, path: string): Promise<RunningServer> {
  const server = await next.start({ CONTROL_PLANE_URL: controlPlaneUrl });
  return { ...server, url: server.url + path };
}

testAdapter(
  "Next.js route handlers",
  { start: (url) => start(url, "/trial"), serve, send, onWeb: true },
  runner,
);
testAdapter(
  "Next.js API routes",
  { start: (url) => start(url, "/api/pages"), serve, send, onNode: true },
  runner,
);

describe("a built Next.js app", () => {
  const plane = new AdapterControlPlane();
  let service: RunningServer;
  let app: RunningServer;
  let act: string;
  beforeAll(async () => {
    service = await serve((request) => plane.handle(request));
    app = await start(service.url, "");
    act = await next.actionId();
  });
  afterAll(async () => {
    await app.close();
    await service.close();
  });

  const asking = (customer: string, plan: object = {}): Record<string, string> => ({
    "x-customer": customer,
    "x-hold": "2",
    "x-plan": JSON.stringify({ run: customer, reports: ["m"], ...plan }),
  });
  const post = (path: string, headers: Record<string, string>) =>
    send(app.url + path, { method: "POST", headers });
  const stateOf = async (customer: string) => {
    const headers = { "x-customer": customer };
    return (await send(`${app.url}/trial/state`, { method: "GET", headers })).json();
  };

  /** As the browser calls an action: its arguments as JSON, and its result in a line of the answer. */
  async function callAction(headers: Record<string, string>): Promise<{ allowed: boolean }> {
    const response = await fetch(`${app.url}/action`, {
      method: "POST",
      headers: { "next-action": act, "content-type": "text/plain;charset=UTF-8" },
      body: JSON.stringify([headers]),
    });
    const outcome = /^\d+:(\{"allowed".*\})$/m.exec(await response.text())?.[1];
    return JSON.parse(outcome ?? "null");
  }

  it("admits to one wallet, through a route handler, an action and an API route, what it can pay for", async () => {
    const headers = asking("raced", { waits: true });
    const answers: boolean[] = [];
    const ways = [
      async () => (await post("/trial/reported", headers)).status === 200,
      async () => (await post("/api/pages/reported", headers)).status === 200,
      async () => (await callAction(headers)).allowed,
    ];
    const asked = Array.from({ length: 18 }, async (_, turn) => {
      const served = await ways[turn % 3]?.();
      answers.push(served === true);
    });
    // Who is served waits, and their holds are what the others are denied for.
    await vi.waitUntil(() => answers.length === 13, { timeout: 50_000 });
    expect(answers).not.toContain(true);
    plane.pass("raced", "answer");
    await Promise.all(asked);
    expect(answers.filter(Boolean)).toHaveLength(5);
    expect(await stateOf("raced")).toMatchObject({ reached: 5, held: 0 });
  });

  it("tells the caller of an action its result, or why there is none", async () => {
    expect(await callAction(asking("actor"))).toEqual({ allowed: true, result: 200 });
    expect(await callAction({ ...asking("actor"), "x-hold": "11" })).toMatchObject({
      allowed: false,
      denial: { code: "insufficient_credits", required: 11, available: expect.any(Number) },
    });
    await vi.waitUntil(() => plane.billed("actor").length === 1, { timeout: 30_000 });
  });

  it("hints in its proxy, which holds and bills nothing", async () => {
    const denied = await post("/hinted", { ...asking("hinted"), "x-hold": "11" });
    expect([denied.status, denied.headers.get("x-answered-by")]).toEqual([402, "proxy"]);
    expect((await post("/hinted", { ...asking("hinted"), "x-hold": "10" })).status).toBe(200);
    await vi.waitUntil(() => plane.billed("hinted").length === 1, { timeout: 30_000 });
    await vi.waitUntil(async () => (await stateOf("hinted")).held === 0, { timeout: 30_000 });
  });

  const paths = ["/trial/reported", "/api/pages/reported", "/hinted"];
  const headerVariants: Record<string, string>[] = [
    { "x-middleware-subrequest": "middleware:middleware:middleware:middleware:middleware" },
    {
      "x-middleware-subrequest": "src/middleware:src/middleware:src/middleware:src/middleware:src/middleware",
    },
    { "x-middleware-subrequest": "proxy:proxy:proxy:proxy:proxy" },
    { "x-middleware-subrequest": "pages/_middleware" },
    { rsc: "1", "next-router-prefetch": "1", "next-router-segment-prefetch": "/_tree" },
    { "x-nextjs-data": "1" },
    {
      "x-matched-path": "/trial/observe",
      "x-now-route-matches": "route=observe",
      "x-invoke-path": "/trial/observe",
    },
    {
      "x-nextjs-rewritten-path": "/trial/observe",
      "x-middleware-rewrite": "/trial/observe",
      "x-middleware-next": "1",
    },
  ];
  const pathVariants = (path: string): string[] => [
    path,
    `${path}.rsc`,
    `${path}.segments/_tree.segment.rsc`,
    `${path}.json`,
    `/_next/data/build${path}.json`,
    `${path}/`,
    `/${path}`,
    path.replace("m", "%6d").replace("h", "%68"),
    path.toUpperCase(),
    `${path}?_rsc=1`,
    `${path}?nxtProute=observe&route=observe`,
    `${path}?__nextDataReq=1`,
    `${path};route=observe`,
    `${path}/..%2fobserve`,
  ];

  it.each(paths)("lets no variant of %s reach an ungated handler", async (path) => {
    plane.give("broke", 0);
    for (const variant of headerVariants) {
      for (const target of pathVariants(path)) {
        for (const method of ["GET", "POST", "HEAD", "OPTIONS"]) {
          const headers = { ...asking("broke"), ...variant };
          const response = await send(app.url + target, { method, headers });
          expect([target, variant, method, await response.text()]).not.toContain("done");
        }
      }
    }
    expect(await stateOf("broke")).toMatchObject({ reached: 0 });
  });
});
