import { once } from "node:events";
import { createServer } from "node:http";
import { connect as connectSocket, type Socket } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { createByteBudget } from "../src/http/byte-budget.ts";
import { Problem, sendProblem } from "../src/http/problem.ts";
import { startControlPlane, type TestControlPlane } from "../src/testing/index.ts";
import { administrator } from "./administrator.ts";
import { type Caller, caller, usageOf } from "./caller.ts";
import { acme } from "./fixture.ts";
import { ask } from "./load.ts";

const adminToken = "cga_a-token-for-these-tests";

let plane: TestControlPlane;
let call: Caller;
beforeAll(async () => {
  plane = await startControlPlane({ fixture: acme, adminToken });
  call = caller(plane);
});
afterAll(() => plane.stop());

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

const text = JSON.stringify(usageOf());
const ofLength = (length: number) => `"${"x".repeat(length - 2)}"`;
const kibibyte = 1024;

function post(path: string, body: string | Buffer, headers: Readonly<Record<string, string>> = {}) {
  const all = { "service-api-key": plane.apiKey, "content-type": "application/json", ...headers };
  return ask(`${plane.baseUrl}${path}`, { method: "POST", headers: all }, body);
}

describe("the size of a body", () => {
  it.each([
    ["/api/v2/usage", 16],
    ["/api/v1/voice/stt", 16],
    ["/api/v1/wallet/top-up", 16],
    ["/api/v1/orders", 256],
  ])("of %s is at most %i KiB", async (path, limit) => {
    const { status, body } = await post(path, ofLength(limit * kibibyte + 1));
    expect(status).toBe(413);
    expect(JSON.parse(body)).toMatchObject({
      code: "body_too_large",
      detail: `body: expected at most ${limit * kibibyte} bytes, received more`,
    });
    expect((await post(path, ofLength(limit * kibibyte))).status).toBe(400);
  });

  it("of the admin API is at most 256 KiB", async () => {
    const { post: create } = administrator(plane.baseUrl, adminToken);
    expect((await create("/organizations", { name: "x".repeat(257 * kibibyte) })).status).toBe(413);
    expect((await create("/organizations", { name: "x".repeat(255 * kibibyte) })).status).toBe(400);
  });

  it("counts where it is not announced, and the connection ends, since the rest is not read", async () => {
    const { status, connection } = await post("/api/v2/usage", ofLength(kibibyte * kibibyte), {
      "transfer-encoding": "chunked",
    });
    expect({ status, connection }).toEqual({ status: 413, connection: "close" });
  });

  it("counts unpacked", async () => {
    const packed = gzipSync(ofLength(kibibyte * kibibyte));
    expect((await post("/api/v2/usage", packed, { "content-encoding": "gzip" })).status).toBe(413);
  });
});

describe("a response to a client that still sends", () => {
  it("can be read for five seconds, before the connection is closed", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const server = createServer((request, response) =>
      sendProblem(request, response, new Problem(413, "body_too_large", "body: too large")),
    );
    onTestFinished(async () => {
      vi.useRealTimers();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const address = server.address();
    const port = typeof address === "object" ? Number(address?.port) : 0;
    const socket = connectSocket(port, "127.0.0.1");
    sockets.push(socket);
    socket.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${kibibyte * kibibyte}\r\n\r\n`);
    const closed = once(socket, "end");
    expect(String((await once(socket, "data"))[0])).toMatch(/^HTTP\/1.1 413 /);
    vi.advanceTimersByTime(4_999);
    // Answered after whatever the timers have set off.
    await ask(`http://127.0.0.1:${port}`, { method: "GET" });
    expect(socket.readyState).toBe("open");
    vi.advanceTimersByTime(1);
    await closed;
  });
});

describe("an encoded body", () => {
  it.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
  ])("is read: %s", async (encoding, pack) => {
    expect((await post("/api/v2/usage", pack(text), { "content-encoding": encoding })).status).toBe(202);
  });

  it("is refused where it is not what it says, and in a charset that is not JSON's", async () => {
    expect((await post("/api/v2/usage", text, { "content-encoding": "gzip" })).status).toBe(400);
    const charset = { "content-type": "application/json; charset=utf-16" };
    expect((await post("/api/v2/usage", text, charset)).status).toBe(415);
    const utf8 = { "content-type": 'Application/JSON; charset="UTF-8"' };
    expect((await post("/api/v2/usage", text, utf8)).status).toBe(202);
  });
});

describe("bodies that come slowly", () => {
  /** Announces a body, sends none of it, and resolves what is answered first. */
  function begin(): Promise<string> {
    const socket = connectSocket(Number(new URL(plane.baseUrl).port), "127.0.0.1");
    sockets.push(socket);
    socket.on("error", () => undefined);
    socket.write(
      `POST /api/v2/usage HTTP/1.1\r\nhost: x\r\nservice-api-key: ${plane.apiKey}\r\ncontent-type: application/json\r\ncontent-length: 16384\r\n\r\n`,
    );
    return new Promise((resolve) => socket.once("data", (data) => resolve(String(data))));
  }

  it("take room of their organisation only, and give it back when their clients go", async () => {
    const admin = administrator(plane.baseUrl, adminToken);
    const { organizationId } = (await admin.post("/organizations", { name: "Other" })).json;
    const { apiKey } = (await admin.post(`/organizations/${organizationId}/api-keys`, { name: "other" }))
      .json;
    // 128 of 16 KiB are the 2 MiB that an organisation may have; the one after these is refused.
    const answer = await Promise.race(Array.from({ length: 129 }, begin));
    expect(answer).toMatch(/^HTTP\/1.1 429 /);
    expect(answer).toMatch(/\r\nretry-after: 1\r\n/i);
    expect(answer).toContain('"code":"too_much_at_once"');
    expect((await call("POST", "/api/v2/usage", { body: usageOf() })).status).toBe(429);
    const other = caller({ ...plane, apiKey: String(apiKey) });
    expect((await other("POST", "/api/v2/usage", { body: usageOf() })).status).toBe(404);
    for (const socket of sockets) socket.destroy();
    await expect
      .poll(async () => (await call("POST", "/api/v2/usage", { body: usageOf() })).status)
      .toBe(202);
  });
});

describe("createByteBudget", () => {
  it("refuses with 429 what is too much for an organisation, with 503 what is too much for the process", () => {
    const budget = createByteBudget({ total: 100, each: 40 });
    const giveBack = budget.take(1n, 40);
    expect(() => budget.take(1n, 1)).toThrow(expect.objectContaining({ status: 429 }));
    budget.take(2n, 30);
    expect(() => budget.take(3n, 16)).toThrow(expect.objectContaining({ status: 503, code: "overloaded" }));
    giveBack();
    budget.take(1n, 35);
  });

  it("leaves something for one more, however many take what they may", () => {
    const budget = createByteBudget({ total: 8 * 1_024, each: 2 * 1_024 });
    const fill = (organization: bigint) => {
      for (let bytes = 1_024; bytes >= 64; ) {
        try {
          budget.take(organization, bytes);
        } catch {
          bytes /= 2;
        }
      }
    };
    for (const organization of [1n, 2n, 3n, 4n, 5n]) fill(organization);
    budget.take(6n, 256);
  });
});
