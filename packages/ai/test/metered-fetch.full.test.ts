import { meteredFetch, meteredModel } from "@creditgate/ai";
import { createManualClock } from "@creditgate/core/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ai5 } from "./ai5.ts";
import { ai6 } from "./ai6.ts";
import { ai7 } from "./ai7.ts";
import { Provider } from "./provider.ts";
import { TestCharge } from "./test-charge.ts";
import { blocksOf, emitted, formats, pieces, type Wire, wires } from "./wire-format.ts";

const total = { inputTokens: emitted.inputTokens, outputTokens: emitted.outputTokens };
const paths: Readonly<Record<Wire, string>> = {
  chat: "/v1/chat/completions",
  responses: "/v1/responses",
  anthropic: "/v1/messages",
  gemini: "/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse",
};
const prompt = "What is a wallet?";
const asked = {
  model: "m",
  stream: true,
  messages: [{ role: "user", content: prompt }],
};

interface Answered {
  readonly chunks: readonly Uint8Array[];
  /** Fails after the chunks, instead of ending. */
  readonly isCut?: boolean;
  readonly type?: string;
  readonly status?: number;
}

/** A fetch that answers so, chunk by chunk as they are asked for. */
function answering({ chunks, isCut = false, type = "text/event-stream", status = 200 }: Answered) {
  const sent: { input: unknown; init: RequestInit | undefined }[] = [];
  let pulled = 0;
  const send: typeof fetch = async (input, init) => {
    sent.push({ input, init });
    let next = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          const chunk = chunks[next++];
          pulled++;
          if (chunk !== undefined) controller.enqueue(chunk);
          else if (isCut) controller.error(new TypeError("terminated"));
          else controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    return new Response(body, { status, headers: { "content-type": type, "x-own": "kept" } });
  };
  return {
    send,
    sent,
    get pulled() {
      return pulled;
    },
  };
}

const bytes = (text: string) => new TextEncoder().encode(text);

/** What of a stream passes: all of it, but for the chunk that had to be asked for. */
function passing(wire: Wire, blocks: readonly string[]): string {
  return blocks.filter((block) => wire !== "chat" || !block.includes('"choices":[],')).join("");
}

async function call(wire: Wire, charge: TestCharge, send: typeof fetch): Promise<Response> {
  const metered = meteredFetch(charge, { ...charge.options, fetch: send });
  const init = { method: "POST", body: JSON.stringify(asked) };
  return metered(`https://provider.example${paths[wire]}`, init);
}

describe.each(wires)("meteredFetch over %s", (wire) => {
  const blocks = blocksOf(formats[wire]);
  // Fewer pieces, one of them of characters of several bytes.
  const short = blocksOf(formats[wire], undefined, pieces.slice(9, 12));
  const whole = bytes(short.join(""));

  it("bills the same, and passes the same, wherever the wire cuts the stream in two", async () => {
    const passed = passing(wire, short);
    for (let at = 0; at <= whole.length; at++) {
      const charge = new TestCharge();
      const { send } = answering({ chunks: [whole.slice(0, at), whole.slice(at)] });
      const text = await (await call(wire, charge, send)).text();
      if (text !== passed) expect([at, text]).toEqual([at, passed]);
      const [report] = charge.reports;
      const isBilled =
        report?.inputTokens === total.inputTokens && report.outputTokens === total.outputTokens;
      if (!isBilled || charge.reports.length !== 1) expect([at, charge.reports]).toEqual([at, [total]]);
    }
  });

  it("bills the same byte for byte, and with the line ends of Windows", async () => {
    for (const text of [short.join(""), short.join("").replaceAll("\n", "\r\n")]) {
      const charge = new TestCharge();
      const chunks = Array.from(bytes(text), (byte) => new Uint8Array([byte]));
      await (await call(wire, charge, answering({ chunks }).send)).text();
      expect(charge.calls).toMatchObject([{ usage: emitted, ending: "finished", estimated: [] }]);
    }
  });

  it("bills once, and no more than was written, wherever the connection breaks", async () => {
    let exact = 0;
    for (let at = whole.length; at >= 0; at -= 2) {
      const charge = new TestCharge();
      const { send } = answering({ chunks: [whole.slice(0, at)], isCut: true });
      const response = await call(wire, charge, send);
      await expect(response.text()).rejects.toThrow("terminated");
      charge.settle();
      expect(charge.reports).toHaveLength(1);
      const [{ usage, estimated } = { usage: {}, estimated: [] }] = charge.calls;
      if (estimated.length === 0) exact++;
      expect(usage.outputTokens).toBeLessThanOrEqual(20);
      expect(usage.inputTokens).toBeGreaterThan(0);
    }
    expect(exact).toBeGreaterThan(0);
  });

  it("reads the provider only when its caller reads, and no further", async () => {
    const charge = new TestCharge();
    const source = answering({ chunks: blocks.map(bytes) });
    const reader = (await call(wire, charge, source.send)).body?.getReader();
    expect(source.pulled).toBe(0);
    await reader?.read();
    expect(source.pulled).toBe(1);
    await reader?.read();
    expect(source.pulled).toBe(2);
    await reader?.cancel();
    expect(charge.calls).toMatchObject([{ ending: "aborted" }]);
  });

  it("stops a drain after its time, or its tokens", async () => {
    const clock = createManualClock();
    for (const drain of [
      { ms: 1_000, tokens: 1_000 },
      { ms: 60_000, tokens: 2 },
    ]) {
      const charge = new TestCharge();
      let push: (text: string) => void = () => {};
      let cancelled: () => void = () => {};
      const stopped = new Promise<void>((resolve) => {
        cancelled = resolve;
      });
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          push = (text) => controller.enqueue(bytes(text));
        },
        cancel: () => cancelled(),
      });
      const send: typeof fetch = async () =>
        new Response(body, { headers: { "content-type": "text/event-stream" } });
      const metered = meteredFetch(charge, { ...charge.options, fetch: send, drain, clock });
      const init = { method: "POST", body: JSON.stringify(asked) };
      const reader = (await metered(`https://x${paths[wire]}`, init)).body?.getReader();
      const before = formats[wire].before().length;
      push(blocks.slice(0, before + 3).join(""));
      await reader?.read();
      await reader?.cancel();
      expect(charge.reports).toHaveLength(0);
      push(blocks.slice(before + 3, before + 5).join(""));
      if (drain.ms === 1_000) await clock.advance(1_000);
      else push(blocks.slice(before + 5, before + 6).join(""));
      await stopped;
      expect(charge.calls).toMatchObject([{ ending: "aborted" }]);
      expect(charge.calls[0]?.estimated).toContain("outputTokens");
    }
  });

  it("ends a drain when its work is billed", async () => {
    const charge = new TestCharge();
    const source = answering({ chunks: blocks.map(bytes) });
    const metered = meteredFetch(charge, {
      ...charge.options,
      fetch: source.send,
      drain: { ms: 60_000, tokens: 1_000 },
    });
    const response = await metered(`https://x${paths[wire]}`, {
      method: "POST",
      body: JSON.stringify(asked),
    });
    await response.body?.cancel();
    charge.settle();
    expect(charge.calls).toMatchObject([{ ending: "left" }]);
    expect(source.sent[0]?.init?.signal?.aborted).toBe(true);
  });
});

describe("meteredFetch", () => {
  const json = (body: unknown) =>
    answering({ chunks: [bytes(JSON.stringify(body))], type: "application/json" });
  const post = { method: "POST", body: JSON.stringify({ ...asked, stream: false }) };

  it("keeps status, headers and address of an answer", async () => {
    const charge = new TestCharge();
    const { send } = json(formats.chat.body());
    const withUrl: typeof fetch = async (input, init) =>
      Object.defineProperty(await send(input, init), "url", { value: String(input) });
    const response = await meteredFetch(charge, { fetch: withUrl })("https://x/v1/chat/completions", post);
    expect(response.url).toBe("https://x/v1/chat/completions");
    expect(response.headers.get("x-own")).toBe("kept");
    expect(await response.json()).toEqual(formats.chat.body());
  });

  it.each([
    ["a URL", (url: string) => [new URL(url), post] as const],
    ["a Request", (url: string) => [new Request(url, post), undefined] as const],
    ["a Request and an init", (url: string) => [new Request(url, { method: "POST" }), post] as const],
    ["bytes", (url: string) => [url, { ...post, body: bytes(post.body) }] as const],
  ])("understands a call with %s", async (_, given) => {
    const charge = new TestCharge();
    const { send } = json({ ...formats.chat.body(), usage: undefined });
    const [input, init] = given("https://x/v1/chat/completions?v=1");
    const fetched = await meteredFetch(charge, { ...charge.options, fetch: send })(input, init);
    await fetched.text();
    expect(charge.calls).toMatchObject([{ usage: { model: "m", inputTokens: 9 }, ending: "finished" }]);
  });

  it("asks for the usage of a stream also where the request is a Request", async () => {
    const charge = new TestCharge();
    const source = answering({ chunks: [bytes(blocksOf(formats.chat).join(""))] });
    const headers = { "content-type": "application/json", "content-length": "1" };
    const init = { method: "POST", body: JSON.stringify(asked), headers };
    const metered = meteredFetch(charge, { ...charge.options, fetch: source.send });
    await (await metered(new Request("https://x/v1/chat/completions", init))).text();
    await (await metered("https://x/v1/chat/completions", init)).text();
    expect(charge.reports).toMatchObject([total, total]);
    for (const { init: given } of source.sent) {
      expect(JSON.parse(String(given?.body))).toMatchObject({ stream_options: { include_usage: true } });
      expect(new Headers(given?.headers).has("content-length")).toBe(false);
    }
  });

  it("sends what is no call of a model as it is", async () => {
    const charge = new TestCharge();
    const answer = new Response("x");
    const sent: unknown[] = [];
    const metered = meteredFetch(charge, {
      ...charge.options,
      fetch: async (input, init) => {
        sent.push(input, init);
        return answer;
      },
    });
    const init = { method: "POST", body: "{}" };
    expect(await metered("https://x/v1/files", init)).toBe(answer);
    expect(await metered("https://x/v1/responses")).toBe(answer);
    expect(await metered("https://x/v1/messages/count_tokens", init)).toBe(answer);
    expect(sent).toEqual([
      "https://x/v1/files",
      init,
      "https://x/v1/responses",
      undefined,
      "https://x/v1/messages/count_tokens",
      init,
    ]);
    charge.settle();
    expect(charge.reports).toEqual([]);
  });

  it("says once of a way to a model that it is not metered", async () => {
    const lines: string[] = [];
    const metered = meteredFetch(new TestCharge(), {
      fetch: async () => new Response("x"),
      logger: { warn: (line) => lines.push(line) },
    });
    const init = { method: "POST", body: "{}" };
    for (const path of ["videos", "batches", "messages/batches", "rerank", "videos"]) {
      await metered(`https://x/v1/${path}`, init);
    }
    await metered("https://x/v1beta/models/veo-3:predictLongRunning", init);
    expect(lines).toHaveLength(5);
    expect(lines[0]).toContain("https://x/v1/videos is not metered");
  });

  it("reads a list of chunks, as Gemini streams without events, and images of Imagen", async () => {
    const charge = new TestCharge();
    const { gemini } = formats;
    const list = [...pieces.map((piece) => gemini.piece(piece)), ...gemini.after()];
    const url = "https://x/v1beta/models/gemini-3-pro:streamGenerateContent";
    await (await meteredFetch(charge, { ...charge.options, fetch: json(list).send })(url, post)).text();
    const images = json({ predictions: [{}, {}] }).send;
    const imagen = "https://x/v1beta/models/imagen-4:predict";
    await (
      await meteredFetch(charge, { ...charge.options, fetch: images })(imagen, { ...post, body: "{}" })
    ).text();
    expect(charge.calls).toMatchObject([
      { usage: emitted, estimated: [] },
      { usage: { provider: "google", model: "imagen-4", images: 2 }, estimated: [] },
    ]);
  });

  it("bills as the provider that it is given, and estimates where nothing is told", async () => {
    const charge = new TestCharge();
    const { send } = json({ ...formats.chat.body(), usage: null });
    const lines: string[] = [];
    const metered = meteredFetch(charge, {
      ...charge.options,
      fetch: send,
      provider: "groq",
      logger: { warn: (line) => lines.push(line) },
    });
    await (await metered("https://x/openai/v1/chat/completions", post)).text();
    expect(charge.calls).toMatchObject([
      {
        usage: { provider: "groq", model: "m", inputTokens: 9 },
        estimated: ["inputTokens", "outputTokens"],
      },
    ]);
    expect(lines.join()).toContain("groq m did not report its usage");
  });

  it("passes the bytes of a stream as they are, also such that are no text, but for the chunk it has asked for", async () => {
    const emitted = blocksOf(formats.chat)
      .filter((block) => block.includes('"choices":[],'))
      .join("");
    const odd = [0xef, 0xbb, 0xbf, ...bytes(": "), 0xff, 0xc3, 0x28, 10, 10];
    const before = Uint8Array.from([...odd, ...bytes("data: {}\r\n\r\ndata: x\r\rdata: \n\r\n")]);
    const whole = Uint8Array.from([...before, ...bytes(emitted), ...odd.slice(0, 6)]);
    for (let at = 0; at <= whole.length; at++) {
      const charge = new TestCharge();
      const { send } = answering({ chunks: [whole.slice(0, at), whole.slice(at)] });
      const passed = new Uint8Array(await (await call("chat", charge, send)).arrayBuffer());
      const same = Buffer.compare(passed, Uint8Array.from([...before, ...odd.slice(0, 6)])) === 0;
      if (!same) expect([at, [...passed]]).toEqual([at, [...before, ...odd.slice(0, 6)]]);
      expect(charge.reports).toMatchObject([total]);
    }
  });

  it("passes what it cannot read, and bills that as an estimate", async () => {
    const charge = new TestCharge();
    const { send } = answering({ chunks: [bytes("data: {oops\n\ndata: [1]\n\n:\n\nx")] });
    const text = await (await call("anthropic", charge, send)).text();
    expect(text).toBe("data: {oops\n\ndata: [1]\n\n:\n\nx");
    expect(charge.calls).toMatchObject([{ usage: { inputTokens: 9, outputTokens: 0 }, ending: "finished" }]);
  });

  it("counts no image, file or sound as text", async () => {
    const charge = new TestCharge();
    const data = "A".repeat(400_000);
    const content = [
      { type: "text", text: "What is it?" },
      { type: "image_url", image_url: { url: `data:image/png;base64,${data}` } },
      { type: "input_audio", input_audio: { data, format: "wav" } },
    ];
    const body = JSON.stringify({ model: "m", messages: [{ role: "user", content }] });
    const { send } = json({ choices: [] });
    const metered = meteredFetch(charge, { ...charge.options, fetch: send });
    await (await metered("https://x/v1/chat/completions", { method: "POST", body })).text();
    expect(charge.reports[0]?.inputTokens).toBeLessThan(2_000);
    expect(charge.reports[0]?.inputTokens).toBeGreaterThan(1_500);
  });

  it("does not send, nor bill, for a customer who has left", async () => {
    const charge = new TestCharge();
    charge.disconnect();
    const metered = meteredFetch(charge, charge.options);
    await expect(metered("http://127.0.0.1:9/v1/messages", post)).rejects.toThrow();
    expect(charge.reports).toEqual([]);
  });
});

describe.each([ai5, ai6, ai7])("meteredFetch in $name", (sdk) => {
  const provider = new Provider();
  beforeAll(() => provider.start());
  afterAll(() => provider.stop());
  beforeEach(() => provider.reset());

  it.each(wires)("bills in place of a metered model, and once beside one, over %s", async (wire) => {
    const charge = new TestCharge();
    const origin = { url: provider.url, fetch: meteredFetch(charge, charge.options) };
    const model = sdk.models(origin)[wire];
    expect(await sdk.generate(model)).toBe(pieces.join(""));
    expect(charge.calls).toMatchObject([{ usage: emitted, estimated: [] }]);
    const stacked = meteredModel(model, charge, charge.options);
    await sdk.generate(stacked);
    expect(charge.reports).toHaveLength(2);
    for await (const _ of sdk.stream(stacked).textStream);
    expect(charge.reports).toHaveLength(3);
    for await (const _ of sdk.stream(model).textStream);
    expect(charge.reports).toMatchObject([total, total, total, total]);
  });
});
