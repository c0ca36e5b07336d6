import { createMemoryOutbox } from "@creditgate/core";
import { createManualClock } from "@creditgate/core/testing";
import { describe, expect, it } from "vitest";
import { UnbillableWork } from "../src/service/unbillable-work.ts";
import {
  answer,
  createPrepaidScene,
  outcome,
  type Scene,
  type SceneOptions,
  type SentReport,
  status,
  wallet,
} from "./service.ts";

interface Asked {
  readonly customerId?: string;
  readonly agentId?: string;
  readonly indicator?: string;
  readonly hold?: number;
  /** What its report says instead. */
  readonly instead?: { readonly agentId?: string; readonly indicator?: string };
}

/** One piece of work, whose report is answered before the next is asked for. */
async function work(scene: Scene, { instead, ...names }: Asked = {}): Promise<string> {
  const request = { customerId: "alice", agentId: "chat", indicator: "message", hold: 1, ...names };
  const decision = await scene.gate.authorize(request);
  if (!decision.allowed) return decision.denial.code;
  decision.charge.report({ inputTokens: 1 }, instead);
  await decision.charge.settle();
  await scene.gate.flush({ timeoutMs: 0 });
  await scene.clock.advance(0);
  return "allowed";
}

async function works(scene: Scene, ...asked: readonly Asked[]): Promise<readonly string[]> {
  const codes: string[] = [];
  for (const one of asked) codes.push(await work(scene, one));
  return codes;
}

function scene(options: SceneOptions = {}): Scene {
  const it = createPrepaidScene(10_000, { outbox: createMemoryOutbox(), ...options });
  for (const customer of ["bob", "carol", "dave"])
    it.service.fund(customer, { ai_credits: wallet({ available: 1_000 }) });
  return it;
}

/** The service refuses reports that are so, with this code, and takes the others. */
function refuse(it: Scene, code: string, isRefused: (report: SentReport) => boolean = () => true): void {
  it.service.onUsage = async (report) => {
    if (isRefused(report)) throw status(404, { problem: { code } });
    return answer({}, report.key);
  };
}

const deliveries: readonly [string, () => SceneOptions][] = [
  ["an outbox", () => ({ outbox: createMemoryOutbox() })],
  ["delivery within the request", () => ({ outbox: undefined, onUndelivered: () => {} })],
];

describe.each(["agent_unknown", "indicator_unknown", "customer_unknown"])(
  "work that the service cannot bill: %s",
  (code) => {
    it.each(deliveries)("is let in once a minute to try again, with %s", async (_, options) => {
      const it = scene(options());
      refuse(it, code);
      expect(await works(it, {}, {})).toEqual(["allowed", "unbillable"]);
      await it.clock.advance(59_999);
      expect(await work(it)).toBe("unbillable");
      await it.clock.advance(1);
      expect(await works(it, {}, {})).toEqual(["allowed", "unbillable"]);
      expect(it.emitted("dead")).toHaveLength(2);
    });

    it("is let in again as soon as the service has taken its usage", async () => {
      const it = scene();
      refuse(it, code);
      await work(it);
      it.service.onUsage = undefined;
      await it.clock.advance(60_000);
      expect(await works(it, {}, {}, {})).toEqual(["allowed", "allowed", "allowed"]);
    });

    it("is known from a batch too", async () => {
      const it = scene({ concurrency: 1 });
      it.service.batchLimit = 10;
      // The first answer tells of keys and batches.
      await work(it);
      it.service.onBatch = async (reports) =>
        answer({ results: reports.map(({ key }) => ({ key, status: 404, body: { code } })) });
      const charges = await Promise.all([1, 1, 1, 1].map((hold) => it.admit(hold)));
      for (const charge of charges) charge.report({ inputTokens: 1 });
      await Promise.all(charges.map((charge) => charge.settle()));
      await it.clock.advance(0);
      expect(it.emitted("dead")).toHaveLength(3);
      expect(await work(it)).toBe("unbillable");
    });

    it("does not keep another customer out", async () => {
      const it = scene();
      refuse(it, code, ({ customerId }) => customerId === "alice");
      expect(await works(it, {}, { customerId: "bob" }, { customerId: "bob" })).toEqual([
        "allowed",
        "allowed",
        "allowed",
      ]);
    });
  },
);

it.each(["agent_unknown", "indicator_unknown"])(
  "does not keep a customer's other work out: %s",
  async (code) => {
    const it = scene();
    refuse(it, code, ({ indicator }) => indicator === "message");
    const other = { indicator: "other" };
    expect(await works(it, {}, {}, other, other)).toEqual(["allowed", "unbillable", "allowed", "allowed"]);
  },
);

it("keeps all work of a customer out whom the service does not know", async () => {
  const it = scene();
  refuse(it, "customer_unknown");
  expect(await works(it, {}, { indicator: "other" })).toEqual(["allowed", "unbillable"]);
});

it.each(["invalid_request", "amount_out_of_range"])(
  "refuses a kind of work after three refusals in a row of any other kind: %s",
  async (code) => {
    const it = scene();
    refuse(it, code);
    expect(await works(it, {}, {}, {}, {})).toEqual(["allowed", "allowed", "allowed", "unbillable"]);
  },
);

it("does not count refusals between which usage is taken", async () => {
  const it = scene();
  let posts = 0;
  refuse(it, "invalid_request", () => ++posts % 3 !== 0);
  const codes = await works(it, ...Array.from({ length: 12 }, () => ({})));
  expect(new Set(codes)).toEqual(new Set(["allowed"]));
});

it("refuses work whose reports name another indicator, which the service does not know", async () => {
  const it = scene();
  refuse(it, "indicator_unknown", ({ indicator }) => indicator === "typo");
  const misspelt = { instead: { indicator: "typo" } };
  const codes = await works(it, ...Array.from({ length: 6 }, () => misspelt));
  expect(codes).toEqual(["allowed", "allowed", "allowed", "unbillable", "unbillable", "unbillable"]);
  expect(await work(it, { customerId: "bob" })).toBe("allowed");
  await it.clock.advance(60_000);
  expect(await works(it, misspelt, misspelt)).toEqual(["allowed", "unbillable"]);
});

/** Twelve pieces of work in a row, of which every one of so many is taken, and the others' reports are refused. */
async function mixedWorks(
  it: Scene,
  every: number,
  wrong: (at: number) => Asked,
): Promise<readonly string[]> {
  refuse(it, "indicator_unknown", ({ indicator }) => indicator.startsWith("typo"));
  return works(it, ...Array.from({ length: 12 }, (_, at) => (at % every === 0 ? {} : wrong(at))));
}

describe.each([2, 3])("work of which each report but one in %i names an unknown indicator", (every) => {
  it.each([
    ["the same one", () => "typo"],
    ["a new one each time", (at: number) => `typo ${at}`],
  ])("is refused from the fourth such report on: %s", async (_, name) => {
    const it = scene();
    const codes = await mixedWorks(it, every, (at) => ({ instead: { indicator: name(at) } }));
    expect(it.emitted("dead")).toHaveLength(3);
    expect(codes.at(-1)).toBe("unbillable");
    for (let minute = 1; minute <= 5; minute++) {
      await it.clock.advance(60_000);
      await mixedWorks(it, every, (at) => ({ instead: { indicator: name(at) } }));
      expect(it.emitted("dead")).toHaveLength(3 + minute);
    }
  });
});

it("lets a piece of work in after the other, of a kind that was refused, while the service takes their usage", async () => {
  const it = scene();
  await mixedWorks(it, 2, () => ({ instead: { indicator: "typo" } }));
  await it.clock.advance(60_000);
  const charge = await it.admit(1);
  expect(await work(it)).toBe("unbillable");
  charge.report({ inputTokens: 1 });
  await charge.settle();
  await it.clock.advance(0);
  expect(await works(it, {}, {}, {})).toEqual(["allowed", "allowed", "allowed"]);
});

it("lets all in at once when what was refused is sent again and taken", async () => {
  const it = scene();
  await mixedWorks(it, 2, () => ({ instead: { indicator: "typo" } }));
  expect(await work(it)).toBe("unbillable");
  it.service.onUsage = undefined;
  await it.gate.retry(it.emitted("dead").map(({ report }) => report.id));
  await it.clock.advance(0);
  expect(await it.gate.status()).toMatchObject({ dead: 0 });
  await Promise.all([it.admit(1), it.admit(1), it.admit(1)]);
});

it("forgives usage that cannot be processed none for other usage that can", async () => {
  const it = scene();
  let posts = 0;
  it.service.onUsage = async ({ key }) => {
    if (posts++ % 2 === 0) throw status(422, { problem: { code: "invalid_request" } });
    return answer({}, key);
  };
  const codes = await works(it, ...Array.from({ length: 12 }, () => ({})));
  expect(it.emitted("dead")).toHaveLength(3);
  expect(codes.at(-1)).toBe("unbillable");
});

describe("names that come from requests", () => {
  const names = Array.from({ length: 20 }, (_, at) => ({ agentId: `agent ${at}` }));

  it("are refused from the fourth on", async () => {
    const it = scene();
    refuse(it, "agent_unknown", ({ agentId }) => agentId !== "chat");
    const codes = await works(it, ...names);
    expect(codes.filter((code) => code === "allowed")).toHaveLength(3);
    expect(codes.at(-1)).toBe("unbillable");
  });

  it("do not keep out the customer's work that the service bills, nor other customers", async () => {
    const it = scene();
    refuse(it, "agent_unknown", ({ agentId }) => agentId !== "chat");
    await work(it);
    await works(it, ...names);
    expect(await works(it, {}, {}, { customerId: "bob" })).toEqual(["allowed", "allowed", "allowed"]);
  });

  it("leave a customer alone when none of them has been tried for ten minutes", async () => {
    const it = scene();
    refuse(it, "agent_unknown", ({ agentId }) => agentId !== "chat");
    await works(it, ...names);
    expect(await works(it, { indicator: "new" }, { indicator: "newer" })).toEqual([
      "unbillable",
      "unbillable",
    ]);
    await it.clock.advance(700_000);
    expect(await works(it, { indicator: "new" }, { indicator: "newer" })).toEqual(["allowed", "allowed"]);
  });
});

describe("a kind of work that was refused to two customers", () => {
  const refusedTo =
    (...customers: readonly string[]) =>
    async () => {
      const it = scene();
      refuse(it, "indicator_unknown", ({ customerId }) => customers.includes(customerId));
      return it;
    };

  it("is refused to all, and tried once a minute", async () => {
    const it = await refusedTo("alice", "bob", "carol", "dave")();
    const all = ["alice", "bob", "carol", "dave"].map((customerId) => ({ customerId }));
    expect(await works(it, ...all)).toEqual(["allowed", "allowed", "unbillable", "unbillable"]);
    await it.clock.advance(60_000);
    expect(await works(it, ...all.toReversed())).toEqual([
      "allowed",
      "unbillable",
      "unbillable",
      "unbillable",
    ]);
  });

  it.each([{ customerId: "nobody" }, { customerId: "poor" }, { customerId: "bob", hold: 1e6 }])(
    "is tried by who can pay, and not by who is denied: %o",
    async (denied) => {
      const it = await refusedTo("alice", "bob")();
      it.service.fund("poor", { ai_credits: wallet({ available: 0.5 }) });
      const [carol, dave] = [{ customerId: "carol" }, { customerId: "dave" }];
      expect(await works(it, {}, { customerId: "bob" }, carol)).toEqual(["allowed", "allowed", "unbillable"]);
      await it.clock.advance(60_000);
      expect(await work(it, denied)).not.toBe("allowed");
      expect(await works(it, carol, dave)).toEqual(["allowed", "allowed"]);
    },
  );

  it("is not refused to a customer of whom the service has taken it", async () => {
    const it = await refusedTo("alice", "bob")();
    const carol = { customerId: "carol" };
    expect(await works(it, carol, {}, { customerId: "bob" }, carol, carol)).toEqual(
      Array.from({ length: 5 }, () => "allowed"),
    );
  });

  it("is let in to all as soon as it is taken of anyone", async () => {
    const it = await refusedTo("alice", "bob")();
    const [carol, dave] = [{ customerId: "carol" }, { customerId: "dave" }];
    expect(await works(it, carol, {}, { customerId: "bob" }, dave)).toEqual([
      "allowed",
      "allowed",
      "allowed",
      "unbillable",
    ]);
    expect(await works(it, carol, dave)).toEqual(["allowed", "allowed"]);
  });
});

it("goes by what the service itself says, and by nothing before it", async () => {
  const it = scene();
  await work(it);
  refuse(it, "tenant_unknown");
  for (let at = 0; at < 5; at++) {
    const decision = await it.authorize(1);
    expect(outcome(decision)).toBe("allowed");
    if (decision.allowed) decision.charge.report({});
    if (decision.allowed) await decision.charge.settle();
    await it.clock.advance(0);
  }
  expect(await it.gate.status()).toMatchObject({ queued: 5, dead: 0 });
});

it("refuses work whose refusals have no code of the service's own, also before a report is taken", async () => {
  const it = scene({ outbox: createMemoryOutbox({ maxReports: 10 }) });
  const answers = (report: SentReport) =>
    report.indicator === "typo"
      ? Promise.reject(status(404, { problem: { code: "not_found" } }))
      : answer({});
  it.service.onUsage = async (report) => answers(report);
  const ask = async (indicator: string, customerId = "alice") => {
    const decision = await it.gate.authorize({ customerId, agentId: "chat", indicator, hold: 1 });
    if (decision.allowed) decision.charge.report({});
    if (decision.allowed) await decision.charge.settle();
    await it.clock.advance(5);
    return outcome(decision);
  };
  const codes: string[] = [];
  for (let at = 0; at < 20; at++) codes.push(await ask("typo"));
  expect(codes.filter((code) => code === "allowed").length).toBeLessThan(8);
  expect(codes.at(-1)).toBe("unbillable");
  expect([await ask("message"), await ask("message", "bob")]).toEqual(["allowed", "allowed"]);
  await it.clock.advance(60_000);
  expect(await it.gate.status()).toMatchObject({ queued: 0 });
});

it("refuses work whose reports fail again and again while others are taken", async () => {
  const it = scene();
  it.service.onUsage = async ({ key, customerId }) => {
    if (customerId === "bob") throw status(500);
    return answer({}, key);
  };
  const codes: string[] = [];
  await work(it);
  for (let at = 0; at < 60; at++) {
    for (const customerId of ["bob", "alice", "carol"]) {
      const decision = await it.authorize(1, customerId);
      if (customerId === "bob") codes.push(outcome(decision));
      else expect(outcome(decision)).toBe("allowed");
      if (decision.allowed) decision.charge.report({});
      if (decision.allowed) await decision.charge.settle();
      await it.clock.advance(100);
    }
  }
  expect(codes[0]).toBe("allowed");
  expect(codes.slice(-10)).toEqual(Array.from({ length: 10 }, () => "unbillable"));
});

describe("an outbox with as many dead letters as it takes", () => {
  it("admits of a customer's new kinds of work one piece at a time until its usage is taken, and is not full", async () => {
    const it = scene({ outbox: createMemoryOutbox({ maxReports: 4 }) });
    refuse(it, "agent_unknown", ({ agentId }) => agentId !== "chat");
    await works(it, {}, { customerId: "bob" });
    for (const customerId of ["alice", "bob"])
      await works(it, ...["one", "two", "three"].map((agentId) => ({ agentId, customerId })));
    expect((await it.gate.status()).dead).toBeGreaterThanOrEqual(4);
    expect(await works(it, {}, { customerId: "bob" })).toEqual(["allowed", "allowed"]);
    const charge = await it.admit(1, "carol");
    expect(await work(it, { customerId: "carol" })).toBe("unbillable");
    charge.report({ inputTokens: 1 });
    await charge.settle();
    await it.clock.advance(0);
    expect(await works(it, { customerId: "carol" }, { customerId: "carol" })).toEqual(["allowed", "allowed"]);
    const dave = { customerId: "dave", agentId: "other" };
    expect(await works(it, dave, dave, { ...dave, agentId: "another" })).toEqual([
      "allowed",
      "unbillable",
      "unbillable",
    ]);
  });
});

describe("the memory of refused work is bounded", () => {
  const kind = (at: number) => ({ agentId: `agent ${at}` });
  const kinds = Array.from({ length: 17 }, (_, at) => kind(at));
  const [first, second, last] = [kind(0), kind(1), kind(16)];

  it("to the last 16 kinds of work of a customer whose usage was taken", async () => {
    const it = scene();
    await works(it, ...kinds);
    refuse(it, "agent_unknown", ({ agentId }) => agentId.startsWith("typo"));
    await works(it, ...["typo 1", "typo 2", "typo 3"].map((agentId) => ({ agentId })));
    expect(await works(it, first, second, last)).toEqual(["unbillable", "allowed", "allowed"]);
  });

  it("to the last 16 kinds of work of a customer whose usage was refused", async () => {
    const it = scene();
    // Taken before, so that the customer's new kinds of work do not decide.
    await works(it, first, second, last);
    refuse(it, "agent_unknown");
    const request = { customerId: "alice", indicator: "message", hold: 1 };
    const decisions = await Promise.all(kinds.map((one) => it.gate.authorize({ ...request, ...one })));
    for (const decision of decisions) {
      if (!decision.allowed) throw new Error(decision.denial.code);
      decision.charge.report({ inputTokens: 1 });
      await decision.charge.settle();
    }
    await it.gate.flush({ timeoutMs: 0 });
    await it.clock.advance(0);
    expect(it.emitted("dead")).toHaveLength(17);
    expect(await works(it, second, last, first)).toEqual(["unbillable", "unbillable", "allowed"]);
  });

  const clock = createManualClock();
  const error = status(404, { problem: { code: "customer_unknown" } });
  const chat = { agentId: "chat", indicator: "message" };
  const isRefused = (work: UnbillableWork, names: object) =>
    work.refuses({ ...chat, customerId: "alice", ...names }, clock);

  it.each<[string, (work: UnbillableWork, at: number) => void, (at: number) => object]>([
    [
      "customers whose usage was refused",
      (work, at) => work.refused({ ...chat, customerId: `${at}` }, error, clock.now()),
      (at) => ({ customerId: `${at}` }),
    ],
    [
      "kinds of work that the service does not know",
      (work, at) => work.unknown({ ...chat, ...kind(at) }, clock.now()),
      kind,
    ],
  ])("to the last 10,000 %s", (_, learn, names) => {
    const work = new UnbillableWork();
    for (let at = 0; at <= 10_000; at++) learn(work, at);
    expect([0, 1, 10_000].map((at) => isRefused(work, names(at)))).toEqual([false, true, true]);
  });

  it("to the last 10,000 customers whose usage was taken", () => {
    const work = new UnbillableWork();
    for (let at = 0; at <= 10_000; at++) work.accepted({ ...chat, customerId: `${at}` }, clock);
    work.unknown(chat, clock.now());
    expect([0, 1, 10_000].map((at) => isRefused(work, { customerId: `${at}` }))).toEqual([
      true,
      false,
      false,
    ]);
  });
});
