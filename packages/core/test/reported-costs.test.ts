import { CreditgateError } from "@creditgate/client";
import { createMemoryOutbox } from "@creditgate/core";
import { describe, expect, it, vi } from "vitest";
import { answer, createPrepaidScene, hangs, type Scene, type SceneOptions } from "./service.ts";

/** A gate on a service that tells what each report costs, by its model, in credits of a currency. */
function scene(
  costs: Readonly<Record<string, unknown>>,
  options: SceneOptions & { readonly emitted?: string | null } = {},
): Scene {
  const { emitted = "ai_credits", ...others } = options;
  const it = createPrepaidScene(1_000, others);
  it.service.onUsage = async ({ key, rawUsage }) => {
    const credits = costs[String(rawUsage.model)];
    return answer(credits === undefined ? {} : { credits, currency: emitted }, key);
  };
  return it;
}

/** Bills one piece of work; a model with a price is recorded with that, the others share what is left of the hold. */
async function bill(
  it: Scene,
  hold: number,
  prices: Readonly<Record<string, number | undefined>>,
): Promise<void> {
  const charge = await it.admit(hold);
  for (const [model, credits] of Object.entries(prices)) {
    charge.report({ model }, credits === undefined ? {} : { credits });
  }
  await charge.settle();
  await it.clock.advance(0);
}

const unconfirmed = async ({ gate }: Scene) => (await gate.balance("alice"))?.unconfirmed;

describe("a service that tells what a report costs", () => {
  it("corrects what was recorded for it", async () => {
    const it = scene({ a: 1.5 });
    await bill(it, 10, { a: 2 });
    expect(await unconfirmed(it)).toBe(1.5);
    expect(it.emitted("degraded")).toEqual([]);
  });

  it("corrects one that is unpriced, and recorded with all of the hold", async () => {
    const it = scene({ a: 1.5 });
    await bill(it, 10, { a: undefined });
    expect(await unconfirmed(it)).toBe(1.5);
  });

  it("is believed where it debits more than was recorded, and that is told once for each indicator", async () => {
    const it = scene({ a: 3.5 });
    for (let times = 0; times < 2; times++) await bill(it, 10, { a: 2 });
    expect(await unconfirmed(it)).toBe(7);
    expect(it.emitted("degraded")).toEqual([
      { what: "debit", error: expect.any(CreditgateError), customerId: "alice" },
    ]);
    expect(String(it.emitted("degraded")[0]?.error)).toContain(
      'indicator "message": a report costs 3.5 credits, of which 2 were recorded',
    );
  });

  it.each([
    ["another currency", "gold", 'billed in "gold"'],
    ["none, since the indicator is not in CREDITS", null, "not billed in CREDITS"],
  ])("counts 0 for one that it debits in %s, and that is told once", async (_, emitted, words) => {
    const it = scene({ a: emitted === null ? 0 : 3 }, { emitted });
    for (let times = 0; times < 2; times++) await bill(it, 10, { a: 2 });
    expect(await unconfirmed(it)).toBe(0);
    expect(it.emitted("degraded")).toHaveLength(1);
    expect(String(it.emitted("degraded")[0]?.error)).toContain(
      `indicator "message": expected one that is billed in "ai_credits", received one that is ${words}`,
    );
  });

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY, "1", null, {}])(
    "is not believed where that makes no sense: %j",
    async (credits) => {
      const it = scene({ a: credits });
      await bill(it, 10, { a: 2 });
      expect(await unconfirmed(it)).toBe(2);
      expect(it.service.reports).toHaveLength(1);
    },
  );

  it.each([undefined, 7, ["ai_credits"]])("is not believed with the currency %j", async (currency) => {
    const it = scene({});
    it.service.onUsage = async ({ key }) => answer({ credits: 1, currency }, key);
    await bill(it, 10, { a: 2 });
    expect(await unconfirmed(it)).toBe(2);
  });

  it("rounds a cost up to micro-credits", async () => {
    const it = scene({ a: 0.000_000_1 });
    await bill(it, 10, { a: 2 });
    expect(await unconfirmed(it)).toBe(0.000_001);
  });

  it("corrects a report once, also if it is sent again", async () => {
    const it = scene({ a: 1 });
    const taken = it.service.onUsage;
    await bill(it, 10, { a: 2 });
    it.service.onUsage = async () => {
      it.service.onUsage = taken;
      throw new CreditgateError("connection_lost", "reset");
    };
    await bill(it, 10, { a: 5 });
    await it.clock.advance(250);
    expect(it.service.reports).toHaveLength(3);
    expect(await unconfirmed(it)).toBe(2);
  });

  it("does so in a batch as well", async () => {
    const it = scene({ a: 1, b: 2, c: 3 }, { concurrency: 1 });
    it.service.batchLimit = 500;
    await bill(it, 10, { a: 5 });
    await bill(it, 10, { a: 5, b: 5, c: undefined });
    expect(it.service.posts.map(({ length }) => length)).toEqual([1, 3]);
    expect(await unconfirmed(it)).toBe(7);
  });
});

describe("reports that share an entry", () => {
  it("leave it with what they cost: the others may cost the rest", async () => {
    const it = scene({ a: 3 });
    const answers = it.service.onUsage;
    it.service.onUsage = (report) =>
      report.rawUsage.model === "b" ? hangs() : (answers?.(report) ?? hangs());
    await bill(it, 10, { a: undefined, b: undefined });
    expect(await unconfirmed(it)).toBe(10);
  });

  it("leave nothing of it when all of them are told", async () => {
    const it = scene({ a: 3, b: 4 });
    await bill(it, 10, { a: undefined, b: undefined });
    expect(await unconfirmed(it)).toBe(7);
  });

  it("keep the rest where one of them was not told", async () => {
    for (const costs of [{ a: 3 }, { b: 3 }]) {
      const it = scene(costs);
      await bill(it, 10, { a: undefined, b: undefined });
      expect(await unconfirmed(it)).toBe(10);
    }
  });

  it("take nothing from it below 0", async () => {
    const it = scene({ a: 12, b: 1 });
    await bill(it, 10, { a: undefined, b: undefined });
    expect(await unconfirmed(it)).toBe(13);
    expect(it.emitted("degraded")).toMatchObject([{ what: "debit" }]);
  });

  it("are lowered in the outbox in the step that marks the other delivered", async () => {
    const outbox = createMemoryOutbox();
    const steps: unknown[] = [];
    const delivered = outbox.delivered.bind(outbox);
    vi.spyOn(outbox, "delivered").mockImplementation((reports, rememberMs, lowered) => {
      const entries = [...reports.map(({ entry }) => entry), ...lowered];
      steps.push(entries.map(({ amount }) => amount));
      return delivered(reports, rememberMs, lowered);
    });
    const it = scene({ a: 3, b: 4, c: 2 }, { outbox, concurrency: 1 });
    await bill(it, 10, { a: undefined, b: undefined, c: undefined });
    expect(steps).toEqual([
      [3e6, 7e6],
      [4e6, 3e6],
      [2e6, 0],
    ]);
  });

  it("are lowered once for all that leave in one batch", async () => {
    const outbox = createMemoryOutbox();
    const delivered = vi.spyOn(outbox, "delivered");
    const it = scene({ first: 1, a: 3, b: 4 }, { outbox, concurrency: 1 });
    it.service.batchLimit = 500;
    await bill(it, 10, { first: 1 });
    await bill(it, 10, { a: undefined, b: undefined });
    const [taken, , lowered] = delivered.mock.lastCall ?? [];
    expect(taken?.map(({ entry }) => entry.amount)).toEqual([3e6, 4e6]);
    expect(lowered).toMatchObject([{ amount: 0 }]);
    expect(await unconfirmed(it)).toBe(8);
  });
});
