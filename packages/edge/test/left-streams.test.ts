import type { Charge } from "@creditgate/core";
import { creditsMiddleware, withCredits } from "@creditgate/edge";
import { Hono } from "hono";
import { streamSSE, streamText } from "hono/streaming";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createStage, paid, type Stage, signal, streamOf } from "./stage.ts";

type Fetch = (request: Request) => Response | Promise<Response>;
/** Works for the answer, and says each part of it as soon as it is known. */
type Work = (credits: Charge, say: (text: string) => Promise<unknown>) => Promise<void>;

const encode = (text: string) => new TextEncoder().encode(text);

async function* generate(credits: Charge, work: Work): AsyncGenerator<Uint8Array> {
  const said: string[] = [];
  yield encode("a");
  await work(credits, async (text) => said.push(text));
  for (const text of said) yield encode(text);
}

function answering(make: (credits: Charge, work: Work) => ReadableStream) {
  return ({ gate }: Stage, work: Work): Fetch =>
    withCredits(gate, paid, (_request, { credits }) => new Response(make(credits, work)));
}

function onHono(answer: (context: Parameters<typeof streamSSE>[0], credits: Charge, work: Work) => Response) {
  return ({ gate }: Stage, work: Work): Fetch => {
    const app = new Hono<{ Variables: { credits: Charge } }>();
    app.use(creditsMiddleware(gate, paid));
    app.get("/chat", (context) => answer(context, context.var.credits, work));
    return (request) => app.fetch(request);
  };
}

/** The ways to answer with a stream; only the first stops when it is cancelled. */
const shapes: { readonly [shape: string]: (stage: Stage, work: Work) => Fetch } = {
  "a generator": answering((credits, work) => streamOf(generate(credits, work))),
  "a loop in start()": answering(
    (credits, work) =>
      new ReadableStream({
        async start(controller) {
          controller.enqueue(encode("a"));
          await work(credits, async (text) => controller.enqueue(encode(text)));
          controller.close();
        },
      }),
  ),
  "a TransformStream with a writer in the background": answering((credits, work) => {
    const { readable, writable } = new TransformStream();
    const writer = writable.getWriter();
    const write = async () => {
      await writer.write(encode("a"));
      await work(credits, (text) => writer.write(encode(text)));
      await writer.close();
    };
    write().catch((error) => writer.abort(error).catch(() => {}));
    return readable;
  }),
  "streamSSE of Hono": onHono((context, credits, work) =>
    streamSSE(context, async (stream) => {
      await stream.writeSSE({ data: "a" });
      await work(credits, (data) => stream.writeSSE({ data }));
    }),
  ),
  "streamText of Hono": onHono((context, credits, work) =>
    streamText(context, async (stream) => {
      await stream.write("a");
      await work(credits, (text) => stream.write(text));
    }),
  ),
};

describe.each(Object.entries(shapes))("a client that disconnects the answer of %s", (_shape, start) => {
  beforeEach(() => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    vi.spyOn(console, "error").mockImplementation(() => {});
  });
  afterEach(() => vi.restoreAllMocks());

  /** Asks, reads the beginning of the answer, waits until the model works, and leaves. */
  async function openAndLeave(fetch: Fetch, working: () => Promise<void>): Promise<number> {
    const client = new AbortController();
    const response = await fetch(new Request("https://app.example/chat", { signal: client.signal }));
    if (response.status === 200) {
      const reader = response.body?.getReader();
      await reader?.read();
      reader?.read().catch(() => {});
      await working();
    }
    client.abort();
    return response.status;
  }

  it("has at most one call of a model at a time that is deaf to it, where the wallet pays for one", async () => {
    const stage = createStage(5, { minRefreshMs: 0 });
    const [working, finish] = [signal(), signal()];
    let [running, peak, calls] = [0, 0, 0];
    const fetch = start(stage, async (credits, say) => {
      calls++;
      peak = Math.max(peak, ++running);
      working.give();
      await finish.promise;
      running--;
      credits.report({ model: "m" });
      await say("b");
    });
    const statuses: number[] = [];
    for (let client = 0; client < 30; client++) {
      statuses.push(await openAndLeave(fetch, () => working.promise));
      await stage.clock.advance(100);
    }
    expect(statuses).toEqual([200, ...Array(29).fill(402)]);
    expect(await stage.outcome()).toMatchObject({ settlements: 0, held: 5 });
    finish.give();
    await stage.clock.advance(60_000);
    expect([peak, calls]).toEqual([1, 1]);
    expect(await stage.outcome()).toEqual({ settlements: 1, held: 0, billed: ["m"] });
    expect(stage.emitted("late")).toEqual([]);
  });

  it("is served again at once, each time, where the model heeds the signal and the wallet pays for three", async () => {
    const stage = createStage(15, { price: () => 0.01, minRefreshMs: 0 });
    let working = signal();
    const fetch = start(stage, async (credits) => {
      const { signal: left } = credits;
      try {
        await new Promise((_resolve, reject) => {
          left.addEventListener("abort", () => reject(left.reason));
          working.give();
        });
      } finally {
        credits.report({ model: "so far" });
      }
    });
    for (let question = 1; question <= 10; question++) {
      working = signal();
      expect(await openAndLeave(fetch, () => working.promise)).toBe(200);
      expect(await stage.outcome()).toMatchObject({ settlements: question, held: 0 });
    }
    expect(stage.emitted("late")).toEqual([]);
  });
});

describe("an answer that nobody reads, since another has answered in its place,", () => {
  beforeEach(() => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
  });
  afterEach(() => vi.restoreAllMocks());

  it("is dropped after abortGraceMs: the signal fires, and its hold goes back", async () => {
    const stage = createStage(5);
    const [cancelled, emitted] = [vi.fn(), vi.fn()];
    const fetch = stage.gated(
      (_request, credits) => {
        credits.signal.addEventListener("abort", () => {
          emitted();
          credits.report({ model: "so far" });
        });
        return new Response(new ReadableStream({ cancel: cancelled }));
      },
      { abortGraceMs: 20_000 },
    );
    await fetch();
    await stage.clock.advance(19_999);
    expect(await stage.outcome()).toMatchObject({ held: 5, billed: [] });
    expect(emitted).not.toHaveBeenCalled();
    await stage.clock.advance(1);
    expect(await stage.outcome()).toEqual({ settlements: 1, held: 0, billed: ["so far"] });
    expect([emitted, cancelled].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
  });

  it("is billed if it is complete, of which the first chunk is read and no more, as workerd does for a client that has gone", async () => {
    const stage = createStage(5);
    let signal: AbortSignal | undefined;
    const fetch = stage.gated(
      (_request, credits) => {
        signal = credits.signal;
        credits.report({ model: "m" });
        return new Response("a");
      },
      { abortGraceMs: 0 },
    );
    const reader = (await fetch()).body?.getReader();
    await reader?.read();
    await stage.clock.advance(999);
    expect(await stage.outcome()).toMatchObject({ settlements: 0, held: 5 });
    await stage.clock.advance(1);
    expect(await stage.outcome()).toEqual({ settlements: 1, held: 0, billed: ["m"] });
    expect(signal?.aborted).toBe(false);
    expect(await reader?.read()).toEqual({ done: true, value: undefined });
  });

  it("is not dropped once it is read, however slowly", async () => {
    const stage = createStage(5);
    const fetch = stage.gated(() => new Response(streamOf([encode("a"), encode("b")])), { abortGraceMs: 0 });
    const reader = (await fetch()).body?.getReader();
    await reader?.read();
    await stage.clock.advance(120_000);
    expect(await stage.outcome()).toMatchObject({ settlements: 0, held: 5 });
    expect((await reader?.read())?.value).toEqual(encode("b"));
    await reader?.read();
    expect(await stage.outcome()).toMatchObject({ settlements: 1, held: 0 });
  });
});
