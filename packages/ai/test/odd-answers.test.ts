import { Readable } from "node:stream";
import { meteredFetch, meteredModel } from "@creditgate/ai";
import { describe, expect, it, vi } from "vitest";
import { ServerSentEvents } from "../src/fetch/server-sent-events.ts";
import { TestCharge } from "./test-charge.ts";
import { blocksOf, emitted, formats, type Wire, wires } from "./wire-format.ts";

const paths: Readonly<Record<Wire, string>> = {
  chat: "/v1/chat/completions",
  responses: "/v1/responses",
  anthropic: "/v1/messages",
  gemini: "/v1beta/models/m:generateContent",
};
const asked = { model: "m", messages: [{ role: "user", content: "What is a wallet?" }] };
const total = { inputTokens: emitted.inputTokens, outputTokens: emitted.outputTokens };
const bytes = (text: string) => new TextEncoder().encode(text);

/** What comes of a call that is answered so. */
function metered(answer: () => Response | Promise<Response>, options: object = {}) {
  const charge = new TestCharge();
  const send = meteredFetch(charge, { ...charge.options, fetch: async () => answer(), ...options });
  const call = (path = paths.chat, body: object = asked) =>
    send(`https://x${path}`, { method: "POST", body: JSON.stringify(body) });
  return { charge, call };
}

/** An answer whose chunks come when `next()` says so. */
function slowly(type = "application/json") {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given;
    },
  });
  return {
    response: new Response(body, { headers: { "content-type": type } }),
    next: (text: string) => controller?.enqueue(bytes(text)),
    end: () => controller?.close(),
  };
}

const event = (body: object) => `data: ${JSON.stringify(body)}\n\n`;
const word = { choices: [{ delta: { content: " word" } }] };

describe.each(wires)("an answer of %s that its reader leaves", (wire) => {
  const whole = JSON.stringify(formats[wire].body());

  it("is billed as told once it has come whole, however little of it was read", async () => {
    const { response, next, end } = slowly();
    const { charge, call } = metered(() => response);
    const reader = (await call(paths[wire])).body?.getReader();
    next(whole.slice(0, 20));
    await reader?.read();
    next(whole.slice(20));
    end();
    expect(await charge.reported()).toMatchObject(total);
    await reader?.cancel();
    expect(charge.calls).toMatchObject([{ ending: "finished", estimated: [] }]);
  });

  it("is billed for what the model has written of it by then", async () => {
    const { response, next } = slowly();
    const { charge, call } = metered(() => response);
    const reader = (await call(paths[wire])).body?.getReader();
    const most = whole.indexOf("word19");
    next(whole.slice(0, most));
    await reader?.read();
    await reader?.cancel();
    expect(charge.calls).toMatchObject([{ ending: "aborted" }]);
    const written = charge.calls[0]?.usage.outputTokens ?? 0;
    expect(written).toBeGreaterThanOrEqual(19);
    expect(written).toBeLessThan(40);
  });
});

describe("what a model has written in a stream that its reader leaves", () => {
  const long = " word".repeat(500);
  const text = (event: object) => `data: ${JSON.stringify(event)}\n\n`;
  const delta = (delta: object) => text({ choices: [{ index: 0, delta }] });
  const item = (type: string, item: object, output_index = 0) =>
    text({ type: `response.output_item.${type}`, output_index, item });
  const shell = {
    type: "local_shell_call",
    id: "l",
    call_id: "c",
    action: { type: "exec", command: [long] },
  };
  const apply = { type: "apply_patch_call", id: "a", operation: { type: "update_file", diff: long } };
  const called = { type: "function_call", id: "f", call_id: "c", name: "out", arguments: "" };
  const argumentsDelta = (delta: string) =>
    text({ type: "response.function_call_arguments.delta", output_index: 0, item_id: "f", delta });

  it.each<[string, Wire, string]>([
    ["the input of a custom tool", "chat", delta({ tool_calls: [{ index: 0, custom: { input: long } }] })],
    ["the name of a tool", "chat", delta({ tool_calls: [{ index: 0, function: { name: long } }] })],
    ["the arguments of a function", "chat", delta({ function_call: { name: "f", arguments: long } })],
    ["thoughts in parts", "chat", delta({ content: [{ type: "thinking", thinking: [{ text: long }] }] })],
    ["what is heard", "chat", delta({ audio: { id: "a", data: "A".repeat(9_000), transcript: long } })],
    ["an item at its beginning", "responses", item("added", shell)],
    ["an item at its end", "responses", item("done", shell)],
    ["an item at both", "responses", item("added", shell) + item("done", shell)],
    [
      "an item in pieces and as a whole",
      "responses",
      [
        item("added", called),
        argumentsDelta(long.slice(0, 1_000)),
        argumentsDelta(long.slice(1_000)),
        item("done", { ...called, arguments: long }),
      ].join(""),
    ],
    [
      "an item with more than its pieces",
      "responses",
      [
        text({
          type: "response.apply_patch_call_operation_diff.delta",
          output_index: 0,
          delta: long.slice(0, 50),
        }),
        item("done", apply),
      ].join(""),
    ],
    [
      "the name of a tool",
      "anthropic",
      text({
        type: "content_block_start",
        content_block: { type: "tool_use", id: "t", name: long, input: {} },
      }),
    ],
  ])("is billed once: %s, of %s", async (_, wire, events) => {
    const { response, next } = slowly("text/event-stream");
    const { charge, call } = metered(() => response);
    const reader = (await call(paths[wire], { ...asked, stream: true })).body?.getReader();
    next(events);
    await reader?.read();
    await reader?.cancel();
    expect(charge.calls).toMatchObject([{ ending: "aborted", estimated: ["inputTokens", "outputTokens"] }]);
    const { outputTokens } = charge.calls[0]?.usage ?? {};
    expect(outputTokens).toBeGreaterThanOrEqual(500);
    expect(outputTokens).toBeLessThan(520);
  });

  it("is billed in an answer that is no stream, whatever a tool calls what it is given", async () => {
    const { response, next } = slowly();
    const { charge, call } = metered(() => response);
    const reader = (await call(paths.anthropic)).body?.getReader();
    next(JSON.stringify({ content: [{ type: "tool_use", name: "f", input: { data: long } }] }).slice(0, -9));
    await reader?.read();
    await reader?.cancel();
    expect(charge.calls[0]?.usage.outputTokens).toBeGreaterThanOrEqual(490);
  });

  it("is billed once where the last events are read before those that came first", async () => {
    const { response, next } = slowly("text/event-stream");
    const { charge, call } = metered(() => response);
    const reader = (await call(paths.responses, { ...asked, stream: true })).body?.getReader();
    next(item("added", called) + argumentsDelta(long));
    next(text({ type: "response.in_progress", padding: "-".repeat(5_000) }));
    next(item("done", { ...called, arguments: long }) + item("done", shell, 1));
    for (let read = 0; read < 3; read++) await reader?.read();
    await reader?.cancel();
    const { outputTokens } = charge.calls[0]?.usage ?? {};
    expect(outputTokens).toBeGreaterThanOrEqual(1_000);
    expect(outputTokens).toBeLessThan(1_040);
  });

  it("leaves out what a provider's own tools have found, and what repeats the text", async () => {
    const { response, next } = slowly("text/event-stream");
    const { charge, call } = metered(() => response);
    const reader = (await call(paths.chat, { ...asked, stream: true })).body?.getReader();
    const found = { annotations: [{ url: long }], context: { citations: [{ content: long }] } };
    next(delta({ reasoning: " word", reasoning_details: [{ text: " word" }], ...found }));
    await reader?.read();
    await reader?.cancel();
    expect(charge.calls).toMatchObject([{ usage: { outputTokens: 1 } }]);
  });
});

it("bills of a PDF the pages that can be seen, not the most that a hold is for", async () => {
  const { charge, call } = metered(() => slowly("text/event-stream").response);
  const pdf = btoa(`%PDF-1.4 /Type /Pages /Count 90 /Type /Page ${" ".repeat(100_000)}`);
  const file = { type: "file", file: { file_data: `data:application/pdf;base64,${pdf}` } };
  const answer = await call(paths.chat, { ...asked, stream: true, messages: [{ content: [file] }] });
  await answer.body?.cancel();
  expect(charge.calls).toMatchObject([{ usage: { inputTokens: 2_765 }, ending: "aborted" }]);
});

describe("images that come in parts", () => {
  const path = "/v1/images/generations";
  const partial = event({ type: "image_generation.partial_image", b64_json: "AAAA" });
  const whole = event({ type: "image_generation.completed", b64_json: "AAAA", usage: { output_tokens: 9 } });

  it.each([
    ["as many as were asked for, where the reader leaves", 3],
    ["one, where the request does not say", undefined],
  ])("are billed: %s", async (_, n) => {
    const { response, next } = slowly("text/event-stream");
    const { charge, call } = metered(() => response);
    const reader = (await call(path, { model: "m", stream: true, n })).body?.getReader();
    next(partial);
    await reader?.read();
    await reader?.cancel();
    expect(charge.calls).toMatchObject([{ usage: { images: n ?? 1 }, ending: "aborted" }]);
  });

  it.each([
    ["as they came, at the end", partial + whole, [{ images: 1, outputTokens: 9 }]],
    ["one, where the provider fails after a part", partial + event({ error: {} }), [{ images: 1 }]],
    ["none, where it fails before", event({ error: {} }), []],
  ])("are billed: %s", async (_, sent, billed) => {
    const { response, next, end } = slowly("text/event-stream");
    const { charge, call } = metered(() => response);
    const answer = await call(path, { model: "m", stream: true });
    next(sent);
    end();
    await answer.text();
    charge.settle();
    expect(charge.calls.map(({ usage }) => usage)).toMatchObject(billed);
  });
});

it("bills no image of an answer that has none, whatever was asked for", async () => {
  const { charge, call } = metered(() => Response.json({ created: 1, data: [] }));
  await (await call("/v1/images/generations", { model: "m", n: 3 })).text();
  expect(charge.calls).toMatchObject([{ usage: { images: 0 }, ending: "finished" }]);
});

describe("a model whose call breaks off", () => {
  const asking = (kind: object, fail: () => never) => {
    const charge = new TestCharge();
    const model = { specificationVersion: "v3", provider: "own", modelId: "m", ...kind };
    return {
      charge,
      model: meteredModel({ ...model, doGenerate: async (_: object) => fail() }, charge, charge.options),
    };
  };

  it("is billed the images that it was asked for", async () => {
    const { charge, model } = asking({ maxImagesPerCall: 9 }, () => {
      charge.disconnect();
      throw new Error("aborted");
    });
    await model.doGenerate({ prompt: "a", n: 2 }).catch(() => {});
    expect(charge.calls).toMatchObject([{ usage: { images: 2 }, ending: "aborted" }]);
  });

  it("is billed what it has written, where that could not be read", async () => {
    const responseBody = JSON.stringify({ choices: [{ message: { content: " word".repeat(40) } }] }).slice(
      0,
      -1,
    );
    const { charge, model } = asking({ supportedUrls: {} }, () => {
      throw Object.assign(new Error("Invalid JSON response"), { statusCode: 200, responseBody });
    });
    await model.doGenerate({ prompt: [] }).catch(() => {});
    const { usage } = charge.calls[0] ?? {};
    expect(usage?.outputTokens).toBeGreaterThanOrEqual(40);
    expect(usage?.outputTokens).toBeLessThan(50);
  });
});

describe("meteredFetch", () => {
  it.each([
    [":embedContent", (text: string) => ({ content: { role: "user", parts: [{ text }] } })],
    [
      ":batchEmbedContents",
      (text: string) => ({
        requests: [
          {
            ...{ model: "models/gemini-embedding-001", taskType: "RETRIEVAL_DOCUMENT" },
            ...{ outputDimensionality: 768, content: { role: "user", parts: [{ text }] } },
          },
        ],
      }),
    ],
  ])("bills of Gemini's %s the text alone", async (path, body) => {
    const { charge, call } = metered(() => Response.json({ embeddings: [] }));
    await (await call(`/v1beta/models/e${path}`, body("What is a wallet?"))).text();
    expect(charge.calls).toMatchObject([{ usage: { inputTokens: 5 } }]);
  });

  it("reads a stream that its server calls text, and hides what it has asked for", async () => {
    const { charge, call } = metered(
      () => new Response(blocksOf(formats.chat).join(""), { headers: { "content-type": "text/plain" } }),
    );
    const text = await (await call(paths.chat, { ...asked, stream: true })).text();
    expect(charge.reports).toMatchObject([total]);
    expect(text).not.toContain("completion_tokens");
  });

  it.each([
    [paths.chat, { error: { message: "Provider returned error", code: 502 } }],
    [paths.responses, { status: "failed", error: { code: "server_error" }, output: [], usage: null }],
    [paths.anthropic, { type: "error", error: { type: "overloaded_error" } }],
    ["/v1/embeddings", { error: { message: "no" } }],
  ])("bills nothing for an error that comes as 200: %s", async (path, body) => {
    const { charge, call } = metered(() => Response.json(body));
    expect(await (await call(path)).json()).toEqual(body);
    expect(charge.calls).toEqual([]);
    expect(charge.openCalls).toBe(0);
  });

  it.each(["chat", "gemini"] as const)(
    "reads the usage at the end of an answer of %s that is too long to be kept",
    async (wire) => {
      const { charge, call } = metered(() => {
        const rest = JSON.stringify(formats[wire].body()).slice(1);
        const parts = [
          '{"usage":{"prompt_tokens":"a word"},"pictures":"',
          ...Array<string>(70).fill("A".repeat(2 ** 20)),
          '",',
          rest,
        ];
        const chunks = parts.values();
        const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
          const { done, value } = chunks.next();
          if (done) controller.close();
          else controller.enqueue(bytes(value));
        };
        return new Response(new ReadableStream({ pull }), {
          headers: { "content-type": "application/json" },
        });
      });
      const answered = await (await call(paths[wire])).arrayBuffer();
      expect(answered.byteLength).toBeGreaterThan(70 * 2 ** 20);
      expect(charge.reports).toMatchObject([total]);
      expect(charge.calls).toMatchObject([{ ending: "finished", estimated: [] }]);
    },
  );

  it("bills what was written after the usage was told, where the stream is left", async () => {
    const { response, next } = slowly("text/event-stream");
    const { charge, call } = metered(() => response);
    const reader = (await call(paths.chat, { ...asked, stream: true })).body?.getReader();
    next(event({ ...word, usage: { prompt_tokens: 10, completion_tokens: 1 } }) + event(word).repeat(9));
    await reader?.read();
    await reader?.cancel();
    expect(charge.calls).toMatchObject([{ usage: { inputTokens: 10, outputTokens: 10 }, ending: "aborted" }]);
  });

  it.each([false, true])(
    "bills each word once where its reader takes the chunks for itself, however long the stream is, asked for its usage: %s",
    async (isAsked) => {
      const words = 1_000;
      const { response, next } = slowly("text/event-stream");
      const { charge, call } = metered(() => response);
      const options = isAsked ? { stream_options: { include_usage: true } } : {};
      const reader = (await call(paths.chat, { ...asked, stream: true, ...options })).body?.getReader();
      for (let count = 0; count < words; count++) {
        next(event(word));
        const { value } = (await reader?.read()) ?? {};
        if (value !== undefined) structuredClone(value, { transfer: [value.buffer] });
      }
      await reader?.cancel();
      expect(charge.calls).toMatchObject([{ usage: { outputTokens: words }, ending: "aborted" }]);
    },
  );

  it("has ended with its last event, also where its reader reads no further", async () => {
    const { response, next } = slowly("text/event-stream");
    const { charge, call } = metered(() => response);
    const reader = (await call(paths.chat, { ...asked, stream: true })).body?.getReader();
    next(blocksOf(formats.chat).join(""));
    await reader?.read();
    charge.settle();
    expect(charge.calls).toMatchObject([{ usage: total, ending: "finished", estimated: [] }]);
  });

  it("adds to a text what it asks for, and parses none whose request it is given", async () => {
    const sent: unknown[] = [];
    const charge = new TestCharge();
    const request = { ...asked, stream: true };
    const text = `${JSON.stringify(request, undefined, 2)}\n`;
    const parse = vi.spyOn(JSON, "parse");
    const send = meteredFetch(charge, {
      ...charge.options,
      request,
      fetch: async (_, init) => {
        sent.push(init?.body);
        return new Response(null);
      },
    });
    await send(`https://x${paths.chat}`, { method: "POST", body: text });
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
    expect(sent).toEqual([expect.stringContaining(text.slice(0, -2))]);
    expect(JSON.parse(String(sent[0]))).toEqual({ ...request, stream_options: { include_usage: true } });
  });

  it("bills the last of the numbers that are told with each piece", async () => {
    const { response, next } = slowly("text/event-stream");
    const { charge, call } = metered(() => response);
    const reader = (await call(paths.chat, { ...asked, stream: true })).body?.getReader();
    for (const completion_tokens of [1, 2, 70])
      next(event({ ...word, usage: { prompt_tokens: 10, completion_tokens } }));
    for (let count = 0; count < 3; count++) await reader?.read();
    await reader?.cancel();
    expect(charge.calls).toMatchObject([{ usage: { inputTokens: 10, outputTokens: 70 }, estimated: [] }]);
  });

  it("understands a body in a buffer, a blob or a stream, and a path that ends in a slash", async () => {
    const charge = new TestCharge();
    const sent: unknown[] = [];
    const send = meteredFetch(charge, {
      ...charge.options,
      fetch: async (_, init) => {
        sent.push(JSON.parse(String(init?.body)));
        return new Response(blocksOf(formats.chat).join(""), {
          headers: { "content-type": "text/event-stream" },
        });
      },
    });
    const encoded = bytes(JSON.stringify({ ...asked, stream: true }));
    const view = new DataView(encoded.buffer, encoded.byteOffset, encoded.byteLength);
    const blob = new Blob([encoded]);
    for (const body of [encoded.slice().buffer, view, blob, blob.stream()]) {
      const init = { method: "POST", body, duplex: "half" };
      await (await send("https://x/v1/chat/completions/?v=1", init)).text();
    }
    expect(charge.calls.map(({ usage }) => usage)).toMatchObject(Array(4).fill(total));
    expect(sent).toEqual(Array(4).fill({ ...asked, stream: true, stream_options: { include_usage: true } }));
  });

  it("bills a conversation that is made shorter", async () => {
    const usage = { input_tokens: 100, output_tokens: 20 };
    const { charge, call } = metered(() =>
      Response.json({ object: "response.compaction", output: [], usage }),
    );
    await (await call("/v1/responses/compact", { model: "m", input: "hi" })).text();
    expect(charge.reports).toMatchObject([total]);
  });

  it("says once of Claude behind Bedrock and Vertex that it is not metered", async () => {
    const lines: string[] = [];
    const { charge, call } = metered(() => new Response("{}"), {
      logger: { warn: (line: string) => lines.push(line) },
    });
    await call("/v1/projects/p/locations/l/publishers/anthropic/models/claude:streamRawPredict");
    await call("/model/anthropic.claude/invoke-with-response-stream");
    await call("/v1beta/models/gemini:countTokens");
    expect(lines.map((line) => /\S+ is not metered/.exec(line)?.[0].slice(-32))).toEqual([
      "streamRawPredict is not metered".padStart(32, ":"),
      "ke-with-response-stream is not metered".slice(-32),
    ]);
    expect(charge.calls).toEqual([]);
  });

  it("passes an answer whose body is a stream of Node, as that of node-fetch", async () => {
    const text = JSON.stringify(formats.chat.body());
    const body = Readable.from([Buffer.from(text.slice(0, 50)), Buffer.from(text.slice(50))]);
    const headers = new Headers({ "content-type": "application/json" });
    const foreign = { ok: true, status: 200, statusText: "OK", url: "https://x", headers, body };
    const { charge, call } = metered(() => foreign as unknown as Response);
    expect(await (await call()).text()).toBe(text);
    expect(charge.reports).toMatchObject([total]);
  });
});

describe("ServerSentEvents", () => {
  it("joins an event of many chunks once", () => {
    const events = new ServerSentEvents();
    const chunk = bytes("a".repeat(1_000));
    let copied = 0;
    const set = Uint8Array.prototype.set;
    Uint8Array.prototype.set = function (source, offset) {
      copied += source.length;
      return set.call(this, source, offset);
    };
    try {
      events.push(bytes("data: "));
      for (let count = 0; count < 1_000; count++) events.push(chunk);
      const [event] = events.push(bytes("\r\n\r\n: next"));
      expect(event?.data).toHaveLength(1_000_000);
    } finally {
      Uint8Array.prototype.set = set;
    }
    expect(copied).toBeLessThan(1_100_000);
    expect(events.rest()?.bytes).toEqual(bytes(": next"));
  });
});

it("reads an answer no further ahead of its reader than 1 MB", async () => {
  const chunk = new Uint8Array(128 * 1024).fill(32);
  let pulled = 0;
  const body = new ReadableStream(
    {
      pull(controller) {
        if (++pulled > 20) controller.close();
        else controller.enqueue(chunk);
      },
    },
    { highWaterMark: 0 },
  );
  const { charge, call } = metered(() => new Response(body));
  const reader = (await call()).body?.getReader();
  await reader?.read();
  await vi.waitUntil(() => pulled >= 8, { timeout: 30_000 });
  await new Promise((resolve) => setImmediate(resolve));
  // And what this reader asks for.
  expect(pulled).toBeLessThanOrEqual(9);
  let count = 1;
  while ((await reader?.read())?.done === false) count++;
  expect([count, charge.openCalls]).toEqual([20, 0]);
});

describe("meteredModel", () => {
  const usage = { inputTokens: { total: 10 }, outputTokens: { total: 20 } };
  const result = { content: [], finishReason: { unified: "stop" }, usage, warnings: [] };
  const model = (methods: object) => {
    const named = { specificationVersion: "v3", provider: "own.chat", modelId: "m", supportedUrls: {} };
    return { ...named, doGenerate: async (_: object): Promise<unknown> => result, ...methods };
  };

  it("bills a call that is given the signal of one that is over", async () => {
    const charge = new TestCharge();
    const signals: unknown[] = [];
    const first = model({
      async doGenerate({ abortSignal }: { abortSignal?: AbortSignal }) {
        signals.push(abortSignal);
        return result;
      },
    });
    await meteredModel(first, charge, charge.options).doGenerate({ prompt: [] });
    await meteredModel(model({}), charge, charge.options).doGenerate({ abortSignal: signals[0] });
    expect(charge.reports).toMatchObject([
      { inputTokens: 10, outputTokens: 20 },
      { inputTokens: 10, outputTokens: 20 },
    ]);
  });

  it.each<[string, readonly object[]]>([
    ["at once", [{ type: "tool-call", toolCallId: "t", toolName: "out", input: " word".repeat(500) }]],
    [
      "in pieces",
      [
        { type: "tool-input-start", id: "t", toolName: "out" },
        { type: "tool-input-delta", id: "t", delta: " word".repeat(500) },
      ],
    ],
    [
      "in both ways",
      [
        { type: "tool-input-start", id: "t", toolName: "out" },
        { type: "tool-input-delta", id: "t", delta: " word".repeat(500) },
        { type: "tool-call", toolCallId: "t", toolName: "out", input: " word".repeat(500) },
      ],
    ],
  ])("bills once what a tool is given before the caller leaves, written %s", async (_, parts) => {
    const charge = new TestCharge();
    const stream = new ReadableStream({
      start(controller) {
        for (const part of parts) controller.enqueue(part);
      },
    });
    const doStream = async (_: object) => ({ stream });
    const metered = meteredModel({ ...model({}), doStream }, charge, charge.options);
    const reader = (await metered.doStream({ prompt: [] })).stream.getReader();
    for (const _ of parts) await reader.read();
    await reader.cancel();
    const { outputTokens } = charge.calls[0]?.usage ?? {};
    expect(outputTokens).toBeGreaterThanOrEqual(500);
    expect(outputTokens).toBeLessThan(510);
  });

  it("reads a stream of a polyfill", async () => {
    const charge = new TestCharge();
    const parts = new ReadableStream({
      start(controller) {
        controller.enqueue({ type: "finish", finishReason: { unified: "stop" }, usage });
        controller.close();
      },
    });
    const doStream = async (_: object) => ({ stream: { getReader: () => parts.getReader() } });
    const metered = meteredModel({ ...model({}), doStream }, charge, charge.options);
    const reader = (await metered.doStream({ prompt: [] })).stream.getReader();
    while (!(await reader.read()).done);
    expect(charge.reports).toMatchObject([{ inputTokens: 10, outputTokens: 20 }]);
  });

  it("does not work for a customer who has left, although the model does not look at the signal", async () => {
    const charge = new TestCharge();
    let worked = 0;
    const work = async () => {
      worked++;
      return result;
    };
    charge.disconnect();
    const metered = meteredModel(model({ doGenerate: work }), charge, charge.options);
    await expect(metered.doGenerate({ prompt: [] })).rejects.toMatchObject({ name: "AbortError" });
    const send = meteredFetch(charge, { ...charge.options, fetch: async () => Response.json(await work()) });
    const sending = send(`https://x${paths.chat}`, { method: "POST", body: JSON.stringify(asked) });
    await expect(sending).rejects.toMatchObject({ name: "AbortError" });
    expect([worked, charge.reports, charge.openCalls]).toEqual([0, [], 0]);
  });
});
