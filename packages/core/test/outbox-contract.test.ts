import { createMemoryOutbox, type Outbox } from "@creditgate/core";
import { testOutbox } from "@creditgate/core/testing";
import { describe, expect, it } from "vitest";

const maxReports = 5;

testOutbox(
  "memory",
  { create: () => ({ outbox: createMemoryOutbox({ maxReports }), maxReports }), lasting: false },
  { describe, it },
);

/** The names of the behaviours that an outbox does not show. */
async function failures(change: (outbox: Outbox) => Partial<Outbox>): Promise<readonly string[]> {
  const checks: { readonly name: string; readonly body: () => Promise<void> }[] = [];
  const runner = {
    describe: (_: string, body: () => void) => body(),
    it: (name: string, body: () => Promise<void>) => checks.push({ name, body }),
  };
  const create = () => {
    const outbox = createMemoryOutbox({ maxReports });
    return {
      outbox: Object.assign(outbox, change(Object.assign(Object.create(outbox), bound(outbox)))),
      maxReports,
    };
  };
  testOutbox("broken", { create, lasting: false }, runner);
  const outcomes = await Promise.allSettled(checks.map(({ body }) => body()));
  return checks.filter((_, at) => outcomes[at]?.status === "rejected").map(({ name }) => name);
}

/** The methods as they are, for the changed ones to build on. */
function bound(outbox: Outbox): Partial<Outbox> {
  return {
    append: outbox.append.bind(outbox),
    next: outbox.next.bind(outbox),
    delivered: outbox.delivered.bind(outbox),
    requeue: outbox.requeue.bind(outbox),
    park: outbox.park.bind(outbox),
    unpark: outbox.unpark.bind(outbox),
  };
}

describe("testOutbox", () => {
  it.each<[string, (outbox: Outbox) => Partial<Outbox>]>([
    [
      "drops the second report of a bill",
      (outbox) => ({ append: ([first]) => outbox.append(first === undefined ? [] : [first]) }),
    ],
    ["gives too many", (outbox) => ({ next: (limit, eligible) => outbox.next(limit + 1, eligible) })],
    ["gives what is not eligible", (outbox) => ({ next: (limit) => outbox.next(limit, () => true) })],
    [
      "looks only at the front",
      (outbox) => ({
        next: async (limit, eligible) =>
          (await outbox.next(100, () => true)).filter(({ id }) => eligible(id)).slice(0, limit),
      }),
    ],
    ["keeps what was delivered", () => ({ delivered: async () => {} })],
    ["forgets what was parked", (outbox) => ({ park: (id) => outbox.delivered(id, 0) })],
    ["leaves requeued reports where they are", () => ({ requeue: async () => {} })],
    ["never takes parked reports back", () => ({ unpark: async () => {} })],
  ])("notices an outbox that %s", async (_, change) => {
    expect(await failures(change)).not.toEqual([]);
  });

  it("finds nothing wrong with one that is sound", async () => {
    expect(await failures(() => ({}))).toEqual([]);
  });
});
