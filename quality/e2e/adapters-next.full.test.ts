import { AdapterControlPlane, type AdapterOnTrial, type RunningServer } from "@creditgate/conformance";
import { startControlPlane } from "@creditgate/control-plane/testing";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { sendAction, sendActionAsRequest } from "./adapters-next-action.ts";
import { NextApp } from "./adapters-next-app.ts";
import { send, serve } from "./adapters-node.ts";
import { testAdapter } from "./adapters-runner.ts";
import { expectAsShown, startFixture, startPage } from "./start-pages.ts";

/** 14 or 15: an earlier major than that of the workspace. */
const major = process.env.CREDITGATE_NEXT;
const hasAfter = major !== "14";
const page = startPage("nextjs");
let next: NextApp;
let act: string;

beforeAll(async () => {
  next = await NextApp.build(major, page.files);
  act = await next.actionId();
}, 600_000);
afterAll(() => next.remove());

async function start(controlPlaneUrl: string, path: string): Promise<RunningServer> {
  const server = await next.start({ CONTROL_PLANE_URL: controlPlaneUrl });
  return { ...server, url: server.url + path };
}

testAdapter("Next.js route handlers", { start: (url) => start(url, "/trial"), serve, send, onWeb: true });
testAdapter("Next.js API routes", { start: (url) => start(url, "/api/pages"), serve, send, onNode: true });

testAdapter("Next.js route handlers, work in after()", {
  start: (url) => start(url, "/trial"),
  serve,
  send: (url, { headers, ...request }) =>
    send(url, {
      ...request,
      headers: url.endsWith("/state") ? headers : { ...headers, "x-after": "function" },
    }),
  onWeb: true,
  endingsAlone: true,
  impossible({ body, ending }) {
    if (!hasAfter) return "Next 14 has no after()";
    if (body.includes("stream")) return "work in after() fills no body";
    if (ending === "read to its end" || ending.startsWith("handler throws")) return undefined;
    return "the answer is there before work in after() begins";
  },
});

const actions: AdapterOnTrial = {
  start: (url) => start(url, ""),
  serve,
  async send(url, request) {
    const { origin, pathname } = new URL(url);
    if (pathname === "/state") return send(`${origin}/trial/state`, request);
    return sendActionAsRequest(`${origin}/action`, act, request);
  },
  onWeb: true,
  endingsAlone: true,
  impossible({ request, body, ending }) {
    if (request !== "POST") return "an action is a POST, and chooses no status";
    if (ending.includes("another") || ending.includes("replaces")) return "Next alone answers an action";
    if (ending === "handler throws, the answer is 200") return "Next alone answers an action";
    if (ending === "client disconnects before the headers")
      return "an action is not told that its client has disconnected";
    if (ending === "client stops reading, then disconnects" && body.includes("cancelled")) {
      return "React reads all of a stream, whatever its client takes";
    }
    if (body.includes("stream") && !hasAfter) return "an action of Next 14 returns no stream";
    return undefined;
  },
};
testAdapter("Next.js server actions", actions);

describe("a built Next.js app", () => {
  const plane = new AdapterControlPlane();
  let service: RunningServer;
  let app: RunningServer;
  beforeAll(async () => {
    service = await serve((request) => plane.handle(request));
    app = await start(service.url, "");
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
    const response = await sendAction(`${app.url}/action`, act, { headers });
    const outcome = /^\d+:(\{"allowed".*\})$/m.exec(await response.text())?.[1];
    return JSON.parse(outcome ?? "null");
  }

  it("answers 402, then 200, as the page to start from shows", async () => {
    const adminToken = "cga_a-token-for-these-tests";
    const controlPlane = await startControlPlane({ fixture: startFixture, adminToken });
    onTestFinished(() => controlPlane.stop());
    const { baseUrl, apiKey } = controlPlane;
    const environment = { CREDITGATE_BASE_URL: baseUrl, CREDITGATE_API_KEY: apiKey };
    const started = await next.start(environment);
    onTestFinished(async () => {
      await started.close();
    });
    await expectAsShown(page, {
      url: started.url,
      customer: "bob",
      environment: { ...environment, CREDITGATE_ADMIN_TOKEN: adminToken },
    });
    const available = async () => (await controlPlane.balance("bob")).ai_credits?.available;
    await vi.waitUntil(async () => (await available()) === 7.5, { timeout: 30_000 });
  });

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

  it("gates an action that a form calls without a script", async () => {
    const call = async (customer: string, fields: Record<string, string>) => {
      const form = new FormData();
      form.set(`$ACTION_ID_${act}`, "");
      for (const [name, value] of Object.entries({ ...asking(customer), ...fields })) form.set(name, value);
      const response = await fetch(`${app.url}/action`, { method: "POST", body: form });
      await response.arrayBuffer();
    };
    await call("poor form", { "x-hold": "11" });
    expect(await stateOf("poor form")).toMatchObject({ reached: 0 });
    await call("form", {});
    await vi.waitUntil(() => plane.billed("form").length === 1, { timeout: 30_000 });
    expect(await stateOf("form")).toMatchObject({ reached: 1, held: 0, settlements: 1, late: 0 });
  });

  it("holds for an action whose client has disconnected until it has ended, and bills it once", async () => {
    const customer = "left action";
    const work = { work: { body: "text", heeds: "nothing" } };
    const asked = { ...asking(customer, { ...work, reports: [] }), "x-hold": "10" };
    const client = new AbortController();
    const answering = sendAction(`${app.url}/action`, act, { headers: asked, signal: client.signal });
    answering.catch(() => {});
    await plane.reached(customer, "work");
    client.abort();
    expect(await callAction(asked)).toMatchObject({ allowed: false });
    plane.pass(customer, "work");
    await vi.waitUntil(() => plane.billed(customer).length > 0, { timeout: 30_000 });
    await vi.waitUntil(async () => (await stateOf(customer)).held === 0, { timeout: 30_000 });
    expect(await stateOf(customer)).toMatchObject({ reached: 1, peak: 1, settlements: 1, late: 0 });
    expect(plane.billed(customer)).toEqual(["m"]);
  });

  it.runIf(hasAfter)("holds for an iterable that an action has returned while it is read", async () => {
    const customer = "iterable";
    const plan = { work: { body: "stream", heeds: "cancel" }, reports: [] };
    const asked = { ...asking(customer, plan), "x-hold": "10", "x-iterable": "1" };
    const answer = await sendAction(`${app.url}/action`, act, { headers: asked });
    await plane.reached(customer, "work");
    expect(await callAction(asked)).toMatchObject({ allowed: false });
    plane.pass(customer, "work");
    await answer.text();
    await vi.waitUntil(() => plane.billed(customer).length > 0, { timeout: 30_000 });
    expect(await stateOf(customer)).toMatchObject({ held: 0, peak: 1, settlements: 1, late: 0 });
  });

  describe.runIf(hasAfter).each(["a route handler", "an action"])("in after() of %s", (kind) => {
    it.each(
      ["function", "promise"].flatMap((task) =>
        ["answers", "throws", ...(task === "promise" && kind !== "an action" ? ["left"] : [])].map(
          (ends) => ({
            task,
            ends,
          }),
        ),
      ),
    )("holds for a $task, and bills it once, where the handler ends so: $ends", async ({ task, ends }) => {
      const customer = `after ${kind} ${task} ${ends}`.replaceAll(" ", "-");
      const plan = { work: { body: "text", heeds: "nothing" }, reports: [] };
      const headers = { ...asking(customer, plan), "x-hold": "10", "x-after": task, "x-ends": ends };
      const client = new AbortController();
      const ask = (signal?: AbortSignal): Promise<Response> =>
        kind === "an action"
          ? sendActionAsRequest(`${app.url}/action`, act, { headers, signal })
          : send(`${app.url}/trial/reported`, { method: "POST", headers, signal });
      const answering = ask(client.signal);
      answering.catch(() => {});
      if (ends !== "left") {
        const response = await answering;
        expect(response.status).toBe(ends === "throws" ? 500 : 200);
        await response.arrayBuffer();
      }
      await plane.reached(customer, "work");
      client.abort();
      for (const denied of await Promise.all([ask(), ask()])) expect(denied.status).toBe(402);
      plane.pass(customer, "work");
      await vi.waitUntil(() => plane.billed(customer).length > 0, { timeout: 30_000 });
      await vi.waitUntil(async () => (await stateOf(customer)).held === 0, { timeout: 30_000 });
      expect(await stateOf(customer)).toMatchObject({ reached: 1, peak: 1, settlements: 1, late: 0 });
      expect(plane.billed(customer)).toEqual(["m"]);
    });
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
    // Each method meets each target and each variant.
    const methods = ["GET", "POST", "HEAD", "OPTIONS"];
    for (const [turn, variant] of headerVariants.entries()) {
      await Promise.all(
        pathVariants(path).map(async (target, at) => {
          const method = methods[(turn + at) % methods.length] ?? "GET";
          const response = await send(app.url + target, {
            method,
            headers: { ...asking("broke"), ...variant },
          });
          expect([target, variant, method, await response.text()]).not.toContain("done");
        }),
      );
    }
    expect(await stateOf("broke")).toMatchObject({ reached: 0 });
  });
});
