import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { answer, ask, said, stage, word } from "./node-stage.ts";

const json = JSON.stringify(ask);
const token = "authorization: Bearer t";
const length = `content-length: ${json.length}`;

/** The bytes of a request whose connection is closed behind it. */
function head(line: string, ...headers: readonly string[]): string {
  return [`${line} HTTP/1.1`, "host: gateway", "connection: close", ...headers, "", ""].join("\r\n");
}
const post = "POST /v1/chat/completions";
const chunk = `${json.length.toString(16)}\r\n${json}\r\n`;

describe("bytes that no client sends are billed or refused, and ask the provider for nothing else", () => {
  it.each<[string, string]>([
    [
      "an address with a host",
      head("POST https://u:p@other.example:9/v1/chat/completions", token, length) + json,
    ],
    ["an address without a scheme", head("POST //other.example/v1/chat/completions", token, length) + json],
    ["dots that are encoded", head("POST /v1/%2e%2e/v1/chat/completions", token, length) + json],
    ["backslashes", head("POST /v1\\chat\\completions", token, length) + json],
    ["a query", head(`${post}?service_tier=priority`, token, length) + json],
    ["chunks", `${head(post, token, "transfer-encoding: chunked") + chunk}0\r\n\r\n`],
    ["HTTP/1.0", `${post} HTTP/1.0\r\n${token}\r\n${length}\r\n\r\n${json}`],
    ["an expectation", head(post, token, length, "expect: 100-continue") + json],
    [
      "a form that is none",
      head(post, token, length, "content-type: multipart/form-data; boundary=x") + json,
    ],
    ["the token as Anthropic has it", head(post, "authorization: Basic eDp5", "x-api-key: t", length) + json],
  ])("billed: %s", async (_, bytes) => {
    const asked: unknown[] = [];
    const { scene, port } = await stage((response, { method, url, headers }) => {
      asked.push([method, url, headers.authorization]);
      response.writeHead(200, { "content-type": "application/json" }).end(answer);
    });
    expect(await said(port, bytes)).toContain(" 200 OK\r\n");
    await vi.waitUntil(async () => (await scene.outcome("alice")).held === 0);
    expect(asked).toEqual([["POST", "/v1/chat/completions", undefined]]);
    expect((await scene.outcome("alice")).billed).toMatchObject([{ inputTokens: 10, outputTokens: 20 }]);
  });

  it.each<[string, string, string]>([
    ["two slashes", "404", head("POST //v1/chat/completions", token, length) + json],
    [
      "dots to another endpoint",
      "404",
      head("POST /v1/chat/%2e%2e/images/generations", token, length) + json,
    ],
    ["HEAD", "404", head("HEAD /v1/chat/completions", token)],
    ["HEAD of what is free", "404", head("HEAD /v1/models", token)],
    ["OPTIONS", "404", head("OPTIONS *", token)],
    ["a length and chunks", "400", head(post, token, length, "transfer-encoding: chunked") + json],
    ["two lengths", "400", head(post, token, length, "content-length: 2") + json],
    [
      "two encodings",
      "400",
      head(post, token, "transfer-encoding: chunked", "transfer-encoding: identity") + chunk,
    ],
    ["a chunk without a size", "400", `${head(post, token, "transfer-encoding: chunked")}zz\r\n${json}\r\n`],
    ["another expectation", "417", head(post, token, length, "expect: cake") + json],
    ["no body", "400", head(post, token)],
    ["two tokens", "401", head(post, token, "authorization: Bearer other", length) + json],
    [
      "a token that is unknown before one that is",
      "401",
      head(post, "authorization: Bearer x", "x-api-key: t", length) + json,
    ],
    ["the same token twice", "401", head(post, "x-api-key: t", "x-api-key: t", length) + json],
    [
      "a token behind the body",
      "401",
      `${head(post, "transfer-encoding: chunked", "trailer: authorization")}${chunk}0\r\n${token}\r\n\r\n`,
    ],
  ])("refused: %s", async (_, status, bytes) => {
    let asked = 0;
    const { scene, port } = await stage((response) => {
      asked++;
      response.end(answer);
    });
    expect(await said(port, bytes)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(asked).toBe(0);
    expect(await scene.outcome("alice")).toMatchObject({ held: 0, settlements: 0 });
  });

  it("refused: a tunnel", async () => {
    const { scene, port } = await stage((response) => response.end(answer));
    expect(await said(port, head("CONNECT api.openai.com:443", token))).toBe("");
    expect(await scene.outcome("alice")).toMatchObject({ held: 0, settlements: 0 });
  });
});

it("stops for a client that stays, and takes nothing of its answer", async () => {
  let gone = () => {};
  const stopped = new Promise<void>((resolve) => {
    gone = resolve;
  });
  const { scene, port } = await stage((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const write = () => {
      while (!response.destroyed && response.write(word.repeat(100)));
    };
    response.on("drain", write).on("close", gone);
    write();
  }, 50);
  const body = JSON.stringify({ ...ask, stream: true });
  const socket = connect(port, "127.0.0.1").pause();
  onTestFinished(() => {
    socket.destroy();
  });
  socket.on("error", () => {});
  socket.write(
    `${post} HTTP/1.1\r\nhost: gateway\r\n${token}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  await stopped;
  await vi.waitUntil(async () => (await scene.outcome("alice")).held === 0);
  expect((await scene.outcome("alice")).billed).toHaveLength(1);
});

it("serves as many requests behind each other as a connection brings, each billed, and warns of nothing", async () => {
  const warned = vi.fn();
  process.on("warning", warned);
  onTestFinished(() => {
    process.off("warning", warned);
  });
  const { scene, port } = await stage((response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(answer);
  });
  const one = `${post} HTTP/1.1\r\nhost: gateway\r\n${token}\r\n${length}\r\n\r\n${json}`;
  const text = await said(port, one.repeat(39), head(post, token, length) + json);
  expect(text.split("HTTP/1.1 200 OK")).toHaveLength(41);
  await vi.waitUntil(async () => (await scene.outcome("alice")).held === 0);
  expect((await scene.outcome("alice")).billed).toHaveLength(40);
  await new Promise(setImmediate);
  expect(warned).not.toHaveBeenCalled();
});

it("bills nothing for a body that is cut off, and says nothing of it to its operator", async () => {
  const told = vi.spyOn(console, "error").mockImplementation(() => {});
  onTestFinished(() => told.mockRestore());
  let asked = 0;
  const { scene, port, leaving } = await stage((response) => {
    asked++;
    response.end(answer);
  });
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.write(head(post, token, length) + json.slice(0, 5), () => socket.resetAndDestroy());
  await leaving;
  await new Promise(setImmediate);
  expect([asked, told.mock.calls]).toEqual([0, []]);
  expect(await scene.outcome("alice")).toMatchObject({ held: 0, settlements: 0 });
});
