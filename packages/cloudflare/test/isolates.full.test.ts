import { afterEach, describe, expect, it } from "vitest";
import { World } from "./world.ts";

/** `npm run test:isolates` has forty. */
const isolates = Number(process.env.CREDITGATE_ISOLATES ?? "10");

let world: World;
afterEach(() => world.stop());

describe(`${isolates} isolates on one wallet`, () => {
  it.each([
    { service: "tells what it has not settled", extended: true },
    { service: "tells nothing", extended: false },
  ])("admit exactly what it can pay, where the service $service", async ({ extended }) => {
    world = new World({ isolates, gate: { settlementLagMs: 300, wallet: "prepaid" } });
    await world.start();
    world.service.manners.extended = extended;
    world.service.manners.lagMs = 150;
    // 200 times 7, and a rest that pays for nothing.
    world.service.give("team", 1_406);

    let admitted = 0;
    for (let count = 320 / isolates, isOver = false; !isOver; count = 1) {
      const outcomes = await Promise.all(
        Array.from({ length: isolates }, (_, isolate) => world.many(isolate, count, "team", 7)),
      );
      const more = outcomes.reduce((sum, outcome) => sum + (outcome.admitted ?? 0), 0);
      admitted += more;
      expect(admitted).toBeLessThanOrEqual(200);
      // What is on its way counts twice for a moment: only when all is debited a denial is the last word.
      const { works, queued, unconfirmed } = await world.status("team");
      isOver = more === 0 && works === 0 && queued === 0 && unconfirmed === 0;
    }

    expect(admitted).toBe(200);
    expect(world.service.spent("team")).toBe(1_400);
    expect(new Set(world.service.posts).size).toBe(200);
  });
});

describe(`${isolates} isolates, and an object that is evicted again and again`, () => {
  it("admit exactly what a team and its members may spend", async () => {
    world = new World({ isolates, gate: { settlementLagMs: 300, wallet: "prepaid" } });
    await world.start();
    world.service.manners.lagMs = 150;
    world.service.give("company", 10_000);
    const limits = { "member:0": 70, "member:1": 140, "member:2": 700, "team:a": 490 };
    for (const [key, limit] of Object.entries(limits)) world.service.limit("company", key, limit + 6);

    const admitted = [0, 0, 0];
    for (let isOver = false; !isOver; ) {
      const evicted = world.evict("company");
      const outcomes = await Promise.all(
        Array.from({ length: isolates }, async (_, isolate) => {
          const member = isolate % 3;
          const outcome = await world.many(isolate, 6, "company", 7, ["team:a", `member:${member}`]);
          return [member, outcome.admitted ?? 0] as const;
        }),
      );
      await evicted;
      let more = 0;
      for (const [member, count] of outcomes) {
        admitted[member] = (admitted[member] ?? 0) + count;
        more += count;
      }
      // What is on its way counts twice for a moment.
      const { works, queued, unconfirmed } = await world.status("company");
      isOver = more === 0 && works === 0 && queued === 0 && unconfirmed === 0;
    }

    const spent = (key: string) => world.service.spent("company", key);
    expect([0, 1, 2].map((member) => spent(`member:${member}`))).toEqual(admitted.map((count) => 7 * count));
    for (const [key, limit] of Object.entries(limits)) expect(spent(key)).toBeLessThanOrEqual(limit);
    // The team has no room left; of those who came for it, each member got what it may.
    expect(spent("team:a")).toBe(490);
    expect(world.service.spent("company")).toBe(490);
  });
});

describe("an isolate", () => {
  it("reports the parts of a usage that the service has told an object that it takes", async () => {
    world = new World();
    await world.start();
    world.service.give("alice", 100);
    const reported = async (name: string, customerId: string) => {
      expect(await world.begin(name, customerId, 5)).toBe("admitted");
      await world.end(name, 3);
      await world.until(customerId, ({ queued }) => queued === 0);
      return world.service.usages.at(-1);
    };
    expect(await reported("a", "alice")).toEqual({ outputTokens: 3 });
    world.service.manners.usageParts = "reasoningTokens, images";
    world.service.give("bob", 100);
    expect(await reported("b", "bob")).toEqual({ outputTokens: 3, reasoningTokens: 3 });
  });
});
