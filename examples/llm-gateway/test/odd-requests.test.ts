import { once } from "node:events";
import { connect } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { expect, it, vi } from "vitest";
import { currentPrices } from "../src/prices.ts";
import { answer, ask, event, price, stage, usage, word } from "./node-stage.ts";

it.each([
  ["gzip", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync],
])("unpacks an answer that a provider packs though nobody asked it to: %s", async (encoding, pack) => {
  const { scene, post } = await stage((response) => {
    response.writeHead(200, { "content-type": "application/json", "content-encoding": encoding });
    response.end(pack(answer));
  });
  expect(await (await post("chat/completions", ask)).text()).toBe(answer);
  await vi.waitUntil(async () => (await scene.outcome("alice")).billed.length > 0, { timeout: 30_000 });
  expect((await scene.outcome("alice")).billed).toMatchObject([{ inputTokens: 10, outputTokens: 20 }]);
});

it("bills nothing for an answer that it cannot unpack", async () => {
  const said = vi.spyOn(console, "error").mockImplementation(() => {});
  const { scene, post } = await stage((response) => {
    response.writeHead(200, { "content-encoding": "own" });
    response.end(answer);
  });
  expect((await post("chat/completions", ask)).status).toBe(502);
  expect(await scene.outcome("alice")).toMatchObject({ held: 0, billed: [] });
  said.mockRestore();
});

it("stops all models that a connection has asked, one behind the other, when it breaks", async () => {
  const left: Promise<unknown>[] = [];
  const { scene, port } = await stage((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write(word);
    left.push(once(response, "close"));
  });
  const body = JSON.stringify({ ...ask, stream: true });
  const head = `POST /v1/chat/completions HTTP/1.1\r\nhost: g\r\nauthorization: Bearer t\r\ncontent-length: ${body.length}`;
  const socket = connect(port, "127.0.0.1");
  socket.write(`${head}\r\n\r\n${body}`.repeat(3));
  await vi.waitUntil(() => left.length === 3, { timeout: 30_000 });
  await once(socket, "data");
  socket.destroy();
  await Promise.all(left);
  await scene.clock.advance(1_000);
  await vi.waitUntil(async () => (await scene.outcome("alice")).held === 0, { timeout: 30_000 });
  expect((await scene.outcome("alice")).settlements).toBe(3);
});

it("bills the thoughts that are told at the end to a client that disconnects before it", async () => {
  let finish = () => {};
  const { scene, post, leaving } = await stage((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write(word);
    const completion_tokens_details = { reasoning_tokens: 4_000 };
    const told = { ...usage, completion_tokens: 4_001, completion_tokens_details };
    finish = () => response.end(`${event({ choices: [], usage: told })}data: [DONE]\n\n`);
  });
  const reader = (await post("chat/completions", { ...ask, stream: true })).body?.getReader();
  await reader?.read();
  await reader?.cancel();
  await leaving;
  finish();
  await vi.waitUntil(async () => (await scene.outcome("alice")).billed.length > 0, { timeout: 30_000 });
  expect((await scene.outcome("alice")).billed).toMatchObject([
    { outputTokens: 4_001, reasoningTokens: 4_000 },
  ]);
});

it.each([
  ["openai", 429, { error: { message: "You exceeded your current quota", code: "insufficient_quota" } }],
  ["anthropic", 400, { type: "error", error: { message: "Your credit balance is too low to access" } }],
])("keeps from its clients that the account at %s has no money left", async (dialect, status, body) => {
  const said = vi.spyOn(console, "error").mockImplementation(() => {});
  const { scene, post } = await stage((response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  const response =
    dialect === "openai"
      ? await post("chat/completions", ask)
      : await post("messages", { ...ask, model: "claude", max_tokens: 9 });
  expect([response.status, await response.text()]).toEqual([502, expect.not.stringMatching(/quota|balance/)]);
  expect(said).toHaveBeenCalledWith(expect.stringContaining(`${dialect} refuses the gateway: ${status}`));
  expect((await scene.outcome("alice")).held).toBe(0);
  said.mockRestore();
});

const say = { model: "claude", max_tokens: 9, messages: [] };
const document = { type: "document", source: { type: "base64", data: "AAAA" } };
it.each<[string, string, object]>([
  ["what has an id alone", "responses", { model: "gpt-5", input: [{ id: "msg_1" }] }],
  ["what has an id and no type", "responses", { model: "gpt-5", input: [{ id: "msg_1", type: null }] }],
  ["a dearer way to think", "responses", { model: "gpt-5", input: "", reasoning: { mode: "pro" } }],
  [
    "a message that calls itself an image",
    "chat/completions",
    { ...ask, messages: [{ role: "user", type: "image", content: "long" }] },
  ],
  [
    "an image that was drawn before, by its id",
    "responses",
    { model: "gpt-5", input: [{ type: "image_generation_call", id: "ig_1" }] },
  ],
  [
    "tools of a server of the provider, whose schemas have any names",
    "responses",
    { model: "gpt-5", input: [{ type: "mcp_list_tools", tools: [{ input_schema: { detail: "long" } }] }] },
  ],
  [
    "a picture of a screen by its id",
    "responses",
    { model: "gpt-5", input: [{ type: "computer_call_output", output: { type: "computer_screenshot" } }] },
  ],
  ["a type that is none", "responses", { model: "gpt-5", input: [{ type: ["message"], content: "" }] }],
  [
    "what a search of the provider has found, which is sealed",
    "messages",
    {
      ...say,
      messages: [
        {
          role: "user",
          content: [
            {
              type: "web_search_tool_result",
              content: [{ type: "web_search_result", encrypted_content: "" }],
            },
          ],
        },
      ],
    },
  ],
  [
    "more thoughts than the maximum, as between tools",
    "messages",
    { ...say, thinking: { type: "enabled", budget_tokens: 64_000 } },
  ],
  [
    "as many thoughts as the maximum that it is given",
    "messages",
    { ...say, max_tokens: undefined, thinking: { type: "enabled", budget_tokens: 4_096 } },
  ],
  [
    "what was spoken before",
    "chat/completions",
    { ...ask, messages: [{ role: "assistant", audio: { id: "a" } }] },
  ],
  [
    "a file in what a tool of the provider has found",
    "messages",
    {
      model: "claude",
      max_tokens: 9,
      messages: [
        { role: "user", content: [{ type: "web_fetch_tool_result", content: { content: document } }] },
      ],
    },
  ],
])("refuses %s", async (_, path, body) => {
  let asked = 0;
  const { post } = await stage((response) => {
    asked++;
    response.end(answer);
  });
  const response = await post(path, body);
  expect([response.status, asked]).toEqual([400, 0]);
  expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining("expected") } });
});

it.each<[string, string, object]>([
  [
    "a talk of chat completions",
    "chat/completions",
    {
      ...ask,
      messages: [
        { role: "system", content: [{ type: "text", text: "Be brief" }] },
        { role: "user", content: [{ type: "image_url", image_url: { url: "https://a.example/b.png" } }] },
        {
          role: "assistant",
          tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }],
        },
        { role: "tool", tool_call_id: "c", content: "1" },
        { role: "assistant", content: [{ type: "refusal", refusal: "no" }] },
      ],
    },
  ],
  [
    "a talk of responses",
    "responses",
    {
      model: "gpt-5",
      input: [
        {
          role: "user",
          content: [
            { type: "input_text", text: "hi" },
            { type: "input_image", image_url: "data:" },
          ],
        },
        {
          type: "reasoning",
          id: "r",
          summary: [{ type: "summary_text", text: "I" }],
          encrypted_content: "x",
        },
        {
          type: "message",
          id: "m",
          role: "assistant",
          content: [{ type: "output_text", text: "hi", annotations: [] }],
        },
        { type: "function_call", id: "f", call_id: "c", name: "f", arguments: "{}" },
        { type: "function_call_output", call_id: "c", output: [{ type: "input_text", text: "1" }] },
        { type: "custom_tool_call", call_id: "d", name: "g", input: "x" },
        { type: "custom_tool_call_output", call_id: "d", output: "x" },
        { type: "local_shell_call", call_id: "e", action: { type: "exec", command: ["ls"], env: {} } },
        { type: "apply_patch_call", call_id: "h", operation: { type: "create_file", path: "a", diff: "+a" } },
        { type: "apply_patch_call_output", call_id: "h", output: "done" },
      ],
    },
  ],
  [
    "a talk of messages",
    "messages",
    {
      ...say,
      max_tokens: 2_000,
      thinking: { type: "enabled", budget_tokens: 1_024 },
      system: [{ type: "text", text: "Be brief", cache_control: { type: "ephemeral" } }],
      messages: [
        {
          role: "user",
          content: [{ type: "image", source: { type: "base64", media_type: "image/png", data: "AA==" } }],
        },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "I", signature: "s" },
            { type: "redacted_thinking", data: "s" },
            { type: "tool_use", id: "t", name: "f", input: { type: "anything" } },
          ],
        },
        {
          role: "user",
          content: [
            {
              type: "tool_result",
              tool_use_id: "t",
              content: [{ type: "image", source: { type: "url", url: "https://a.example" } }],
            },
            { type: "search_result", source: "a", title: "b", content: [{ type: "text", text: "c" }] },
          ],
        },
      ],
    },
  ],
])("serves all pieces of %s", async (_, path, body) => {
  const { post } = await stage((response) => response.end(answer));
  const response = await post(path, body);
  expect([response.status, await response.text()]).toEqual([200, answer]);
});

it("refuses content that is nested without end", async () => {
  const { port } = await stage((response) => response.end(answer));
  const deep = 200_000;
  const body = `{"model":"gpt-5","messages":${"[".repeat(deep)}${"]".repeat(deep)}}`;
  const init = { method: "POST", headers: { authorization: "Bearer t" }, body };
  const response = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, init);
  expect(response.status).toBe(400);
  const { error } = (await response.json()) as { error: { message: string } };
  expect(error.message).toContain("expected content that is nested less");
});

it("asks once for prices that have become old, and goes on with them where the service hangs", async () => {
  let nowMs = 0;
  let asked = 0;
  let isHanging = false;
  const modelPrices = [{ provider: "openai", model: "gpt-5", price }];
  const agents = [{ agentId: "a", indicators: [{ name: "i", price: {}, modelPrices }] }];
  const list = () => {
    asked++;
    return isHanging ? new Promise<never>(() => {}) : Promise.resolve({ agents });
  };
  const current = currentPrices({ agents: { list } }, { agentId: "a", indicator: "i" }, () => nowMs);
  const first = await current();
  nowMs = 60_000;
  isHanging = true;
  expect(await Promise.all([current(), current(), current()])).toEqual([first, first, first]);
  expect(asked).toBe(2);
});
