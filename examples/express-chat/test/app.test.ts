import { describe, expect, it, vi } from "vitest";
import { createApp } from "../src/app.ts";
import { createStandInModel } from "../src/stand-in-model.ts";
import { serve } from "./local-server.ts";
import { createTestGate } from "./test-gate.ts";

const quick = createStandInModel({ pause: async () => {} });

type Model = typeof quick;

async function start({ available = 10, llm = quick }: { available?: number; llm?: Model } = {}) {
  const { gate, billed, late } = createTestGate(available);
  const url = await serve(createApp({ gate, llm }));
  const ask = (
    body: unknown,
    { token = "demo-alice", signal }: { token?: string; signal?: AbortSignal } = {},
  ) =>
    fetch(`${url}/chat`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    });
  return { url, gate, ask, billed, late };
}

/** Says five words, then one more whenever `go` is called. */
function steppedModel() {
  let go = (): void => {};
  let spoken = 0;
  const model = createStandInModel({
    pause: () => (spoken++ < 5 ? Promise.resolve() : new Promise<void>((resolve) => (go = resolve))),
  });
  return { llm: model, go: () => go() };
}

describe("createApp", () => {
  it("streams the answer and bills the tokens of it", async () => {
    const { ask, billed, late } = await start();

    const response = await ask({ message: "Explain credits in 40 words" });

    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect((await response.text()).trim().split(" ")).toHaveLength(40);
    expect(await billed()).toEqual([
      { provider: "local", model: "stand-in", inputTokens: 5, outputTokens: 40 },
    ]);
    expect(late()).toBe(0);
  });

  it("sends the first words while the model still speaks", async () => {
    const { llm, go } = steppedModel();
    const { ask } = await start({ llm });

    const response = await ask({ message: "Six words, that is 6 words" });
    const reader = response.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toContain("You");
    go();
    while ((await reader?.read())?.done === false);
  });

  it("answers 402 to a customer who cannot pay for the longest answer, and asks no model", async () => {
    const doStream = vi.fn(quick.doStream);
    const { ask, billed } = await start({ available: 0.99, llm: { ...quick, doStream } });

    const response = await ask({ message: "Hello" });

    expect(response.status).toBe(402);
    expect(await response.json()).toMatchObject({
      code: "insufficient_credits",
      required: 1,
      available: 0.99,
    });
    expect(doStream).not.toHaveBeenCalled();
    expect(await billed()).toEqual([]);
  });

  it("answers 401 to a caller it does not know", async () => {
    const { url, ask } = await start();

    expect((await ask({ message: "Hello" }, { token: "alice" })).status).toBe(401);
    expect((await fetch(`${url}/balance`)).status).toBe(401);
  });

  it.each([{}, { message: 3 }, { message: " " }, { message: "x".repeat(4_001) }, []])(
    "answers 400 to a body that is no message, and bills nothing: %j",
    async (body) => {
      const { ask, billed, gate } = await start();

      const response = await ask(body);

      expect(response.status).toBe(400);
      expect(response.headers.get("content-type")).toContain("application/problem+json");
      expect(await billed()).toEqual([]);
      expect(await gate.balance("alice")).toMatchObject({ held: 0, unconfirmed: 0 });
    },
  );

  it("stops the model when the client disconnects, and bills what it has said by then", async () => {
    const { llm, go } = steppedModel();
    let stopped: AbortSignal | undefined;
    const { ask, billed, late, gate } = await start({
      llm: {
        ...llm,
        doStream(options) {
          stopped = options.abortSignal;
          return llm.doStream(options);
        },
      },
    });
    const leaving = new AbortController();

    const response = await ask({ message: "Explain credits in 90 words" }, { signal: leaving.signal });
    await response.body?.getReader().read();
    expect(await gate.balance("alice")).toMatchObject({ held: 1 });
    leaving.abort();

    await vi.waitFor(() => expect(stopped?.aborted).toBe(true), { timeout: 30_000 });
    go();
    await vi.waitFor(async () => expect(await billed()).toHaveLength(1), { timeout: 30_000 });
    // Estimated, since a model that is stopped does not say: a word is a token or two.
    const [{ outputTokens = 0 } = {}] = await billed();
    expect(outputTokens).toBeGreaterThanOrEqual(5);
    expect(outputTokens).toBeLessThanOrEqual(10);
    expect(late()).toBe(0);
    expect(await gate.balance("alice")).toMatchObject({ held: 0, unconfirmed: outputTokens / 100 });
  });

  it("serves who stops an answer and asks again at once, each time, on a wallet of three answers", async () => {
    const { ask, gate, billed } = await start({ available: 3, llm: patientModel });
    for (let question = 1; question <= 10; question++) {
      const stop = new AbortController();
      const response = await ask({ message: "Explain credits in 90 words" }, { signal: stop.signal });
      expect([question, response.status]).toEqual([question, 200]);
      stop.abort();
    }
    await vi.waitFor(async () => expect(await gate.balance("alice")).toMatchObject({ held: 0 }), {
      timeout: 30_000,
    });
    expect(await billed()).toHaveLength(10);
  });

  it("answers 502 when the model cannot be reached, and bills nothing", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const { ask, billed, gate } = await start({
      llm: { ...quick, doStream: () => Promise.reject(new Error("away")) },
    });

    const response = await ask({ message: "Hello" });

    expect(response.status).toBe(502);
    expect(await response.json()).toEqual({ status: 502, detail: "This cannot be answered at the moment." });
    expect(await billed()).toEqual([]);
    expect(await gate.balance("alice")).toMatchObject({ held: 0, unconfirmed: 0 });
  });

  it("breaks the answer off when the model does, and bills what it has said", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const { ask, billed } = await start({ llm: failingAfter(3) });

    const response = await ask({ message: "Hello" });

    await expect(response.text()).rejects.toThrow();
    await vi.waitFor(async () => expect(await billed()).toMatchObject([{ outputTokens: 3 }]), {
      timeout: 30_000,
    });
  });

  it("shows the wallet as the gate sees it", async () => {
    const { url, ask, gate } = await start({ available: 10 });
    const balance = async () => {
      const response = await fetch(`${url}/balance`, { headers: { authorization: "Bearer demo-alice" } });
      return response.json();
    };

    expect(await balance()).toEqual({ held: 0, unconfirmed: 0 });
    await (await ask({ message: "20 words" })).text();
    await gate.flush();
    expect(await balance()).toEqual({ capacity: 10, held: 0, unconfirmed: 0.2 });
  });
});

/** Says what is yielded. */
function saying(words: (signal: AbortSignal | undefined) => AsyncGenerator<string>): Model {
  return {
    ...quick,
    async doStream({ abortSignal }) {
      const said = words(abortSignal);
      const stream = new ReadableStream({
        start: (controller) => controller.enqueue({ type: "text-start", id: "1" }),
        async pull(controller) {
          const { done, value } = await said.next();
          if (done) controller.close();
          else controller.enqueue({ type: "text-delta", id: "1", delta: value });
        },
      });
      return { stream };
    },
  };
}

/** Says one word, and then waits until it is stopped. */
const patientModel: Model = saying(async function* (signal) {
  yield "word ";
  await new Promise((resolve) => signal?.addEventListener("abort", resolve));
});

/** Says this number of words, and then throws. */
function failingAfter(words: number): Model {
  return saying(async function* () {
    for (let said = 0; said < words; said++) yield "word ";
    // The words are on their way before the failure is.
    await new Promise((resolve) => setImmediate(resolve));
    throw new Error("the model is down");
  });
}
