import { getEventListeners } from "node:events";
import type { Usage } from "@creditgate/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createStage, signal } from "./stage.ts";

/** A request whose client can leave. */
function leavable(): { readonly request: Request; leave(reason?: unknown): void } {
  const client = new AbortController();
  const request = new Request("https://app.example/chat", { signal: client.signal });
  return { request, leave: (reason) => client.abort(reason) };
}

/** Nothing shows before that whether the work of a cancelled stream goes on. */
const grace = 60_000;

/** Bills what tells an aborted request from one that ended otherwise. */
const policy = {
  defaultUsage: { model: "default" },
  onAbort: (reported: readonly Usage[]) => ({ model: `left after ${reported.length}` }),
};

/** A source that remembers how it was treated. */
function watchedSource() {
  const state = { pulls: 0, cancelled: [] as unknown[] };
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        state.pulls++;
        controller.enqueue(new Uint8Array([state.pulls]));
      },
      cancel: (reason) => void state.cancelled.push(reason),
    },
    { highWaterMark: 0 },
  );
  return { state, stream };
}

describe("withCredits, of a client that disconnects", () => {
  beforeEach(() => void vi.spyOn(console, "warn").mockImplementation(() => {}));
  afterEach(() => vi.restoreAllMocks());

  it("before it was asked runs no handler, and gives the hold back", async () => {
    const { gated, outcome } = createStage();
    const { request, leave } = leavable();
    leave();
    const handler = vi.fn(() => new Response());
    expect((await gated(handler, policy)(request)).status).toBe(499);
    expect(handler).not.toHaveBeenCalled();
    expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: [] });
  });

  it("between the decision and the handler runs no handler, and gives the hold back", async () => {
    const { gate, gated, outcome } = createStage();
    const { request, leave } = leavable();
    gate.on("decision", () => leave());
    const handler = vi.fn(() => new Response());
    expect((await gated(handler, policy)(request)).status).toBe(499);
    expect(handler).not.toHaveBeenCalled();
    expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: [] });
  });

  it("while its handler works is billed by onAbort, once the handler has returned", async () => {
    const { gated, outcome } = createStage();
    const { request, leave } = leavable();
    const working = signal();
    const answering = gated(async (_request, credits) => {
      leave();
      await working.promise;
      credits.report({ model: "m" });
      return new Response(null, { status: 204 });
    }, policy)(request);
    expect(await outcome()).toMatchObject({ settlements: 0, held: 5 });
    working.give();
    expect((await answering).status).toBe(204);
    expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: ["left after 1"] });
  });

  it("while its handler works has the body that comes of it cancelled, with its reason and unread", async () => {
    const { gated, outcome, clock } = createStage();
    const { request, leave } = leavable();
    const { state, stream } = watchedSource();
    const reason = new Error("gone");
    const response = await gated(async () => {
      leave(reason);
      return new Response(stream);
    }, policy)(request);
    await clock.advance(grace);
    expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: ["left after 0"] });
    expect(state).toEqual({ pulls: 0, cancelled: [reason] });
    await expect(response.text()).rejects.toBe(reason);
  });

  it("and whose handler fails of that is billed by onAbort; the error is the framework's", async () => {
    const { gated, outcome } = createStage();
    const { request, leave } = leavable();
    const answering = gated(async ({ signal }) => {
      leave();
      signal.throwIfAborted();
      return new Response();
    }, policy)(request);
    await expect(answering).rejects.toThrow("aborted");
    expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: ["left after 0"] });
  });

  it("amid the body has its source cancelled with its reason, and is billed once", async () => {
    const { gated, outcome, clock } = createStage();
    const { request, leave } = leavable();
    const { state, stream } = watchedSource();
    const { body } = await gated(() => new Response(stream), policy)(request);
    const reader = body?.getReader();
    await reader?.read();
    const reason = new Error("gone");
    leave(reason);
    await expect(reader?.read()).rejects.toBe(reason);
    await expect(reader?.cancel()).rejects.toBe(reason);
    expect(state).toEqual({ pulls: 1, cancelled: [reason] });
    await clock.advance(grace);
    expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: ["left after 0"] });
  });

  it("while a chunk is awaited is billed once its source has been cancelled, with what that reported", async () => {
    const { gated, outcome } = createStage();
    const { request, leave } = leavable();
    const asked = signal();
    const counted = signal();
    const handle = gated((_request, credits) => {
      const stream = new ReadableStream({
        async pull() {
          asked.give();
          await new Promise(() => {});
        },
        async cancel() {
          await counted.promise;
          credits.report({ model: "m" });
        },
      });
      return new Response(stream);
    }, policy);
    const reading = (await handle(request)).text();
    await asked.promise;
    leave();
    await expect(reading).rejects.toThrow("aborted");
    expect(await outcome()).toMatchObject({ settlements: 0, held: 5 });
    counted.give();
    expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: ["left after 1"] });
  });

  it("is billed by onAbort though the source fails of the same abort", async () => {
    const { gated, outcome, clock } = createStage();
    const { request, leave } = leavable();
    const asked = signal();
    const handle = gated(({ signal }) => {
      const stream = new ReadableStream({
        start(controller) {
          signal.addEventListener("abort", () => controller.error(signal.reason));
        },
        pull: () => asked.give(),
      });
      return new Response(stream);
    }, policy);
    const reading = (await handle(request)).text();
    await asked.promise;
    leave();
    await expect(reading).rejects.toThrow("aborted");
    await clock.advance(grace);
    expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: ["left after 0"] });
  });

  it("after the body has ended was served, and is billed as such", async () => {
    const { gated, outcome } = createStage();
    const { request, leave } = leavable();
    await (await gated(() => new Response("text"), policy)(request)).text();
    leave();
    expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: ["default"] });
  });

  it.each([
    ["been read to its end", (response: Response) => response.text()],
    ["been cancelled", (response: Response) => response.body?.cancel()],
  ])("is no longer listened for once the body has %s", async (_how, consume) => {
    const { gated } = createStage();
    const { request } = leavable();
    const response = await gated(() => new Response("text"))(request);
    expect(getEventListeners(request.signal, "abort")).toHaveLength(1);
    await consume(response);
    expect(getEventListeners(request.signal, "abort")).toEqual([]);
  });

  it("amid the body is told by the signal of the charge, also where only its body is cancelled", async () => {
    const { gated } = createStage();
    const fired: boolean[] = [];
    const handle = gated((_request, credits) => {
      const { signal } = credits;
      return new Response(new ReadableStream({ cancel: () => void fired.push(signal.aborted) }));
    });
    await (await handle()).body?.cancel();
    const { request, leave } = leavable();
    await handle(request);
    leave();
    await vi.waitFor(() => expect(fired).toEqual([true, true]), { timeout: 30_000 });
  });

  it("while its handler works has the signal of the charge fire at once", async () => {
    const { gated, outcome } = createStage();
    const { request, leave } = leavable();
    const answering = gated(async (_request, { signal }) => {
      await new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
        leave();
      });
      return new Response();
    }, policy)(request);
    await expect(answering).rejects.toThrow("aborted");
    expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: ["left after 0"] });
  });

  it("holds as long as its handler works, however long that takes, and denies others meanwhile", async () => {
    const { gated, outcome, clock } = createStage(5, { minRefreshMs: 0 });
    const { request, leave } = leavable();
    const working = signal();
    const handle = gated(async () => {
      await working.promise;
      return new Response(null, { status: 204 });
    }, policy);
    const answering = handle(request);
    await clock.advance(0);
    leave();
    await clock.advance(3_600_000);
    expect(await outcome()).toEqual({ settlements: 0, held: 5, billed: [] });
    const denied = await handle();
    expect([denied.status, (await denied.json()).retryable]).toEqual([402, true]);
    working.give();
    await answering;
    expect(await outcome()).toEqual({ settlements: 1, held: 0, billed: ["left after 0"] });
  });

  it("after its body was answered leaves the signal as it is", async () => {
    const { gated } = createStage();
    const { request, leave } = leavable();
    let charged: AbortSignal | undefined;
    const handle = gated((_request, credits) => {
      charged = credits.signal;
      return new Response("text");
    });
    await (await handle(request)).text();
    leave();
    expect(charged?.aborted).toBe(false);
  });
});
