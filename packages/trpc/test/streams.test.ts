import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { meteredFetch } from "@creditgate/ai";
import { currentCredits, runWithCredits } from "@creditgate/ai/node";
import { requireCredits } from "@creditgate/trpc";
import { tracked } from "@trpc/server";
import { observable } from "@trpc/server/observable";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { type BilledStage, createBilledStage } from "../../core/test/billed-stage.ts";
import { signal } from "../../core/test/signal.ts";
import { type Context, connect, t } from "./stage.ts";

const paid = {
  customer: ({ ctx }: { ctx: Context }) => ctx.customer,
  agentId: "chat",
  indicator: "message",
  hold: 5,
};

let stage: BilledStage;
beforeEach(() => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  stage = createBilledStage(10);
});
afterEach(() => vi.restoreAllMocks());

const gated = (options: object = {}) =>
  t.procedure.use(requireCredits<Context>(stage.gate, { ...paid, ...options }));

async function readAll<T>(chunks: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return all;
}

describe("a query that streams", () => {
  it("is held until its generator has ended, and billed what that reported", async () => {
    const second = signal();
    const words = gated().query(async function* ({ ctx }) {
      ctx.credits.report({ model: "a" });
      yield "a";
      await second.promise;
      ctx.credits.report({ model: "b" });
      yield "b";
    });
    const client = await connect({ words });
    const chunks = await client.words.query();
    const read: string[] = [];
    for await (const chunk of chunks) {
      read.push(chunk);
      if (chunk !== "a") continue;
      expect(await stage.outcome("alice")).toMatchObject({ held: 5, settlements: 0 });
      second.give();
    }
    expect(read).toEqual(["a", "b"]);
    expect(await stage.billed()).toEqual(["a", "b"]);
  });

  it("bills a generator that throws what it reported, without defaultUsage, and its client gets the error", async () => {
    const reports: string[] = ["a"];
    const words = gated({ defaultUsage: { model: "default" } }).query(async function* ({ ctx }) {
      for (const model of reports.splice(0)) ctx.credits.report({ model });
      yield "a";
      throw new Error("of its own");
    });
    const client = await connect({ words });
    for (const settlements of [1, 2]) {
      await expect(readAll(await client.words.query())).rejects.toThrow("of its own");
      expect(await stage.billed(settlements)).toEqual(["a"]);
    }
  });

  it("ends its generator when the client disconnects, and bills what that reports then", async () => {
    const words = gated().query(async function* ({ ctx }) {
      try {
        yield "a";
        await new Promise((resolve) => ctx.credits.signal.addEventListener("abort", resolve));
        yield "b";
        ctx.credits.report({ model: "never" });
      } finally {
        ctx.credits.report({ model: "parting" });
      }
    });
    const client = await connect({ words });
    const leaving = new AbortController();
    const chunks = (await client.words.query(undefined, { signal: leaving.signal }))[Symbol.asyncIterator]();
    await chunks.next();
    leaving.abort();
    expect(await stage.billed()).toEqual(["parting"]);
    expect(await stage.outcome("alice")).toMatchObject({ held: 0 });
    expect(stage.emitted("late")).toEqual([]);
  });

  it("holds for a generator that goes on without its client, and ends it where it yields next", async () => {
    const [reached, working] = [signal(), signal()];
    const words = gated().query(async function* ({ ctx }) {
      yield "a";
      reached.give();
      await working.promise;
      ctx.credits.report({ model: "m" });
      yield "b";
      ctx.credits.report({ model: "never" });
    });
    const client = await connect({ words });
    const leaving = new AbortController();
    const chunks = (await client.words.query(undefined, { signal: leaving.signal }))[Symbol.asyncIterator]();
    await chunks.next();
    await reached.promise;
    leaving.abort();
    await stage.clock.advance(3_600_000);
    expect(await stage.outcome("alice")).toMatchObject({ held: 5, settlements: 0 });
    working.give();
    expect(await stage.billed()).toEqual(["m"]);
    expect(stage.emitted("late")).toEqual([]);
  });

  it("does not begin where the client disconnected before there was one", async () => {
    const [reached, working, begun] = [signal(), signal(), vi.fn()];
    const words = gated().query(async ({ ctx }) => {
      ctx.credits.report({ model: "m" });
      reached.give();
      await working.promise;
      return (async function* () {
        begun();
        yield "a";
      })();
    });
    const leaving = new AbortController();
    const caller = t.createCallerFactory(t.router({ words }));
    const calling = caller({ customer: "alice" }, { signal: leaving.signal }).words();
    await reached.promise;
    leaving.abort();
    working.give();
    // It is kept, and not read.
    const kept = await calling;
    expect(await stage.billed()).toEqual(["m"]);
    expect(await readAll(kept)).toEqual([]);
    expect(begun).not.toHaveBeenCalled();
  });

  it.each(["title", "words"] as const)(
    "is over with the last of the promises and iterables in its result, here in its %s",
    async (last) => {
      const later = { title: signal(), words: signal() };
      const answer = gated().query(({ ctx }) => {
        const word = async (name: "title" | "words") => {
          await later[name].promise;
          ctx.credits.report({ model: name });
          return name;
        };
        return {
          id: 7,
          title: Promise.resolve({ text: word("title") }),
          words: (async function* () {
            yield { text: word("words") };
          })(),
        };
      });
      const client = await connect({ answer });
      const { id, title, words } = await client.answer.query();
      const texts = { title: (await title).text, words: (await readAll(words))[0]?.text };
      expect(id).toBe(7);
      const first = last === "title" ? "words" : "title";
      later[first].give();
      expect(await texts[first]).toBe(first);
      expect(await stage.outcome("alice")).toMatchObject({ held: 5, settlements: 0 });
      later[last].give();
      expect(await texts[last]).toBe(last);
      expect(await stage.billed()).toEqual([first, last]);
    },
  );

  it("bills as a failure a result one of whose promises rejects", async () => {
    const answer = gated({ defaultUsage: { model: "default" } }).query(() => ({
      title: Promise.reject(new Error("of its own")),
    }));
    const client = await connect({ answer });
    const { title } = await client.answer.query();
    await expect(title).rejects.toThrow("of its own");
    expect(await stage.billed()).toEqual([]);
    expect(await stage.outcome("alice")).toMatchObject({ held: 0, settlements: 1 });
  });

  it("holds for a cancelled web stream, which may still be filled, until abortGraceMs", async () => {
    const cancelled = signal();
    const words = gated().query(({ ctx }) => {
      ctx.credits.report({ model: "a" });
      return new ReadableStream<string>({
        start: (controller) => controller.enqueue("a"),
        cancel: cancelled.give,
      });
    });
    const leaving = new AbortController();
    const caller = t.createCallerFactory(t.router({ words }));
    const chunks = await caller({ customer: "alice" }, { signal: leaving.signal }).words();
    const reading = (chunks as unknown as AsyncIterable<string>)[Symbol.asyncIterator]();
    expect((await reading.next()).value).toBe("a");
    leaving.abort();
    await cancelled.promise;
    await stage.clock.advance(59_999);
    expect(await stage.outcome("alice")).toMatchObject({ held: 5, settlements: 0 });
    await stage.clock.advance(1);
    expect(await stage.billed()).toEqual(["a"]);
  });

  it("gives its hold back where tRPC refuses to send it, since its client has not asked for a stream", async () => {
    setFlagsFromString("--expose-gc");
    const collect: () => void = runInNewContext("gc");
    const started = vi.fn();
    const words = gated({ defaultUsage: { model: "default" } }).query(async function* () {
      started();
      yield "a";
    });
    const client = await connect({ words }, "alone");
    await expect(client.words.query()).rejects.toMatchObject({ data: { code: "UNSUPPORTED_MEDIA_TYPE" } });
    await vi.waitUntil(
      async () => {
        collect();
        return (await stage.outcome("alice")).held === 0;
      },
      { timeout: 30_000 },
    );
    expect(started).not.toHaveBeenCalled();
  });

  it("ends for a server-side caller when that stops reading", async () => {
    const words = gated().query(async function* ({ ctx }) {
      try {
        yield "a";
        yield "b";
      } finally {
        ctx.credits.report({ model: ctx.credits.signal.aborted ? "told" : "not told" });
      }
    });
    const caller = t.createCallerFactory(t.router({ words }))({ customer: "alice" });
    for await (const word of await caller.words()) {
      expect(word).toBe("a");
      break;
    }
    expect(await stage.billed()).toEqual(["told"]);
  });

  it("finds its charge by runWithCredits(), so that a metered model bills it", async () => {
    const usage = { prompt_tokens: 12, completion_tokens: 40, total_tokens: 52 };
    const completion = { id: "c", object: "chat.completion", model: "gpt-5", choices: [], usage };
    const ask = meteredFetch(currentCredits, { fetch: async () => Response.json(completion), logger: false });
    const answer = gated().query(({ ctx }) =>
      runWithCredits(ctx.credits, async () => {
        const body = JSON.stringify({ model: "gpt-5", messages: [] });
        await (await ask("https://api.openai.com/v1/chat/completions", { method: "POST", body })).text();
        return "answered";
      }),
    );
    const client = await connect({ answer });
    expect(await client.answer.query()).toBe("answered");
    expect(await stage.billed()).toEqual(["gpt-5"]);
  });
});

describe("a subscription over server-sent events", () => {
  it("is held while it lasts, and billed when its generator has ended", async () => {
    const second = signal();
    const words = gated()
      .input(z.object({ lastEventId: z.string().nullish() }).optional())
      .subscription(async function* ({ ctx }) {
        ctx.credits.report({ model: "a" });
        yield tracked("1", "a");
        await second.promise;
        yield tracked("2", "b");
      });
    const client = await connect({ words }, "events");
    const read: unknown[] = [];
    await new Promise<void>((resolve, reject) => {
      client.words.subscribe(undefined, {
        async onData({ data }) {
          read.push(data);
          if (data === "a") {
            expect(await stage.outcome("alice")).toMatchObject({ held: 5, settlements: 0 });
            second.give();
          }
        },
        onError: reject,
        onComplete: resolve,
      });
    });
    expect(read).toEqual(["a", "b"]);
    expect(await stage.billed()).toEqual(["a"]);
  });

  it.each(["generator", "observable"] as const)("of a %s ends when its client unsubscribes", async (kind) => {
    const words = gated();
    const procedures = {
      generator: words.subscription(async function* ({ ctx }) {
        yield "a";
        await new Promise((resolve) => ctx.credits.signal.addEventListener("abort", resolve));
        ctx.credits.report({ model: "parting" });
      }),
      observable: words.subscription(({ ctx }) =>
        observable<string>(({ next }) => {
          next("a");
          ctx.credits.signal.addEventListener("abort", () => ctx.credits.report({ model: "parting" }));
        }),
      ),
    };
    const client = await connect(procedures, "events");
    await new Promise<void>((resolve, reject) => {
      const subscription = client[kind].subscribe(undefined, {
        onData() {
          subscription.unsubscribe();
          resolve();
        },
        onError: reject,
      });
    });
    expect(await stage.billed()).toEqual(["parting"]);
    expect(await stage.outcome("alice")).toMatchObject({ held: 0 });
  });

  it("of an observable is billed when that completes", async () => {
    const words = gated().subscription(({ ctx }) =>
      observable<string>(({ next, complete }) => {
        ctx.credits.report({ model: "a" });
        next("a");
        complete();
      }),
    );
    const client = await connect({ words }, "events");
    const read: string[] = [];
    await new Promise<void>((resolve, reject) => {
      client.words.subscribe(undefined, {
        onData: (data) => read.push(data),
        onError: reject,
        onComplete: resolve,
      });
    });
    expect(read).toEqual(["a"]);
    expect(await stage.billed()).toEqual(["a"]);
  });

  it("is denied with the denial in data.credits", async () => {
    const words = gated({ hold: 11 }).subscription(async function* () {
      yield "a";
    });
    const client = await connect({ words }, "events");
    const error = await new Promise((resolve) => {
      client.words.subscribe(undefined, { onError: resolve });
    });
    expect(error).toMatchObject({ data: { code: "PAYMENT_REQUIRED", credits: { shortfall: 1 } } });
    expect(stage.emitted("decision")).toHaveLength(1);
  });
});
