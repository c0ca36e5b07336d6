import { runInNewContext } from "node:vm";
import { type Answer, CreditgateError, type CreditgateErrorCode } from "@creditgate/client";
import { createMemoryOutbox, createRegistry, type Outbox } from "@creditgate/core";
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

/** Admits and settles one piece of work; its report names the model `name`. */
async function work(scene: Scene, ...names: string[]): Promise<void> {
  for (const model of names) {
    const charge = await scene.admit(1);
    charge.report({ model }, { credits: 1 });
    await charge.settle();
  }
}

/** Settles several pieces of work together, so that their reports leave together. */
async function workTogether(scene: Scene, ...names: string[]): Promise<void> {
  const charges = await Promise.all(names.map(() => scene.admit(1)));
  for (const [at, charge] of charges.entries()) charge.report({ model: names[at] }, { credits: 1 });
  await Promise.all(charges.map((charge) => charge.settle()));
}

/** As Jest has them: `instanceof Promise` does not know its promises. */
const ForeignPromise = runInNewContext("Promise") as PromiseConstructor;
const names = (reports: readonly SentReport[]) => reports.map(({ rawUsage }) => rawUsage.model);
const lost = new CreditgateError("connection_lost", "reset");
const failure = (code: CreditgateErrorCode, statusCode?: number) =>
  new CreditgateError(code, code, { status: statusCode });

/** Usage is answered by these errors, in order, and then taken. */
function answersUsage(scene: Scene, ...errors: unknown[]): void {
  scene.service.onUsage = async ({ key }) => {
    if (errors.length > 0) throw errors.shift();
    return answer({}, key);
  };
}

/** Usage waits for its answers, which the returned functions give. */
function answersWhenAsked(scene: Scene): (() => void)[] {
  const answers: (() => void)[] = [];
  scene.service.onUsage = ({ key }) => {
    const { promise, resolve } = pending<ReturnType<typeof answer>>();
    answers.push(() => resolve(answer({}, key)));
    return promise;
  };
  return answers;
}

/** An outbox's methods, for one that does a little more. */
function methodsOf(outbox: Outbox): Outbox {
  return {
    get full() {
      return outbox.full;
    },
    append: (reports) => outbox.append(reports),
    release: (reports) => outbox.release(reports),
    next: (limit) => outbox.next(limit),
    delivered: (reports, rememberMs, lowered) => outbox.delivered(reports, rememberMs, lowered),
    requeue: (reports) => outbox.requeue(reports),
    park: (report, reason) => outbox.park(report, reason),
    bury: (report, reason) => outbox.bury(report, reason),
    unpark: () => outbox.unpark(),
    retry: (ids) => outbox.retry(ids),
    status: () => outbox.status(),
    undelivered: () => outbox.undelivered?.() ?? [],
  };
}

async function unconfirmed({ gate }: Scene): Promise<number | undefined> {
  return (await gate.balance("alice"))?.unconfirmed;
}

function scene(options: SceneOptions = {}): Scene {
  return createPrepaidScene(1_000, options);
}

describe("delivery of usage", () => {
  it("sends each report with a key of its own, in the order of settlement", async () => {
    const it = scene();
    await work(it, "a", "b", "c");
    await it.clock.advance(0);
    expect(names(it.service.reports)).toEqual(["a", "b", "c"]);
    expect(new Set(it.service.reports.map(({ key }) => key)).size).toBe(3);
    expect(it.service.reports[0]).toMatchObject({
      customerId: "alice",
      agentId: "chat",
      indicator: "message",
    });
    expect(await it.gate.flush()).toEqual({ queued: 0, parked: 0, dead: 0 });
  });

  it("has at most `concurrency` reports on their way, and loses no wake-up", async () => {
    const it = scene({ concurrency: 2 });
    const answers = answersWhenAsked(it);
    await work(it, "a", "b", "c", "d", "e");
    for (const sent of [2, 3, 4, 5]) {
      await it.clock.advance(0);
      expect(it.service.reports).toHaveLength(sent);
      answers.shift()?.();
    }
    answers.shift()?.();
    expect(await it.gate.flush()).toMatchObject({ queued: 0 });
  });

  describe.each([
    ["a connection that was refused", failure("not_sent")],
    ["503", status(503)],
    ["429", status(429)],
    ["404 in anything but JSON, from what stands before the service,", status(404)],
  ])("%s", (_name, error) => {
    it("was not processed: it is sent again with the same key, after full jitter", async () => {
      const it = scene({ ambiguous: "park" });
      answersUsage(it, error);
      await work(it, "a");
      await it.clock.advance(249);
      expect(it.service.reports).toHaveLength(1);
      await it.clock.advance(1);
      expect(it.service.reports).toHaveLength(2);
      expect(it.service.reports[1]?.key).toBe(it.service.reports[0]?.key);
      expect(it.emitted("parked")).toEqual([]);
      await it.gate.close();
      expect(it.timers()).toBe(0);
    });
  });

  it("probes a service that is away every 2 s at most, times chance, with no end of attempts", async () => {
    const it = scene({ random: () => 0.999_999 });
    const waits: number[] = [];
    let last = 0;
    it.service.onUsage = () => {
      waits.push(Math.round((it.clock.now() - last) / 100) / 10);
      last = it.clock.now();
      return Promise.reject(status(503));
    };
    await work(it, "a");
    await it.clock.advance(20_000);
    expect(waits.slice(0, 8)).toEqual([0, 0.5, 0.5, 0.5, 1, 2, 2, 2]);
    it.service.onUsage = undefined;
    await workTogether(it, ..."bcdef");
    await it.clock.advance(2_000);
    expect(await it.gate.status()).toMatchObject({ queued: 0 });
  });

  it("takes reports that fail together for one failure", async () => {
    const it = scene({ random: () => 1 });
    const answers: ((error: unknown) => void)[] = [];
    it.service.onUsage = () => {
      const { promise, reject } = pending<never>();
      answers.push(reject);
      return promise;
    };
    await workTogether(it, ..."abcdefgh");
    await it.clock.advance(0);
    expect(it.service.reports).toHaveLength(8);
    answersUsage(it);
    for (const reject of answers) reject(status(503));
    await it.clock.advance(500);
    expect(it.service.reports.length).toBeGreaterThan(8);
    expect(await it.gate.flush()).toMatchObject({ queued: 0 });
    expect(it.emitted("degraded")).toHaveLength(1);
  });

  it("waits for Retry-After, at most 300 s", async () => {
    const it = scene();
    answersUsage(it, status(503, { retryAfterMs: 20_000 }), status(429, { retryAfterMs: 1e9 }));
    await work(it, "a");
    await it.clock.advance(19_999);
    expect(it.service.reports).toHaveLength(1);
    await it.clock.advance(1);
    expect(it.service.reports).toHaveLength(2);
    await it.clock.advance(299_999);
    expect(it.service.reports).toHaveLength(2);
    await it.clock.advance(1);
    expect(it.service.reports).toHaveLength(3);
  });

  it.each([0, 1])("takes a Retry-After of %i ms for no leave to hammer", async (retryAfterMs) => {
    const it = scene();
    it.service.onUsage = () => Promise.reject(status(503, { retryAfterMs }));
    await work(it, "a");
    await it.clock.advance(249);
    expect(it.service.reports).toHaveLength(1);
  });

  it("does not shorten a pause for a report that fails after it", async () => {
    const it = scene();
    const second = pending<never>();
    it.service.onUsage = ({ rawUsage }) =>
      rawUsage.model === "a" ? Promise.reject(status(503, { retryAfterMs: 20_000 })) : second.promise;
    await workTogether(it, "a", "b");
    await it.clock.advance(0);
    second.reject(status(503));
    await it.clock.advance(19_999);
    expect(it.service.reports).toHaveLength(2);
    await it.clock.advance(1);
    expect(it.service.reports).toHaveLength(3);
  });

  it("puts a report that failed behind the others", async () => {
    const it = scene({ concurrency: 1 });
    it.service.onUsage = async ({ key, rawUsage }) => {
      if (rawUsage.model === "a" && it.service.reports.length === 1) throw status(503);
      return answer({}, key);
    };
    await workTogether(it, "a", "b", "c");
    await it.clock.advance(250);
    expect(names(it.service.reports)).toEqual(["a", "b", "c", "a"]);
  });

  it("probes with one report after a pause, and lets all go when it is taken", async () => {
    const it = scene();
    const probe = pending<ReturnType<typeof answer>>();
    answersUsage(it, status(429));
    await work(it, "a");
    await it.clock.advance(0);
    await work(it, "b", "c");
    it.service.onUsage = () => probe.promise;
    await it.clock.advance(250);
    expect(names(it.service.reports)).toEqual(["a", "a"]);
    answersUsage(it);
    probe.resolve(answer({}));
    await it.clock.advance(0);
    expect(names(it.service.reports)).toEqual(["a", "a", "b", "c"]);
  });

  describe.each([
    ["a time-out after the request was written", failure("timeout")],
    ["a connection that was lost", lost],
    ["408", status(408)],
    ["500", status(500)],
    ["502", status(502)],
    ["an error that is not the client's", new TypeError("?")],
  ])("%s", (_name, error) => {
    it("is ambiguous: parked and told, until the service is known to honour keys", async () => {
      const it = scene();
      answersUsage(it, error);
      await work(it, "a");
      await it.clock.advance(0);
      expect(it.emitted("parked")).toMatchObject([{ report: { rawUsage: { model: "a" } }, error }]);
      await it.clock.advance(120_000);
      expect(it.service.reports).toHaveLength(1);
      expect(await it.gate.flush()).toEqual({ queued: 0, parked: 1, dead: 0 });
      expect(await unconfirmed(it)).toBe(1);
      await work(it, "b");
      expect(await it.gate.flush()).toEqual({ queued: 0, parked: 0, dead: 0 });
      expect(names(it.service.reports)).toEqual(["a", "b", "a"]);
      expect(it.service.reports[2]?.key).toBe(it.service.reports[0]?.key);
    });
  });

  it("retries what is ambiguous at once when the service has echoed a key before", async () => {
    const it = scene();
    await work(it, "a");
    await it.gate.flush();
    answersUsage(it, lost);
    await work(it, "b");
    await it.clock.advance(250);
    expect(names(it.service.reports)).toEqual(["a", "b", "b"]);
    expect(it.emitted("parked")).toEqual([]);
  });

  it("keeps it parked for a service that takes reports but echoes no key", async () => {
    const it = scene();
    answersUsage(it, lost);
    await work(it, "a");
    await it.clock.advance(250);
    it.service.onUsage = async () => answer({});
    await work(it, "b", "c");
    expect(await it.gate.flush()).toEqual({ queued: 0, parked: 1, dead: 0 });
  });

  it("does not take the answer to another report for its own, also of a service that has never echoed a key", async () => {
    const it = scene();
    it.service.onUsage = async () => answer({}, "another");
    await work(it, "a");
    expect(await it.gate.flush()).toEqual({ queued: 0, parked: 1, dead: 0 });
    expect(it.emitted("delivered")).toEqual([]);
    expect(await unconfirmed(it)).toBe(1);
  });

  it.each([
    ["park", ["a", "b"], 1],
    ["retry", ["a", "b", "a"], 0],
  ] as const)("does as it is told with ambiguous: %s", async (ambiguous, sent, parked) => {
    const it = scene({ ambiguous });
    answersUsage(it, lost);
    await work(it, "a");
    await it.clock.advance(0);
    await work(it, "b");
    expect(await it.gate.flush()).toMatchObject({ queued: 0, parked });
    expect(names(it.service.reports)).toEqual(sent);
  });

  describe.each([
    ["401", status(401)],
    ["302", status(302)],
    ["a redirect whose status is hidden", failure("redirected")],
    ["200 with a page of a website", new CreditgateError("answer_invalid", "a page", { status: 200 })],
  ])("%s", (_name, error) => {
    it("pauses the queue, tells, and drops nothing", async () => {
      const it = scene();
      answersUsage(it, error);
      await work(it, "a");
      await it.clock.advance(0);
      await work(it, "b");
      await it.clock.advance(9_999);
      expect(names(it.service.reports)).toEqual(["a"]);
      expect(it.emitted("degraded")).toEqual([{ what: "delivery", error }]);
      await it.clock.advance(1);
      expect(names(it.service.reports)).toEqual(["a", "a", "b"]);
    });
  });

  describe.each([402, 403, 409])("%s", (code) => {
    it("lets the reports of others go on where it is about one of them, and drops nothing", async () => {
      const it = scene();
      it.service.onUsage = async ({ key, rawUsage }) => {
        if (rawUsage.model === "bad") throw status(code, { problem: { code: "customer_locked" } });
        return answer({}, key);
      };
      await work(it, "bad", ..."abc", "bad", ..."de");
      await it.clock.advance(0);
      expect(names(it.service.reports)).toEqual(["bad", ..."abc", "bad", ..."de"]);
      expect(it.emitted("degraded")[0]).toMatchObject({ what: "delivery", error: { status: code } });
      expect(await it.gate.status()).toMatchObject({ queued: 2, dead: 0 });
      it.service.onUsage = undefined;
      expect(await it.gate.flush()).toEqual({ queued: 0, parked: 0, dead: 0 });
    });

    it("lets the others go on where several are refused again, one after another", async () => {
      const it = scene();
      it.service.onUsage = async ({ key, rawUsage }) => {
        if (rawUsage.model === "bad") throw status(code, { problem: { code: "customer_locked" } });
        return answer({}, key);
      };
      for (const name of "abcd") {
        await work(it, "bad", name);
        await it.clock.advance(0);
      }
      await it.clock.advance(250);
      expect(names(it.service.reports).filter((name) => name === "bad")).toHaveLength(8);
      await work(it, "e");
      await it.clock.advance(0);
      expect(names(it.service.reports).at(-1)).toBe("e");
    });

    it("keeps nobody waiting where it is about each of many customers", async () => {
      const it = scene();
      it.service.onUsage = async ({ key, rawUsage }) => {
        if (rawUsage.model === "bad") throw status(code, { problem: { code: "customer_locked" } });
        return answer({}, key);
      };
      await work(it, "a");
      await it.clock.advance(0);
      await workTogether(it, ...Array.from({ length: 50 }, () => "bad"), "b");
      await it.clock.advance(250);
      expect(names(it.service.reports)).toContain("b");
      expect(await it.gate.status()).toMatchObject({ queued: 50, dead: 0 });
    });

    it("pauses the queue where it is about all, and probes", async () => {
      const it = scene();
      it.service.onUsage = () => Promise.reject(status(code, { problem: { code: "scope_missing" } }));
      await workTogether(it, ..."abcdefgh");
      await it.clock.advance(60_000);
      expect(it.service.reports.length).toBeLessThan(80);
      expect(await it.gate.status()).toMatchObject({ queued: 8, dead: 0 });
      it.service.onUsage = undefined;
      await it.clock.advance(60_000);
      expect(await it.gate.status()).toMatchObject({ queued: 0, dead: 0 });
    });
  });

  it("tells of a refusal that follows an outage", async () => {
    const it = scene();
    answersUsage(it, status(503), status(503), status(401));
    await work(it, "a");
    await it.clock.advance(10_000);
    expect(it.emitted("degraded").map(({ error }) => (error as CreditgateError).status)).toEqual([503, 401]);
  });

  describe.each([400, 404, 413, 422])("%s", (code) => {
    it("is a dead letter: told once, never sent again, kept in the ledger, and in nobody's way", async () => {
      const it = scene();
      answersUsage(it, status(code, { problem: { code: "invalid_request" } }));
      await work(it, "a", "b");
      await it.clock.advance(1_000_000);
      expect(names(it.service.reports)).toEqual(["a", "b"]);
      expect(it.emitted("dead")).toMatchObject([{ report: { rawUsage: { model: "a" } } }]);
      expect(await it.gate.flush()).toEqual({ queued: 0, parked: 0, dead: 1 });
      await it.admit(1);
      await it.clock.advance(0);
      expect(await unconfirmed(it)).toBe(1);
    });
  });

  it.each([failure("answer_too_large", 200), failure("connection_lost", 202), failure("timeout", 200)])(
    "takes a 2xx without its body for no delivery: it may be a proxy's ($code)",
    async (error) => {
      const it = scene();
      await work(it, "a");
      await it.gate.flush();
      answersUsage(it, error);
      await work(it, "b");
      await it.clock.advance(0);
      expect(await it.gate.flush()).toEqual({ queued: 0, parked: 0, dead: 0 });
      expect(names(it.service.reports)).toEqual(["a", "b", "b"]);
      const stranger = scene();
      answersUsage(stranger, error);
      await work(stranger, "a");
      expect(await stranger.gate.flush()).toEqual({ queued: 0, parked: 1, dead: 0 });
    },
  );

  describe("a 2xx that is neither JSON nor has the key", () => {
    const page = { status: 200, body: undefined, idempotencyKey: undefined };
    const nothing = { ...page, status: 204, isEmpty: true };

    it.each([page, nothing])(
      "is no delivery of a service that has echoed one: it goes again",
      async (strange) => {
        const it = scene();
        await work(it, "a");
        await it.gate.flush();
        const answers = [strange];
        it.service.onUsage = async ({ key }) => answers.shift() ?? answer({}, key);
        await work(it, "b");
        await it.clock.advance(0);
        expect(await it.gate.flush()).toEqual({ queued: 0, parked: 0, dead: 0 });
        expect(names(it.service.reports)).toEqual(["a", "b", "b"]);
      },
    );

    it("is parked where the service has never echoed one, since it may have been processed", async () => {
      const it = scene();
      it.service.onUsage = async () => page;
      await work(it, "a");
      expect(await it.gate.flush()).toEqual({ queued: 0, parked: 1, dead: 0 });
    });

    it("is a delivery if it is empty and the service has never echoed one", async () => {
      const it = scene();
      it.service.onUsage = async () => nothing;
      await work(it, "a");
      expect(await it.gate.flush()).toEqual({ queued: 0, parked: 0, dead: 0 });
      expect(it.service.reports).toHaveLength(1);
    });
  });

  describe("a service that has echoed a key", () => {
    const mark = { batchLimit: 500 };

    /** The answer of something else to the second report; then the service answers again. */
    async function answered(strange: Answer, ambiguous: "auto" | "park" = "auto") {
      const it = scene({ ambiguous });
      await work(it, "a");
      await it.gate.flush();
      const answers = [strange];
      it.service.onUsage = async ({ key }) => answers.shift() ?? answer({}, key);
      await work(it, "b");
      await it.clock.advance(0);
      return it;
    }

    it.each([{ status: "maintenance" }, null, "OK", { results: [] }, { queued: true }])(
      "is not believed to have answered %j without one: the report goes again, and counts until it is taken",
      async (body) => {
        const it = await answered(answer(body));
        expect(it.emitted("delivered")).toHaveLength(1);
        expect(await unconfirmed(it)).toBe(2);
        expect(await it.gate.flush()).toEqual({ queued: 0, parked: 0, dead: 0 });
        expect(names(it.service.reports)).toEqual(["a", "b", "b"]);
        expect(it.service.reports[2]?.key).toBe(it.service.reports[1]?.key);
        const careful = await answered(answer(body), "park");
        expect(await careful.gate.flush()).toEqual({ queued: 0, parked: 1, dead: 0 });
      },
    );

    it("is not believed to have answered one report with the key of another", async () => {
      const it = await answered({ ...answer({}, "another"), ...mark });
      expect(await it.gate.flush()).toEqual({ queued: 0, parked: 0, dead: 0 });
      expect(names(it.service.reports)).toEqual(["a", "b", "b"]);
    });

    it.each([
      ["with one of its headers", { ...answer({}), ...mark }],
      ["with what the report costs", answer({ credits: 1, currency: "ai_credits" })],
    ])(
      "has taken what it answers %s and without the key, and from then on nothing is sent twice",
      async (_name, own) => {
        const it = await answered(own);
        expect(names(it.service.reports)).toEqual(["a", "b"]);
        expect(it.emitted("delivered")).toHaveLength(2);
        expect(it.emitted("degraded")).toMatchObject([{ what: "delivery" }]);
        answersUsage(it, lost);
        await work(it, "c");
        await it.clock.advance(250);
        await work(it, "d");
        await it.clock.advance(100_000);
        expect(names(it.service.reports)).toEqual(["a", "b", "c", "d"]);
        expect(await it.gate.flush()).toEqual({ queued: 0, parked: 1, dead: 0 });
      },
    );

    it("has what may have been processed parked, not sent again, when it ceases to", async () => {
      const it = scene();
      await work(it, "a");
      await it.gate.flush();
      answersUsage(it, lost);
      await work(it, "b");
      await it.clock.advance(0);
      it.service.onUsage = async () => ({ ...answer({}), ...mark });
      await work(it, "c");
      await it.clock.advance(100_000);
      expect(names(it.service.reports)).toEqual(["a", "b", "c"]);
      expect(it.emitted("parked")).toMatchObject([{ report: { rawUsage: { model: "b" } }, error: lost }]);
      expect(await it.gate.flush()).toEqual({ queued: 0, parked: 1, dead: 0 });
    });

    it("has told a lasting outbox when it ceases to: the next process sends nothing twice", async () => {
      const heard: string[] = [];
      const outbox: Outbox = {
        ...methodsOf(createMemoryOutbox()),
        recover: async () => ({ reports: [], works: [] }),
        sendings: {
          begin: async (ids) => void heard.push(`${ids.length} are sent`),
          end: async () => {},
          keysHonoured: async (service) => void heard.push(`keys honoured by "${service}"`),
        },
      };
      const it = scene({ outbox });
      await work(it, "a");
      await it.gate.flush();
      answersUsage(it, lost);
      await work(it, "b");
      await it.clock.advance(0);
      it.service.onUsage = async () => ({ ...answer({}), ...mark });
      await work(it, "c");
      await it.clock.advance(0);
      expect(heard).toEqual([
        "1 are sent",
        'keys honoured by "a service"',
        "2 are sent",
        'keys honoured by ""',
      ]);
    });
  });

  it("sends again what a page of a website has answered, where the service has echoed a key", async () => {
    const it = scene();
    await work(it, "a");
    await it.gate.flush();
    answersUsage(it, new CreditgateError("answer_invalid", "a page", { status: 200 }));
    await work(it, "b");
    await it.clock.advance(250);
    expect(names(it.service.reports)).toEqual(["a", "b", "b"]);
  });

  describe.each([400, 404, 413, 422])("%s of a gateway", (code) => {
    const gateways = status(code, { problem: { message: "no Route matched" } });

    it.each([
      ["in JSON without a code, where the service has echoed a key", true, gateways],
      ["in JSON without a code, where the service has named a problem", false, gateways],
      ["with a code of its own", true, status(code, { problem: { code: "ROUTE_NOT_FOUND" } })],
      ["in anything but JSON", true, status(code)],
    ])("%s is never a dead letter: it goes again", async (_name, echoes, error) => {
      const it = scene();
      if (echoes) await work(it, "first");
      else {
        it.service.fund("bob", undefined);
        it.service.onBalance = () => Promise.reject(status(404, { problem: { code: "customer_unknown" } }));
        await it.authorize(1, "bob");
        it.service.onBalance = undefined;
      }
      await it.clock.advance(0);
      answersUsage(it, error);
      await work(it, "b");
      await it.clock.advance(250);
      expect(names(it.service.reports).slice(-2)).toEqual(["b", "b"]);
      expect(await it.gate.flush()).toEqual({ queued: 0, parked: 0, dead: 0 });
    });
  });

  it("never pauses for reports that the service refuses, however many", async () => {
    const it = scene({ concurrency: 1 });
    it.service.onUsage = async ({ key, rawUsage }) => {
      if (rawUsage.model !== "good") throw status(422, { problem: { code: "invalid_request" } });
      return answer({}, key);
    };
    await workTogether(it, ...Array.from({ length: 60 }, () => "bad"), "good");
    await it.clock.advance(0);
    expect(await it.gate.status()).toMatchObject({ queued: 0, dead: 60 });
    expect(names(it.service.reports).at(-1)).toBe("good");
    expect(it.emitted("degraded")).toEqual([]);
  });

  it("takes the refusal of a probe for a sign that the service is back", async () => {
    const it = scene({ concurrency: 1 });
    answersUsage(it, status(429), status(422, { problem: { code: "invalid_request" } }));
    await workTogether(it, ..."abcdefgh");
    const hung = pending<never>();
    await it.clock.advance(0);
    it.service.onUsage = ({ key, rawUsage }) =>
      rawUsage.model === "b"
        ? Promise.reject(status(422, { problem: { code: "invalid_request" } }))
        : rawUsage.model === "c"
          ? hung.promise
          : Promise.resolve(answer({}, key));
    await it.clock.advance(250);
    expect(names(it.service.reports)).toEqual(["a", "b", "c"]);
    hung.reject(status(503));
    await it.clock.advance(0);
    expect(names(it.service.reports)).toEqual([..."abcdefgha"]);
  });

  it("sends another probe where one has no answer for as long as the longest pause", async () => {
    const it = scene();
    answersUsage(it, status(429));
    await work(it, "a");
    await it.clock.advance(0);
    it.service.onUsage = ({ key, rawUsage }) =>
      rawUsage.model === "a" ? hangs() : Promise.resolve(answer({}, key));
    await work(it, "b", "c", "d");
    await it.clock.advance(2_249);
    expect(names(it.service.reports)).toEqual([..."aa"]);
    await it.clock.advance(1);
    expect(names(it.service.reports)).toEqual([..."aabcd"]);
  });

  it.each([1, 100])(
    "delivers 2 s after the service is back where all requests hang, %s in each",
    async (size) => {
      const it = scene({ concurrency: 4 });
      it.service.batchLimit = size;
      await work(it, "first");
      await it.clock.advance(0);
      it.service.onUsage = hangs;
      it.service.onBatch = hangs;
      for (const name of "abcdefghijklmno") {
        await work(it, name);
        await it.clock.advance(0);
      }
      await it.clock.advance(5_000);
      const sent = it.service.reports.length;
      it.service.onUsage = undefined;
      it.service.onBatch = undefined;
      await workTogether(it, ..."uvwxyz");
      await it.clock.advance(2_000);
      expect(names(it.service.reports.slice(sent))).toEqual(expect.arrayContaining([..."uvwxyz"]));
      await workTogether(it, ..."UVWXYZ");
      await it.clock.advance(0);
      expect(names(it.service.reports)).toEqual(expect.arrayContaining([..."UVWXYZ"]));
    },
  );

  it("sends one request more every 2 s while all hang, and none for a service that only is slow", async () => {
    const it = scene({ concurrency: 4 });
    const answers = answersWhenAsked(it);
    await workTogether(it, ..."abcdefghijkl");
    for (let answered = 0; answered < 3; answered++) {
      await it.clock.advance(1_500);
      answers[answered]?.();
      await it.clock.advance(0);
      expect(it.service.reports).toHaveLength(5 + answered);
    }
    await it.clock.advance(1_999);
    expect(it.service.reports).toHaveLength(7);
    await it.clock.advance(1);
    expect(it.service.reports).toHaveLength(8);
    await it.clock.advance(2_000);
    expect(it.service.reports).toHaveLength(9);
  });

  describe("a refusal without a code of the service's own", () => {
    const refusal = status(404, { problem: { message: "no such path" } });

    it("buries nothing while the service has taken no report: the base URL may be wrong", async () => {
      const it = scene();
      it.service.onUsage = () => Promise.reject(refusal);
      await workTogether(it, ..."abcdefgh");
      await it.clock.advance(60_000);
      expect(await it.gate.status()).toMatchObject({ queued: 8, dead: 0 });
      expect(it.emitted("degraded")).toEqual([{ what: "delivery", error: refusal }]);
    });

    it("buries the report once the service has taken another one, and stops no other until then", async () => {
      const it = scene();
      it.service.onUsage = async ({ rawUsage }) => {
        if (rawUsage.model === "bad") throw refusal;
        return answer({});
      };
      await workTogether(it, ...Array.from({ length: 20 }, () => "bad"), "good");
      await it.clock.advance(60_000);
      expect(await it.gate.status()).toMatchObject({ queued: 0, dead: 20 });
    });
  });

  it("lets the others go on while one that failed waits, until three have failed in a row", async () => {
    const it = scene({ concurrency: 1 });
    it.service.onUsage = async ({ key, rawUsage }) => {
      if (["b", "d", "e"].includes(String(rawUsage.model)) && it.service.reports.length < 7)
        throw status(503);
      return answer({}, key);
    };
    await workTogether(it, ..."abcdef");
    await it.clock.advance(0);
    expect(names(it.service.reports)).toEqual([..."abcdef"]);
    it.service.onUsage = () => Promise.reject(status(503));
    await workTogether(it, ..."ghijk");
    await it.clock.advance(0);
    expect(names(it.service.reports).slice(6)).toEqual([..."ghi"]);
  });

  it("sends the next while a full disk does not take what has been delivered, and writes that down later", async () => {
    const outbox = createMemoryOutbox();
    let full = false;
    const it = scene({
      outbox: wrapped(outbox, {
        async delivered(...report) {
          if (full) throw new Error("disk full");
          await outbox.delivered(...report);
        },
      }),
    });
    await work(it, "a");
    await it.gate.flush();
    full = true;
    await work(it, ..."bcdefgh");
    await it.clock.advance(0);
    expect(names(it.service.reports)).toEqual([..."abcdefgh"]);
    expect(await outbox.status()).toMatchObject({ queued: 7 });
    expect(it.emitted("degraded")).toMatchObject([{ what: "outbox" }]);
    full = false;
    await it.clock.advance(120_000);
    expect(await outbox.status()).toMatchObject({ queued: 0 });
    expect(it.service.reports).toHaveLength(8);
    expect(it.timers()).toBe(0);
  });

  it("does not send again what was delivered because the outbox could not write that down", async () => {
    const outbox = createMemoryOutbox();
    let failures = 2;
    const it = scene({
      outbox: wrapped(outbox, {
        async delivered(...report) {
          if (failures-- > 0) throw new Error("disk full");
          await outbox.delivered(...report);
        },
      }),
    });
    await work(it, "a");
    await it.clock.advance(60_000);
    expect(names(it.service.reports)).toEqual(["a"]);
    expect(await it.gate.flush()).toMatchObject({ queued: 0 });
    expect(it.emitted("degraded")).toMatchObject([{ what: "outbox" }]);
  });

  it("does not send a doubtful report again because it could not be parked", async () => {
    const outbox = createMemoryOutbox();
    let failures = 2;
    const it = scene({
      outbox: wrapped(outbox, {
        async park(report, reason) {
          if (failures-- > 0) throw new Error("disk full");
          await outbox.park(report, reason);
        },
      }),
    });
    answersUsage(it, lost);
    await work(it, "a");
    await it.clock.advance(60_000);
    expect(names(it.service.reports)).toEqual(["a"]);
    expect(await it.gate.flush()).toMatchObject({ parked: 1 });
  });

  it("goes on when the outbox could not be read for a while", async () => {
    const outbox = createMemoryOutbox();
    let failures = 1;
    const it = scene({
      outbox: wrapped(outbox, {
        next: async (limit) => {
          if (failures-- > 0) throw new Error("locked");
          return outbox.next(limit);
        },
      }),
    });
    await work(it, "a");
    await it.clock.advance(250);
    expect(names(it.service.reports)).toEqual(["a"]);
    expect(it.emitted("degraded")).toMatchObject([{ what: "outbox" }]);
  });

  it("sends nothing into a pause that began while the outbox was read", async () => {
    const outbox = createMemoryOutbox();
    let read: Promise<void> | undefined;
    const it = scene({
      outbox: wrapped(outbox, {
        async next(limit) {
          const found = await outbox.next(limit);
          await read;
          return found;
        },
      }),
    });
    const first = pending<never>();
    it.service.onUsage = () => first.promise;
    await work(it, "a");
    await it.clock.advance(0);
    const reading = pending<void>();
    read = reading.promise;
    await work(it, "b");
    first.reject(status(429));
    await it.clock.advance(0);
    read = undefined;
    reading.resolve();
    await it.clock.advance(249);
    expect(names(it.service.reports)).toEqual(["a"]);
    answersUsage(it);
    await it.clock.advance(1);
    expect(await it.gate.flush()).toMatchObject({ queued: 0 });
  });

  it("lets what is parked go at the first echo to another gate on the service and key", async () => {
    const registry = createRegistry();
    const it = scene({ registry });
    answersUsage(it, lost);
    await work(it, "a");
    await it.clock.advance(100_000);
    expect(await it.gate.flush()).toEqual({ queued: 0, parked: 1, dead: 0 });
    await work(scene({ registry }), "b");
    await it.clock.advance(0);
    expect(names(it.service.reports)).toEqual(["a", "a"]);
    expect(await it.gate.flush()).toEqual({ queued: 0, parked: 0, dead: 0 });
    await it.gate.close();
    expect(it.timers()).toBe(0);
  });

  it("lets go what was being parked when another gate saw the first echo", async () => {
    const registry = createRegistry();
    const outbox = createMemoryOutbox();
    const written = pending<void>();
    const it = scene({
      registry,
      outbox: wrapped(outbox, {
        async park(...report) {
          await written.promise;
          await outbox.park(...report);
        },
      }),
    });
    answersUsage(it, lost);
    await work(it, "a");
    await it.clock.advance(0);
    await work(scene({ registry }), "b");
    written.resolve();
    await it.clock.advance(60_000);
    expect(names(it.service.reports)).toEqual(["a", "a"]);
  });

  it("tries again where what is parked could not be let go", async () => {
    const registry = createRegistry();
    const outbox = createMemoryOutbox();
    let failures = 2;
    const it = scene({
      registry,
      outbox: wrapped(outbox, {
        async unpark() {
          if (failures-- > 0) throw new Error("disk full");
          await outbox.unpark();
        },
      }),
    });
    answersUsage(it, lost);
    await work(it, "a");
    await it.clock.advance(1_000);
    await work(scene({ registry }), "b");
    await it.clock.advance(60_000);
    expect(names(it.service.reports)).toEqual(["a", "a"]);
    expect(it.emitted("degraded")).toMatchObject([{ what: "delivery" }, { what: "outbox" }]);
  });

  it("lets what is parked go once, at the first echo", async () => {
    const outbox = createMemoryOutbox();
    const unpark = vi.spyOn(outbox, "unpark");
    const it = scene({ outbox });
    answersUsage(it, lost);
    await work(it, "a");
    await it.gate.flush();
    expect(unpark).not.toHaveBeenCalled();
    await work(it, "b", "c", "d");
    await it.gate.flush();
    expect(unpark).toHaveBeenCalledOnce();
  });
});

describe("acknowledgement (rules 4 and 5)", () => {
  it("never comes before the usage is in the ledger", async () => {
    const outbox = createMemoryOutbox();
    const appended = pending<void>();
    const it = scene({
      outbox: wrapped(outbox, {
        async append(reports) {
          await outbox.append(reports);
          if (reports[0]?.rawUsage.model === "slow") await appended.promise;
        },
      }),
    });
    const charge = await it.admit(7);
    charge.report({ model: "slow" });
    const settling = charge.settle();
    await work(it, "b");
    await it.clock.advance(0);
    expect(names(it.service.reports)).toEqual(["b"]);
    expect(await it.gate.balance("alice")).toMatchObject({ held: 7, unconfirmed: 1 });
    appended.resolve();
    await settling;
    expect(await it.gate.balance("alice")).toMatchObject({ held: 0, unconfirmed: 8 });
    await it.clock.advance(0);
    expect(names(it.service.reports)).toEqual(["b", "slow"]);
  });

  it("waits for the promise of an outbox of another realm", async () => {
    const outbox = createMemoryOutbox();
    const appended = pending<void>();
    const it = scene({
      outbox: wrapped(outbox, {
        append: (reports) => ForeignPromise.resolve(appended.promise.then(() => outbox.append(reports))),
      }),
    });
    const charge = await it.admit(7);
    charge.report({ model: "a" });
    const settling = charge.settle();
    await it.clock.advance(0);
    expect(await it.gate.balance("alice")).toMatchObject({ held: 7, unconfirmed: 0 });
    appended.resolve();
    await settling;
    expect(await it.gate.balance("alice")).toMatchObject({ held: 0, unconfirmed: 7 });
  });

  it("keeps usage counted until a balance asked for L after it has been read", async () => {
    const it = scene({ settlementLagMs: 10_000, ttlMs: 1 });
    await work(it, "a");
    await it.gate.flush();
    await it.clock.advance(9_999);
    await it.admit(1);
    await it.clock.advance(0);
    expect(await unconfirmed(it)).toBe(1);
    await it.clock.advance(250);
    await it.admit(1);
    await it.clock.advance(0);
    expect(await unconfirmed(it)).toBe(0);
  });

  it("comes only with the last of the reports that share an entry", async () => {
    const it = scene({ settlementLagMs: 0, ttlMs: 1, minRefreshMs: 0 });
    answersUsage(it, status(503, { retryAfterMs: 60_000 }));
    const charge = await it.admit(10);
    charge.report({ model: "a" });
    charge.report({ model: "b" });
    await charge.settle();
    await it.clock.advance(30_000);
    expect(names(it.service.reports)).toEqual(["a", "b"]);
    await it.admit(1);
    await it.clock.advance(0);
    expect(await unconfirmed(it)).toBe(10);
    await it.clock.advance(30_001);
    await it.admit(1);
    await it.clock.advance(0);
    expect(await unconfirmed(it)).toBe(0);
  });
});

describe("flush", () => {
  it("tries at once, in the midst of a pause", async () => {
    const it = scene();
    answersUsage(it, status(401));
    await work(it, "a");
    await it.clock.advance(1);
    expect(await it.gate.flush()).toEqual({ queued: 0, parked: 0, dead: 0 });
    expect(it.clock.now()).toBe(1);
    await it.gate.close();
    expect(it.timers()).toBe(0);
  });

  it("resolves with what is left when its time is over", async () => {
    const it = scene();
    it.service.onUsage = hangs;
    await work(it, "a");
    const flushed = it.gate.flush({ timeoutMs: 2_000 });
    await it.clock.advance(1_999);
    expect(await Promise.race([flushed, "waiting"])).toBe("waiting");
    await it.clock.advance(1);
    expect(await flushed).toEqual({ queued: 1, parked: 0, dead: 0 });
    expect(it.timers()).toBe(0);
  });

  it("waits for usage that is still on its way into the outbox", async () => {
    const outbox = createMemoryOutbox();
    const appended = pending<void>();
    const it = scene({
      outbox: wrapped(outbox, {
        async append(reports) {
          await appended.promise;
          await outbox.append(reports);
        },
      }),
    });
    const charge = await it.admit(1);
    charge.report({ model: "a" });
    void charge.settle();
    const flushed = it.gate.flush();
    await it.clock.advance(100);
    expect(await Promise.race([flushed, "waiting"])).toBe("waiting");
    appended.resolve();
    expect(await flushed).toMatchObject({ queued: 0 });
    expect(names(it.service.reports)).toEqual(["a"]);
  });

  it("rejects when the outbox cannot tell, and leaves no timer", async () => {
    const it = scene({
      outbox: wrapped(createMemoryOutbox(), { status: () => Promise.reject(new Error("locked")) }),
    });
    await expect(it.gate.flush()).rejects.toThrow("locked");
    expect(it.timers()).toBe(0);
  });
});

function wrapped(outbox: Outbox, instead: Partial<Outbox>): Outbox {
  return {
    get full() {
      return outbox.full;
    },
    append: (...bill) => outbox.append(...bill),
    release: (reports) => outbox.release(reports),
    next: (limit) => outbox.next(limit),
    delivered: (...taken) => outbox.delivered(...taken),
    requeue: (reports) => outbox.requeue(reports),
    park: (...report) => outbox.park(...report),
    bury: (...report) => outbox.bury(...report),
    unpark: () => outbox.unpark(),
    retry: (ids) => outbox.retry(ids),
    status: () => outbox.status(),
    ...instead,
  };
}
