import { type Answer, isCreditgateError } from "@creditgate/client";
import { createAdmission } from "@creditgate/core/adapter";
import { describe, expect, it } from "vitest";
import { watchSetup } from "../src/service-check/absent.ts";
import {
  answer,
  createPrepaidScene,
  createScene,
  outcome,
  pending,
  type Scene,
  type SceneOptions,
  status,
  wallet,
} from "./service.ts";

const indicator = { name: "message", billing: "CREDITS", currency: "ai_credits", price: { perEvent: "1" } };
const chat = { agentId: "chat", indicators: [indicator] };

/** A scene whose service lists its agents, and how often it was asked to. */
function listing(agents: readonly unknown[], options: SceneOptions = {}) {
  const scene = createPrepaidScene(10_000, options);
  let asked = 0;
  scene.service.agents = async () => {
    asked++;
    return agents;
  };
  return { scene, asked: () => asked };
}

/** What the gate has told of its set-up. */
function setup({ emitted }: Pick<Scene, "emitted">): readonly string[] {
  return emitted("degraded").flatMap(({ what, error }) =>
    what === "setup" && isCreditgateError(error) ? [error.message] : [],
  );
}

function ask({ gate }: Scene, names: { customerId?: string; agentId?: string; indicator?: string } = {}) {
  return gate.authorize({ customerId: "alice", agentId: "chat", indicator: "message", hold: 1, ...names });
}

async function outcomes(scene: Scene, times: number, names?: Parameters<typeof ask>[1]) {
  const all: string[] = [];
  for (let time = 0; time < times; time++) all.push(outcome(await ask(scene, names)));
  return all;
}

const unknownIndicator =
  'indicator "massage" of agent "chat": the service does not know "massage"; did you mean "message"? correct indicator, or create it at the service: usage of one that is not known is never billed';

describe("the check beside the first request", () => {
  it("asks the service once, with the first request and not before", async () => {
    const { scene, asked } = listing([chat]);
    await scene.clock.advance(1_000);
    expect(asked()).toBe(0);
    expect(await outcomes(scene, 3)).toEqual(["allowed", "allowed", "allowed"]);
    expect(asked()).toBe(1);
    expect(scene.emitted("degraded")).toEqual([]);
  });

  it("denies the very work that it finds unknown before the balance has come, and holds nothing for it", async () => {
    const { scene } = listing([chat]);
    const listed = pending<readonly unknown[]>();
    const balance = pending<Answer>();
    scene.service.agents = () => listed.promise;
    scene.service.onBalance = () => balance.promise;
    const first = ask(scene, { indicator: "massage" });
    await scene.clock.advance(0);
    expect(scene.service.balanceRequests).toEqual(["alice"]);
    listed.resolve([chat]);
    await scene.clock.advance(0);
    balance.resolve(answer({ balances: { ai_credits: wallet({ available: 10 }) } }));
    expect(outcome(await first)).toBe("unbillable");
    expect(await outcomes(scene, 2, { indicator: "massage" })).toEqual(["unbillable", "unbillable"]);
    expect(setup(scene)).toEqual([unknownIndicator]);
    expect(scene.service.reports).toEqual([]);
    expect(await scene.gate.balance("alice")).toMatchObject({ held: 0 });
    // Work of the right name goes on.
    expect(await outcomes(scene, 1)).toEqual(["allowed"]);
  });

  it("keeps no request waiting: what comes before its answer is let in, what comes after is not", async () => {
    const { scene } = listing([chat]);
    const { promise, resolve } = pending<readonly unknown[]>();
    scene.service.agents = () => promise;
    expect(await outcomes(scene, 2, { indicator: "massage" })).toEqual(["allowed", "allowed"]);
    resolve([chat]);
    await scene.clock.advance(0);
    expect(await outcomes(scene, 1, { indicator: "massage" })).toEqual(["unbillable"]);
    expect(await outcomes(scene, 1, { indicator: "massage", customerId: "bob" })).toEqual(["unbillable"]);
  });

  it("lets one piece of unknown work in after a minute, and all once the service has taken its usage", async () => {
    const { scene } = listing([chat]);
    expect(await outcomes(scene, 1, { indicator: "massage" })).toEqual(["unbillable"]);
    await scene.clock.advance(60_000);
    const decision = await ask(scene, { indicator: "massage" });
    if (!decision.allowed) throw new Error(decision.denial.code);
    expect(await outcomes(scene, 1, { indicator: "massage" })).toEqual(["unbillable"]);
    decision.charge.report({ inputTokens: 1 });
    await decision.charge.settle();
    await scene.clock.advance(0);
    expect(await outcomes(scene, 2, { indicator: "massage" })).toEqual(["allowed", "allowed"]);
  });

  it("finds an unknown agent, another currency, and a price that undercuts, each by what adapters expect", async () => {
    const voice = { name: "call", billing: "CREDITS", currency: "voice_credits", price: {} };
    const agents = [{ agentId: "chat", indicators: [indicator, voice] }];
    const { scene, asked } = listing(agents, { price: () => 0.5 });
    const mount = (agentId: string, indicator: string | (() => string)) =>
      createAdmission<object>(scene.gate, { customer: "alice", agentId, indicator, hold: 1 });
    mount("chaat", "message");
    mount("speech", () => "message");
    mount("chat", "call");
    expect(asked()).toBe(0);
    await outcomes(scene, 1);
    expect(setup(scene)).toEqual([
      'agentId "chaat": the service does not know "chaat"; did you mean "chat"? correct agentId, or create the agent at the service',
      'agentId "speech": the service does not know "speech"; correct agentId, or create the agent at the service',
      'indicator "call" of agent "chat": the indicator debits "voice_credits", not "ai_credits"; bill the indicator in CREDITS and in "ai_credits": its usage is accepted, and never debited',
      expect.stringMatching(/^indicator "message" of agent "chat": price\(\) says 0.5 for /),
    ]);
    // Its own request has not come yet.
    expect(await outcomes(scene, 1, { agentId: "chaat" })).toEqual(["unbillable"]);
    expect(asked()).toBe(1);
    // As a framework does that loads a route when it is first asked for.
    mount("chat", "massage");
    await scene.clock.advance(0);
    expect(asked()).toBe(2);
    expect(setup(scene)[4]).toBe(unknownIndicator);
  });

  it.each<[string, () => Promise<readonly unknown[]>]>([
    ["cannot be reached", () => Promise.reject(new Error("ECONNREFUSED"))],
    ["refuses the key for this", () => Promise.reject(status(403))],
    ["does not say what its agents are called", async () => [{ name: "Chat" }]],
    ["does not list indicators", async () => [{ agentId: "chat" }]],
  ])("says nothing, and denies nothing, where the service %s", async (_, agents) => {
    const { scene } = listing([]);
    scene.service.agents = agents;
    expect(await outcomes(scene, 2)).toEqual(["allowed", "allowed"]);
    expect(scene.emitted("degraded")).toEqual([]);
  });

  const many = Array.from({ length: 5_001 }, (_, index) => ({ agentId: `agent ${index}`, indicators: [] }));
  const page = (agents: readonly unknown[], size: number) => async (number: number) => ({
    agents: agents.slice((number - 1) * size, number * size),
  });

  it.each<[string, (number: number) => Promise<object>]>([
    ["lists no more than 50 at once", page([...many.slice(0, 120), chat], 50)],
    ["ignores which page is asked for", async () => ({ agents: many.slice(0, 100) })],
    ["has more agents than are read", page([...many, chat], 100)],
    ["says that it has more than it lists", async () => ({ agents: many.slice(0, 1), limit: 100, total: 3 })],
    [
      "has more agents than are read, and says so",
      async (n) => ({ ...(await page([...many, chat], 100)(n)), limit: 100 }),
    ],
  ])("denies nothing as unknown where the service %s", async (_, agents) => {
    const { scene } = listing([]);
    scene.service.agents = agents;
    await outcomes(scene, 1);
    await scene.clock.advance(0);
    expect(await outcomes(scene, 1)).toEqual(["allowed"]);
    expect(scene.emitted("degraded")).toEqual([]);
  });

  it.each<[string, (number: number) => Promise<object>]>([
    ["in pages that are smaller than asked for", page(many.slice(0, 60), 50)],
    ["in one, whichever page is asked for", async () => ({ agents: many.slice(0, 60) })],
  ])("knows what the service does not list %s", async (_, agents) => {
    const { scene } = listing([]);
    scene.service.agents = agents;
    await outcomes(scene, 1);
    await scene.clock.advance(0);
    expect(await outcomes(scene, 1)).toEqual(["unbillable"]);
  });

  it("does not keep close() waiting", async () => {
    const { scene } = listing([chat]);
    scene.service.agents = () => new Promise(() => {});
    const charge = await scene.admit(1);
    await charge.release();
    expect(await scene.gate.close({ graceMs: 1_000 })).toMatchObject({ open: 0 });
    expect(scene.clock.now()).toBe(0);
  });

  it.each<[string, SceneOptions]>([
    ["with check: false", { check: false }],
    ["by default with onUndelivered", { onUndelivered: () => {} }],
  ])("is off %s", async (_, options) => {
    const { scene, asked } = listing([chat], options);
    expect(await outcomes(scene, 2, { indicator: "massage" })).toEqual(["allowed", "allowed"]);
    expect(asked()).toBe(0);
  });

  it("is not in a bundle for the edge", () => {
    expect(watchSetup()).toBeUndefined();
  });
});

describe("denials that show a set-up which is wrong", () => {
  it("are those of a customer that the service does not know", async () => {
    const scene = createScene();
    expect(await outcomes(scene, 1, { customerId: "bob" })).toEqual(["customer_unknown"]);
    expect(scene.emitted("degraded")).toMatchObject([{ what: "setup", customerId: "bob" }]);
    expect(setup(scene)).toEqual([
      'customerId: the service does not know "bob"; create the customer at sign-up, with customers.createOrGet(), or correct its id',
    ]);
  });

  it("are three without a customer, while no request has had one", async () => {
    const scene = createPrepaidScene(10);
    await outcomes(scene, 2, { customerId: "" });
    expect(setup(scene)).toEqual([]);
    await outcomes(scene, 1, { customerId: "" });
    expect(setup(scene)).toEqual([
      "customer: none of the 3 requests so far had one; return the id of the signed-in customer from the option customer",
    ]);
    await outcomes(scene, 1);
    await outcomes(scene, 3, { customerId: "" });
    expect(setup(scene)).toHaveLength(1);
  });

  const poor = { ann: 40, ben: 90, cem: 0.5, dan: 0 };

  function poorScene(options: SceneOptions = {}): Scene {
    const scene = createScene({ actionTimeoutMs: 0, minRefreshMs: 0, ...options });
    for (const [name, available] of Object.entries(poor))
      scene.service.fund(name, { ai_credits: wallet({ available }) });
    return scene;
  }

  it("are those of a hold that is above three wallets, while nothing was let in", async () => {
    const scene = poorScene();
    const denied = async (customer: string) =>
      expect(outcome(await scene.authorize(91, customer))).toBe("insufficient_credits");
    for (const customer of ["ann", "ann", "ann", "dan", "ben"]) await denied(customer);
    expect(setup(scene)).toEqual([]);
    await denied("cem");
    expect(setup(scene)).toEqual([
      "hold: no request has been let in, for the smallest needs 91 credits, and the largest wallet so far has 90; hold what one request may cost at most, or { min, max }",
    ]);
  });

  it("are not those of wallets that are used up, where others have more, or something was let in", async () => {
    const other = poorScene();
    for (const [customer, hold] of [
      ["ann", 41],
      ["ben", 91],
      ["cem", 1],
    ] as const)
      await other.authorize(hold, customer);
    expect(setup(other)).toEqual([]);

    const served = poorScene();
    await served.admit(90, "ben");
    for (const customer of ["ann", "cem", "ben"]) await served.authorize(91, customer);
    expect(setup(served)).toEqual([]);
  });

  it("are told in observe mode too", async () => {
    const scene = createScene({ mode: "observe" });
    expect(await outcomes(scene, 1, { customerId: "bob" })).toEqual(["allowed"]);
    expect(setup(scene)).toHaveLength(1);
  });
});
