import { testOutbox } from "@creditgate/conformance";
import { createMemoryOutbox, type Outbox } from "@creditgate/core";
import { describe, expect, it } from "vitest";

const maxReports = 5;

testOutbox(
  "memory",
  { create: () => ({ outbox: createMemoryOutbox({ maxReports }), maxReports }), durable: false },
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
  testOutbox("broken", { create, durable: false }, runner);
  const outcomes = await Promise.allSettled(checks.map(({ body }) => body()));
  return checks.filter((_, at) => outcomes[at]?.status === "rejected").map(({ name }) => name);
}

/** The methods as they are, for the changed ones to build on. */
function bound(outbox: Outbox): Partial<Outbox> {
  return {
    append: outbox.append.bind(outbox),
    release: outbox.release.bind(outbox),
    next: outbox.next.bind(outbox),
    delivered: outbox.delivered.bind(outbox),
    requeue: outbox.requeue.bind(outbox),
    park: outbox.park.bind(outbox),
    bury: outbox.bury.bind(outbox),
    unpark: outbox.unpark.bind(outbox),
    retry: outbox.retry.bind(outbox),
  };
}

describe("testOutbox", () => {
  it.each<[string, (outbox: Outbox) => Partial<Outbox>]>([
    [
      "drops the second report of a bill",
      (outbox) => ({ release: ([first]) => outbox.release(first === undefined ? [] : [first]) }),
    ],
    [
      "hands out what is not released",
      (outbox) => ({
        async append(reports) {
          await outbox.append(reports);
          outbox.release(reports);
        },
        release: () => {},
      }),
    ],
    ["gives too many", (outbox) => ({ next: (limit) => outbox.next(limit + 1) })],
    ["gives at most a hundred", (outbox) => ({ next: (limit) => outbox.next(Math.min(100, limit)) })],
    [
      "hands out twice",
      (outbox) => ({
        async next(limit) {
          const next = await outbox.next(limit);
          await outbox.requeue(next);
          return next;
        },
      }),
    ],
    [
      "hands out copies",
      (outbox) => ({ next: async (limit) => (await outbox.next(limit)).map((report) => ({ ...report })) }),
    ],
    ["keeps what was delivered", () => ({ delivered: async () => {} })],
    [
      "forgets all but the first that was delivered",
      (outbox) => ({ delivered: (reports, ...rest) => outbox.delivered(reports.slice(0, 1), ...rest) }),
    ],
    ["forgets what was parked", (outbox) => ({ park: (report) => outbox.delivered([report], 0, []) })],
    ["forgets what is dead", (outbox) => ({ bury: (report) => outbox.delivered([report], 0, []) })],
    ["loses what is requeued", () => ({ requeue: async () => {} })],
    [
      "puts what is requeued in front of the others",
      (outbox) => ({
        async requeue(reports) {
          const others = await outbox.next(10_000);
          await outbox.requeue([...reports, ...others]);
        },
      }),
    ],
    ["never takes parked reports back", () => ({ unpark: async () => {} })],
    ["takes nothing back that an operator wants", () => ({ retry: () => [] })],
    ["takes back what it was not asked for", (outbox) => ({ retry: (ids) => outbox.retry([...ids, "b"]) })],
  ])("notices an outbox that %s", async (_, change) => {
    expect(await failures(change)).not.toEqual([]);
  });

  it("finds nothing wrong with one that is sound", async () => {
    expect(await failures(() => ({}))).toEqual([]);
  });
});
