import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createStage, signal, streamOf } from "./stage.ts";

/** The reader of a body that must be there. */
function readerOf({ body }: Response): ReadableStreamDefaultReader<Uint8Array> {
  if (body === null) throw new Error("expected a body, received none");
  return body.getReader();
}

/** A source without an end that counts how often it is asked, and remembers how it was left. */
function endlessSource() {
  const state = { pulls: 0, cancelled: [] as unknown[] };
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        state.pulls++;
        controller.enqueue(new Uint8Array(64 * 1024));
      },
      cancel: (reason) => void state.cancelled.push(reason),
    },
    { highWaterMark: 0 },
  );
  return { state, stream };
}

const defaultUsage = { model: "default" };

describe("withCredits, of a body", () => {
  beforeEach(() => void vi.spyOn(console, "warn").mockImplementation(() => {}));
  afterEach(() => vi.restoreAllMocks());

  it("reads nothing before the client does, and then one chunk for each that the client reads", async () => {
    const { gated, outcome } = createStage();
    const { state, stream } = endlessSource();
    const reader = readerOf(await gated(() => new Response(stream))());
    await outcome();
    expect(state.pulls).toBe(0);
    for (let read = 1; read <= 1_000; read++) {
      await reader.read();
      expect(state.pulls).toBe(read);
    }
    await outcome();
    expect(state.pulls).toBe(1_000);
  });

  it("hands on each chunk itself, not a copy, the empty ones too", async () => {
    const { gated } = createStage();
    const chunks = [new Uint8Array([1, 2]), new Uint8Array(0), new Uint8Array([3])];
    const reader = readerOf(await gated(() => new Response(streamOf(chunks)))());
    for (const chunk of chunks) expect((await reader.read()).value).toBe(chunk);
    expect(await reader.read()).toEqual({ done: true, value: undefined });
  });

  it("passes the bytes of a byte stream, whose source writes into the buffers that it is given", async () => {
    const { gated, outcome } = createStage();
    let written = 0;
    const stream = new ReadableStream({
      type: "bytes",
      autoAllocateChunkSize: 2,
      pull(controller) {
        const view = controller.byobRequest?.view;
        if (!(view instanceof Uint8Array)) throw new Error("expected a buffer to write into");
        view.set([++written]);
        controller.byobRequest?.respond(1);
        if (written === 4) controller.close();
      },
    });
    const response = await gated(() => new Response(stream))();
    expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([1, 2, 3, 4]);
    expect(await outcome()).toMatchObject({ settlements: 1, held: 0 });
  });

  it("has the work settled once it has been read to its end, not before", async () => {
    const { gated, outcome } = createStage();
    const handle = gated((_request, credits) => {
      const chunks = ["a", "b"].values();
      const stream = new ReadableStream({
        pull(controller) {
          const { done, value } = chunks.next();
          if (done) return controller.close();
          credits.report({ model: value }, { credits: 1 });
          controller.enqueue(new TextEncoder().encode(value));
        },
      });
      return new Response(stream);
    });
    const reader = readerOf(await handle());
    await reader.read();
    await reader.read();
    expect(await outcome()).toEqual({ settlements: 0, held: 5, billed: [] });
    await reader.read();
    expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: ["a", "b"] });
  });

  it.each([
    [200, ["default"]],
    [404, []],
  ])("that is read to its end with status %i bills %j where nothing was reported", async (status, billed) => {
    const { gated, outcome } = createStage();
    const response = await gated(() => new Response("text", { status }), { defaultUsage })();
    expect(await response.text()).toBe("text");
    expect(await outcome()).toEqual({ settlements: 1, held: 0, billed });
  });

  it("that fails midway fails for the client with the same error, and bills only what was reported", async () => {
    const { gated, outcome } = createStage();
    const failure = new Error("the model is gone");
    const handle = gated(
      (request, credits) => {
        if (request.headers.has("reports")) credits.report({ model: "m" });
        async function* chunks() {
          yield new Uint8Array([1]);
          throw failure;
        }
        return new Response(streamOf(chunks()));
      },
      { defaultUsage },
    );
    for (const headers of [{}, { reports: "1" }]) {
      const reader = readerOf(await handle(new Request("https://app.example", { headers })));
      await reader.read();
      await expect(reader.read()).rejects.toBe(failure);
    }
    expect(await outcome()).toEqual({ settlements: 2, held: 0, billed: ["m"] });
  });

  it("that was cached and is shared by clones is whole for each request, and each is billed", async () => {
    const { gated, outcome } = createStage();
    const cached = new Response("shared");
    const handle = gated(() => cached.clone(), { defaultUsage });
    for (let turn = 0; turn < 3; turn++) expect(await (await handle()).text()).toBe("shared");
    expect(await outcome()).toEqual({ settlements: 3, held: 0, billed: ["default", "default", "default"] });
  });

  describe("that the client cancels", () => {
    it.each([0, 1, 2])("after %i chunks has its source cancelled with the client's reason", async (reads) => {
      const { gated, outcome, clock } = createStage();
      const { state, stream } = endlessSource();
      const reason = new Error("enough");
      const reader = readerOf(
        await gated(() => new Response(stream), { onAbort: "default", defaultUsage })(),
      );
      for (let read = 0; read < reads; read++) await reader.read();
      await reader.cancel(reason);
      expect(state).toEqual({ pulls: reads, cancelled: [reason] });
      await clock.advance(60_000);
      expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: ["default"] });
    });

    it("while it waits for a chunk takes nothing more from its source", async () => {
      const { gated, outcome, clock } = createStage();
      const asked = signal();
      const cancelled = vi.fn();
      const stream = new ReadableStream({
        async pull() {
          asked.give();
          await new Promise(() => {});
        },
        cancel: cancelled,
      });
      const reader = readerOf(
        await gated(() => new Response(stream), { onAbort: "default", defaultUsage })(),
      );
      const read = reader.read();
      await asked.promise;
      await reader.cancel("enough");
      expect(await read).toEqual({ done: true, value: undefined });
      expect(cancelled).toHaveBeenCalledExactlyOnceWith("enough");
      await clock.advance(60_000);
      expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: ["default"] });
    });

    it("is settled once its source has been cancelled, with what that reported meanwhile", async () => {
      const { gated, outcome, emitted } = createStage();
      const counted = signal();
      const handle = gated((_request, credits) => {
        async function* chunks() {
          try {
            for (;;) yield new Uint8Array([1]);
          } finally {
            await counted.promise;
            credits.report({ model: "tokens so far" });
          }
        }
        return new Response(streamOf(chunks()));
      });
      const reader = readerOf(await handle());
      await reader.read();
      const cancelling = reader.cancel();
      expect(await outcome()).toMatchObject({ settlements: 0, held: 5 });
      counted.give();
      await cancelling;
      expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: ["tokens so far"] });
      expect(emitted("late")).toEqual([]);
    });

    it("is settled though its source cannot be cancelled, which the client is told", async () => {
      const { gated, outcome, clock } = createStage();
      const failure = new Error("cannot stop");
      const stream = new ReadableStream({ cancel: () => Promise.reject(failure) });
      const reader = readerOf(await gated(() => new Response(stream))());
      await expect(reader.cancel()).rejects.toBe(failure);
      await clock.advance(60_000);
      expect(await outcome()).toMatchObject({ settlements: 1, held: 0 });
    });

    it("is settled after abortGraceMs though another branch of it goes on, as that of a cached clone does", async () => {
      const { gated, outcome, clock } = createStage();
      const cached = new Response("shared");
      const options = { onAbort: "default", defaultUsage, abortGraceMs: 10_000 } as const;
      const handle = gated(() => cached.clone(), options);
      const cancelling = readerOf(await handle()).cancel();
      await clock.advance(9_999);
      expect(await outcome()).toMatchObject({ settlements: 0, held: 5 });
      await clock.advance(1);
      await cancelling;
      expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: ["default"] });
      expect(console.warn).toHaveBeenCalledWith(expect.stringContaining("abortGraceMs (10000 ms)"));
      expect(await cached.text()).toBe("shared");
    });
  });
});
