import { CreditgateError } from "@creditgate/client";
import { createMemoryOutbox } from "@creditgate/core";
import { describe, expect, it, vi } from "vitest";
import {
  answer,
  createPrepaidScene,
  hangs,
  pending,
  type Scene,
  type SceneOptions,
  type SentReport,
  status,
} from "./service.ts";

const lost = new CreditgateError("connection_lost", "reset");
const refusal = status(422, { problem: { code: "invalid_request" } });
const name = ({ rawUsage }: SentReport) => String(rawUsage.model);
/** The names of the reports of each request. */
const posts = ({ service }: Scene) => service.posts.map((post) => post.map(name).join(""));

async function work(scene: Scene, names: string): Promise<void> {
  const charges = await Promise.all([...names].map(() => scene.admit(1)));
  for (const [at, charge] of charges.entries()) charge.report({ model: names[at] }, { credits: 1 });
  await Promise.all(charges.map((charge) => charge.settle()));
}

/** A gate on a service that takes batches. */
function scene(options: SceneOptions = {}): Scene {
  const it = createPrepaidScene(1_000, options);
  it.service.batchLimit = 500;
  return it;
}

/** One that knows that, and whose next batch has these reports. */
async function batchOf(names: string, options: SceneOptions = {}): Promise<Scene> {
  const it = scene({ concurrency: 1, ...options });
  const first = pending<void>();
  it.service.onUsage = async ({ key }) => {
    await first.promise;
    return answer({}, key);
  };
  await work(it, "1");
  await work(it, names);
  it.service.onUsage = undefined;
  first.resolve();
  return it;
}

describe("a batch of usage reports", () => {
  it("has what waits when the service has echoed a key and named its limit", async () => {
    const it = await batchOf("abc");
    await it.clock.advance(0);
    expect(posts(it)).toEqual(["1", "abc"]);
    expect(it.service.posts[1]?.[0]).toEqual({
      key: expect.any(String),
      agentId: "chat",
      customerId: "alice",
      indicator: "message",
      rawUsage: { model: "a" },
    });
    expect(new Set(it.service.reports.map(({ key }) => key)).size).toBe(4);
    expect(await it.gate.flush()).toEqual({ queued: 0, parked: 0, dead: 0 });
    expect(it.emitted("delivered").map(({ report }) => report.rawUsage.model)).toEqual([..."1abc"]);
  });

  it("is written down as delivered in one step", async () => {
    const outbox = createMemoryOutbox();
    const delivered = vi.spyOn(outbox, "delivered");
    const it = await batchOf("abc", { outbox, settlementLagMs: 7_000 });
    await it.clock.advance(0);
    expect(delivered.mock.lastCall).toEqual([
      [..."abc"].map((model) => expect.objectContaining({ rawUsage: { model } })),
      7_000,
      [],
    ]);
  });

  it("is not sent to a service that has not echoed a key: to send it again could count twice", async () => {
    const it = scene({ concurrency: 1, ambiguous: "retry" });
    it.service.onUsage = async () => answer({});
    await work(it, "abc");
    await it.clock.advance(0);
    expect(posts(it)).toEqual(["a", "b", "c"]);
  });

  it("has as many as the service takes", async () => {
    const it = await batchOf("abcde");
    it.service.batchLimit = 2;
    await it.clock.advance(0);
    expect(posts(it)).toEqual(["1", "ab", "cd", "e"]);
  });

  it("is followed 100 ms later where it was not full, and sooner for a flush and for a customer who lacks credits", async () => {
    const it = await batchOf("ab");
    await it.clock.advance(50);
    await work(it, "cd");
    await it.clock.advance(49);
    expect(posts(it)).toEqual(["1", "ab"]);
    await it.clock.advance(1);
    expect(posts(it)).toEqual(["1", "ab", "cd"]);
    await work(it, "e");
    await it.gate.flush();
    expect(posts(it)).toEqual(["1", "ab", "cd", "e"]);
    await it.clock.advance(100);
    await work(it, "fghi");
    await it.clock.advance(0);
    await work(it, "j");
    expect(posts(it).slice(4)).toEqual(["f", "ghi"]);
    void it.authorize(1_000);
    await it.clock.advance(50);
    expect(posts(it).slice(4)).toEqual(["f", "ghi", "j"]);
  });

  it("is not sent any more when the service names no limit", async () => {
    const it = await batchOf("ab");
    await it.clock.advance(0);
    it.service.batchLimit = undefined;
    await work(it, "c");
    await it.clock.advance(100);
    await work(it, "de");
    await it.clock.advance(0);
    expect(posts(it)).toEqual(["1", "ab", "c", "d", "e"]);
  });

  it("is never waited for: what comes alone goes alone, at once", async () => {
    const it = await batchOf("a", { concurrency: 8 });
    await it.clock.advance(0);
    it.service.onUsage = hangs;
    it.service.onBatch = hangs;
    await work(it, "b");
    expect(posts(it).at(-1)).toBe("b");
    await work(it, "c");
    expect(posts(it).at(-1)).toBe("c");
  });

  it("gathers what comes while two requests are on their way", async () => {
    const it = await batchOf("a", { concurrency: 8 });
    await it.clock.advance(0);
    const answered = pending<void>();
    it.service.onUsage = async ({ key }) => {
      await answered.promise;
      return answer({}, key);
    };
    for (const one of "bcdefg") await work(it, one);
    answered.resolve();
    await it.clock.advance(0);
    expect(posts(it).slice(-3)).toEqual(["b", "c", "defg"]);
  });

  it("is not followed by another while it is on its way and had room, unless that is full", async () => {
    const it = await batchOf("ab", { concurrency: 8 });
    await it.clock.advance(0);
    it.service.batchLimit = 3;
    const answered = pending<void>();
    it.service.onUsage = async ({ key }) => {
      await answered.promise;
      return answer({}, key);
    };
    await work(it, "c");
    await work(it, "d");
    await work(it, "ef");
    it.service.onUsage = undefined;
    const batch = pending<void>();
    it.service.onBatch = async (reports) => {
      await batch.promise;
      return answer({ results: reports.map(({ key }) => ({ key, status: 201, body: {} })) });
    };
    answered.resolve();
    await it.clock.advance(0);
    await work(it, "gh");
    expect(posts(it).slice(-3)).toEqual(["c", "d", "ef"]);
    await work(it, "i");
    expect(posts(it).at(-1)).toBe("ghi");
    await work(it, "j");
    batch.resolve();
    expect(await it.gate.flush()).toMatchObject({ queued: 0 });
    expect(posts(it).at(-1)).toBe("j");
  });

  it("gets its answers in any order", async () => {
    const it = await batchOf("abc");
    it.service.onBatch = async (reports) => {
      const results = reports.map((report) =>
        name(report) === "b"
          ? { key: report.key, status: 422, body: { code: "indicator_unknown" } }
          : {
              key: report.key,
              status: 201,
              body: { credits: name(report) === "a" ? 0.25 : 0.5, currency: "ai_credits" },
            },
      );
      return answer({ results: results.reverse() });
    };
    await it.clock.advance(0);
    expect(it.emitted("dead")).toMatchObject([{ report: { rawUsage: { model: "b" } } }]);
    expect(it.emitted("delivered").map(({ report }) => [report.rawUsage.model, report.entry.amount])).toEqual(
      [
        ["1", 1e6],
        ["a", 0.25e6],
        ["c", 0.5e6],
      ],
    );
  });

  it.each(["auto", "park"] as const)(
    "leaves a report without an answer ambiguous, and no other, with ambiguous: %s",
    async (ambiguous) => {
      const it = await batchOf("abc", { ambiguous });
      it.service.onUsage = async ({ key, rawUsage }) => {
        if (rawUsage.model === "b" && it.service.reports.length < 5) throw lost;
        return answer({}, key);
      };
      await it.clock.advance(1_000);
      const parks = ambiguous === "park";
      expect(posts(it)).toEqual(parks ? ["1", "abc"] : ["1", "abc", "b"]);
      expect(it.emitted("parked").map(({ report }) => report.rawUsage.model)).toEqual(parks ? ["b"] : []);
      expect(it.service.posts[2]?.[0]?.key).toBe(parks ? undefined : it.service.posts[1]?.[1]?.key);
      expect(await it.gate.flush()).toEqual({ queued: 0, parked: parks ? 1 : 0, dead: 0 });
    },
  );

  it.each([undefined, null, [], {}, { results: null }, { results: [null, 7, { key: "a" }] }])(
    "that is answered with %j, which is about none of its reports, goes again: singly, with the same keys",
    async (body) => {
      const it = await batchOf("abc");
      it.service.onBatch = async () => answer(body);
      await it.clock.advance(0);
      expect(posts(it)).toEqual(["1", "abc", "a", "b", "c"]);
      const keys = it.service.reports.map(({ key }) => key);
      expect(keys.slice(4)).toEqual(keys.slice(1, 4));
      expect(await it.gate.flush()).toEqual({ queued: 0, parked: 0, dead: 0 });
    },
  );

  it("loses one report to a refusal: it is buried alone", async () => {
    const it = await batchOf("abc");
    it.service.onUsage = async ({ key, rawUsage }) => {
      if (rawUsage.model === "b") throw refusal;
      return answer({}, key);
    };
    await it.clock.advance(100_000);
    expect(posts(it)).toEqual(["1", "abc"]);
    expect(it.emitted("dead")).toMatchObject([
      { report: { rawUsage: { model: "b" } }, error: { status: 422 } },
    ]);
    expect(await it.gate.flush()).toEqual({ queued: 0, parked: 0, dead: 1 });
  });

  it("goes on after many refusals in it, as long as another of its reports is taken", async () => {
    const it = await batchOf("abcdefgh");
    it.service.onUsage = async ({ key, rawUsage }) => {
      if ("abcdefg".includes(String(rawUsage.model))) throw refusal;
      return answer({}, key);
    };
    await it.clock.advance(60_000);
    await work(it, "i");
    await it.clock.advance(0);
    expect(posts(it)).toEqual(["1", "abcdefgh", "i"]);
    expect(it.emitted("degraded")).toEqual([]);
  });

  it("does not pause the queue where all of it is refused", async () => {
    const it = await batchOf("abcde");
    const charge = await it.admit(1);
    it.service.onUsage = () => Promise.reject(refusal);
    await it.clock.advance(0);
    it.service.onUsage = undefined;
    charge.report({ model: "f" });
    await charge.settle();
    await it.clock.advance(100);
    expect(posts(it)).toEqual(["1", "abcde", "f"]);
    expect(await it.gate.flush()).toEqual({ queued: 0, parked: 0, dead: 5 });
  });

  it("sends again alone what the service had no time for", async () => {
    const it = await batchOf("abc");
    let refused = 1;
    it.service.onUsage = async ({ key, rawUsage }) => {
      if (rawUsage.model === "b" && refused-- > 0) throw status(503);
      return answer({}, key);
    };
    await it.clock.advance(250);
    expect(posts(it)).toEqual(["1", "abc", "b"]);
  });

  it("goes on after many failures in it, as long as another of its reports is taken", async () => {
    const it = await batchOf("abcde");
    it.service.onUsage = async ({ key, rawUsage }) => {
      if ("abcd".includes(String(rawUsage.model))) throw status(503);
      return answer({}, key);
    };
    await it.clock.advance(0);
    await work(it, "f");
    await it.clock.advance(100);
    expect(posts(it)).toEqual(["1", "abcde", "f"]);
  });

  describe.each([400, 404, 405, 413, 422])("that is refused as such, with %s", (code) => {
    it.each([undefined, { code: "route_unknown" }, { code: "invalid" }])(
      "concerns the endpoint (%j): its reports go singly, nothing is buried, and a minute later batches go again",
      async (problem) => {
        const it = await batchOf("abc");
        it.service.onBatch = () => Promise.reject(status(code, { problem }));
        await it.clock.advance(0);
        expect(posts(it)).toEqual(["1", "abc", "a", "b", "c"]);
        expect(it.service.posts.slice(2).flat()).toEqual(it.service.posts[1]);
        expect(it.emitted("dead")).toEqual([]);
        expect(it.emitted("degraded")).toEqual([]);
        await it.clock.advance(59_999);
        await work(it, "de");
        await it.clock.advance(0);
        expect(posts(it).slice(5)).toEqual(["d", "e"]);
        await it.clock.advance(1);
        it.service.onBatch = undefined;
        await work(it, "fgh");
        await it.clock.advance(0);
        expect(posts(it).slice(7)).toEqual(["f", "gh"]);
        expect(await it.gate.flush()).toEqual({ queued: 0, parked: 0, dead: 0 });
      },
    );
  });

  it.each([status(503), status(500), status(403), status(415), lost])(
    "that fails as a whole (%s) goes again, singly, with the same keys: its endpoint alone may be ill",
    async (error) => {
      const it = await batchOf("abc");
      it.service.onBatch = () => Promise.reject(error);
      await it.clock.advance(0);
      expect(posts(it)).toEqual(["1", "abc", "a", "b", "c"]);
      const keys = it.service.reports.map(({ key }) => key);
      expect(keys.slice(4)).toEqual(keys.slice(1, 4));
      expect(it.emitted("parked")).toEqual([]);
      expect(await it.gate.flush()).toEqual({ queued: 0, parked: 0, dead: 0 });
      await it.gate.close();
      expect(it.timers()).toBe(0);
    },
  );

  it("has 500 reports at most, whatever the service says", async () => {
    const it = scene({ concurrency: 1 });
    it.service.batchLimit = 1e9;
    await work(it, "1");
    await it.gate.flush();
    await work(it, "a".repeat(900));
    await it.gate.flush();
    expect(Math.max(...it.service.posts.map(({ length }) => length))).toBeLessThanOrEqual(500);
  });

  it("waits for Retry-After, and then one report tries the service", async () => {
    const it = await batchOf("abc");
    it.service.onBatch = () => Promise.reject(status(503, { retryAfterMs: 20_000 }));
    await it.clock.advance(19_999);
    expect(posts(it)).toEqual(["1", "abc"]);
    it.service.onBatch = undefined;
    await it.clock.advance(1);
    expect(posts(it)).toEqual(["1", "abc", "a", "bc"]);
  });

  it("is listed by close() while it is on its way", async () => {
    const it = await batchOf("abc");
    it.service.onBatch = hangs;
    await it.clock.advance(0);
    await work(it, "d");
    const closed = it.gate.close({ graceMs: 0 });
    await it.clock.advance(0);
    const { queued, undelivered } = await closed;
    expect(undelivered.map(({ rawUsage }) => rawUsage.model)).toEqual([..."abcd"]);
    expect(queued).toBe(4);
  });
});

describe("close", () => {
  it("lists what is on its way, and what waits after a failure, once", async () => {
    const it = createPrepaidScene(1_000);
    it.service.onUsage = ({ rawUsage }) => (rawUsage.model === "a" ? Promise.reject(status(503)) : hangs());
    await work(it, "abc");
    await it.clock.advance(1);
    const listener = vi.fn();
    it.gate.on("undelivered", listener);
    const closed = it.gate.close({ graceMs: 0 });
    await it.clock.advance(0);
    const { undelivered } = await closed;
    expect(undelivered.map(({ rawUsage }) => rawUsage.model).sort()).toEqual([..."abc"]);
    expect(listener).toHaveBeenCalledExactlyOnceWith({ reports: undelivered, error: expect.any(Error) });
  });
});
