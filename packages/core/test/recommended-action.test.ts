import { describe, expect, it } from "vitest";
import { createScene, hangs, pending, type Scene, status, wallet } from "./service.ts";

async function denial(scene: Scene, customerId = "alice") {
  const decision = await scene.authorize(1, customerId);
  if (decision.allowed) throw new Error("allowed");
  return decision.denial;
}

function brokeScene(options: Parameters<typeof createScene>[0] = {}): Scene {
  const scene = createScene({ minRefreshMs: 0, ...options });
  for (const customer of ["alice", "bob"]) scene.service.fund(customer, { ai_credits: wallet() });
  return scene;
}

describe("the recommended action of a 402", () => {
  it("is what the subscription endpoint says (API 4.3)", async () => {
    const scene = brokeScene();
    scene.service.onSubscription = async () => ({ recommendedAction: "complete_payment" });
    expect(await denial(scene)).toMatchObject({ status: 402, recommendedAction: "complete_payment" });
  });

  it("is asked once for ten seconds and each customer", async () => {
    const scene = brokeScene();
    let asked = 0;
    scene.service.onSubscription = async () => ({
      recommendedAction: ++asked === 1 ? "upgrade" : "create_order",
    });
    // lru-cache takes the instant 0 for "never".
    await scene.clock.advance(1);
    await denial(scene);
    await scene.clock.advance(9_999);
    expect(await denial(scene)).toMatchObject({ recommendedAction: "upgrade" });
    expect(asked).toBe(1);
    await scene.clock.advance(2);
    expect(await denial(scene)).toMatchObject({ recommendedAction: "create_order" });
    await denial(scene, "bob");
    expect(asked).toBe(3);
  });

  it("is asked once by requests that are denied together", async () => {
    const scene = brokeScene();
    const answer = pending<unknown>();
    let asked = 0;
    scene.service.onSubscription = () => {
      asked++;
      return answer.promise;
    };
    const denials = [denial(scene), denial(scene)];
    await scene.clock.advance(0);
    answer.resolve({ recommendedAction: "upgrade" });
    for (const one of await Promise.all(denials)) expect(one).toMatchObject({ recommendedAction: "upgrade" });
    expect(asked).toBe(1);
  });

  it("is left out when it does not come within actionTimeoutMs, and the decision stands", async () => {
    const scene = brokeScene({ actionTimeoutMs: 150 });
    scene.service.onSubscription = hangs;
    const denied = denial(scene);
    await scene.clock.advance(149);
    let over = false;
    void denied.then(() => {
      over = true;
    });
    await scene.clock.advance(0);
    expect(over).toBe(false);
    await scene.clock.advance(1);
    expect(await denied).toMatchObject({ code: "insufficient_credits" });
    expect(await denied).not.toHaveProperty("recommendedAction");
  });

  it.each([
    ["fails", () => Promise.reject(status(500))],
    ["answers something else", async () => ({ state: "active" })],
    ["answers markup", async () => ({ recommendedAction: "<script>" })],
    ["answers no word", async () => ({ recommendedAction: 7 })],
    ["answers nothing", async () => undefined],
  ])("is left out when the service %s", async (_case, onSubscription: () => Promise<unknown>) => {
    const scene = brokeScene();
    scene.service.onSubscription = onSubscription;
    expect(await denial(scene)).not.toHaveProperty("recommendedAction");
  });

  it("is not asked for with actionTimeoutMs 0, nor for a 503", async () => {
    let asked = 0;
    const off = brokeScene({ actionTimeoutMs: 0 });
    off.service.onSubscription = async () => ++asked;
    await denial(off);
    const down = brokeScene();
    down.service.onSubscription = async () => ++asked;
    down.service.onBalance = () => Promise.reject(status(500));
    expect(await denial(down)).toMatchObject({ status: 503 });
    expect(asked).toBe(0);
  });
});

describe("actionUrl", () => {
  it("goes with a 402 as it is", async () => {
    const scene = brokeScene({ actionUrl: "/billing" });
    expect(await denial(scene)).toMatchObject({ actionUrl: "/billing" });
  });

  it("may be a function of the denial", async () => {
    const scene = brokeScene({ actionUrl: (denied) => `/billing/${denied.recommendedAction}` });
    scene.service.onSubscription = async () => ({ recommendedAction: "upgrade" });
    expect(await denial(scene)).toMatchObject({ actionUrl: "/billing/upgrade" });
  });

  it("is left out when the function throws, and an event tells", async () => {
    const scene = brokeScene({
      actionUrl: () => {
        throw new Error("no idea");
      },
    });
    expect(await denial(scene)).not.toHaveProperty("actionUrl");
    expect(scene.emitted("degraded")).toMatchObject([{ what: "action", customerId: "alice" }]);
  });
});
