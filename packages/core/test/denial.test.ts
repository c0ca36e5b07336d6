import { createMemoryOutbox, type Denial, type DenialCode } from "@creditgate/core";
import { denialMessage } from "@creditgate/core/adapter";
import { describe, expect, it } from "vitest";
import { createPrepaidScene, createScene, type Scene, status } from "./service.ts";

async function denied(scene: Scene, hold = 1, customerId = "alice"): Promise<Denial> {
  const decision = await scene.authorize(hold, customerId);
  if (decision.allowed) throw new Error("allowed");
  return decision.denial;
}

/** How a request comes to be denied with each code. */
const ways: readonly [DenialCode, number, () => Promise<Denial>][] = [
  ["customer_unresolved", 401, () => denied(createPrepaidScene(5), 1, "")],
  ["insufficient_credits", 402, () => denied(createPrepaidScene(5), 6)],
  ["wallet_missing", 402, () => denied(createPrepaidScene(5, { currency: "other" }))],
  ["customer_unknown", 402, () => denied(createScene())],
  ["wallet_mismatch", 503, () => denied(createPrepaidScene(5, { wallet: "postpaid" }))],
  [
    "upstream_unavailable",
    503,
    () => {
      const scene = createScene();
      scene.service.onBalance = () => Promise.reject(status(500));
      return denied(scene);
    },
  ],
  [
    "upstream_invalid",
    503,
    () => {
      const scene = createScene();
      scene.service.fund("alice", { ai_credits: [] });
      return denied(scene);
    },
  ],
  [
    "unbillable",
    503,
    async () => {
      const scene = createPrepaidScene(5, { outbox: createMemoryOutbox() });
      scene.service.onUsage = () => Promise.reject(status(404, { problem: { code: "agent_unknown" } }));
      const charge = await scene.admit(1);
      charge.report({});
      await charge.settle();
      await scene.gate.flush({ timeoutMs: 0 });
      return denied(scene);
    },
  ],
  [
    "outbox_full",
    503,
    async () => {
      const scene = createPrepaidScene(5, { outbox: createMemoryOutbox({ maxReports: 1 }) });
      scene.service.onUsage = () => Promise.reject(status(422, { problem: { code: "invalid_request" } }));
      const charge = await scene.admit(1);
      charge.report({});
      await charge.settle();
      return denied(scene);
    },
  ],
  [
    "outbox_unavailable",
    503,
    () => {
      const outbox = Object.defineProperty(createMemoryOutbox(), "failing", { value: true });
      return denied(createPrepaidScene(5, { outbox }));
    },
  ],
  [
    "over_capacity",
    503,
    async () => {
      const scene = createPrepaidScene(5, { maxCustomers: 1 });
      await scene.admit(1);
      return denied(scene, 1, "bob");
    },
  ],
  [
    "closing",
    503,
    () => {
      const scene = createPrepaidScene(5);
      void scene.gate.close();
      return denied(scene);
    },
  ],
];

describe("denialMessage", () => {
  it.each(ways)("answers %s with %i, as problem+json that no one may keep", async (code, status, deny) => {
    const message = denialMessage(await deny());
    expect(message.status).toBe(status);
    expect(message.headers).toMatchObject({
      "content-type": "application/problem+json",
      "cache-control": "no-store",
    });
    expect(JSON.parse(message.body)).toMatchObject({
      type: `urn:creditgate:denial:${code}`,
      code,
      status,
      title: expect.stringMatching(/^[A-Z].+[^.]$/),
      currency: expect.any(String),
      required: expect.any(Number),
    });
  });

  it.each(ways)(
    "gives %s (%i) a Retry-After and retryable if, and only if, it is a 503",
    async (_code, status, deny) => {
      const { headers, body } = denialMessage(await deny());
      expect(headers["retry-after"]).toBe(status === 503 ? "1" : undefined);
      expect(JSON.parse(body)).toMatchObject({ retryable: status === 503 });
    },
  );

  it("tells what was required, what is available, and the difference, in credits", async () => {
    const { body } = denialMessage(await denied(createPrepaidScene(0.1), 0.3));
    expect(JSON.parse(body)).toMatchObject({
      currency: "ai_credits",
      required: 0.3,
      available: 0.1,
      shortfall: 0.2,
    });
  });

  it.each(ways.filter(([code]) => code !== "insufficient_credits"))(
    "does not tell what is available where that is not the reason: %s",
    async (_code, _status, deny) => {
      const problem = JSON.parse(denialMessage(await deny()).body);
      expect(problem).not.toHaveProperty("available");
      expect(problem).not.toHaveProperty("shortfall");
    },
  );

  it("keeps what is not ours out of the headers", async () => {
    const { headers } = denialMessage({ ...(await denied(createScene())), currency: "x\r\nset-cookie: a=b" });
    expect(JSON.stringify(headers)).not.toContain("cookie");
  });
});

describe("toResponse", () => {
  it("is there in a copy of the decision, and needs no receiver", async () => {
    const decision = { ...(await createPrepaidScene(5).authorize(6)) };
    if (decision.allowed) throw new Error("allowed");
    const { toResponse } = decision;
    expect(toResponse().status).toBe(402);
  });

  it("gives the same as a web Response", async () => {
    const decision = await createPrepaidScene(5, { wallet: "postpaid" }).authorize(1);
    if (decision.allowed) throw new Error("allowed");
    const { status, headers, body } = denialMessage(decision.denial);
    const response = decision.toResponse();
    expect(response.status).toBe(status);
    expect(Object.fromEntries(response.headers)).toEqual(headers);
    expect(await response.text()).toBe(body);
  });
});
