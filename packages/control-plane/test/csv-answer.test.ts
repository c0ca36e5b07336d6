import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { type CsvOptions, sendCsv } from "../src/http/csv.ts";

const closes: (() => void)[] = [];
afterEach(() => {
  for (const close of closes.splice(0)) close();
});

/** Serves a file of six gigabytes, and asks for it; `read` counts its parts, `ended` tells when it is let go. */
async function serve(method: "GET" | "HEAD", options: Partial<CsvOptions> = {}) {
  const state = { read: 0, ended: false };
  async function* parts() {
    try {
      for (; state.read < 100_000; state.read += 1) yield [["x".repeat(65_536)]];
    } finally {
      state.ended = true;
    }
  }
  const server = createServer((_request, response) => {
    const file = { status: 200 as const, name: "file", columns: ["text"], parts: parts() };
    void sendCsv(response, file, { isAdmitted: async () => true, ...options });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closes.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request({ port, host: "127.0.0.1", method }, resolve);
    sent.on("error", reject);
    sent.end();
  });
  response.on("error", () => undefined);
  closes.push(() => response.destroy());
  return { state, response };
}

describe("sendCsv", () => {
  it("cuts off a client that takes nothing: it would keep a connection from others", async () => {
    const { state, response } = await serve("GET", { stallMs: 300 });
    response.pause();
    await expect.poll(() => state.ended).toBe(true);
    expect(state.read).toBeLessThan(1_000);
    response.resume();
    await expect.poll(() => response.destroyed).toBe(true);
    expect(response.complete).toBe(false);
  });

  it("lets go where its client leaves", async () => {
    const { state, response } = await serve("GET");
    response.destroy();
    await expect.poll(() => state.ended).toBe(true);
    expect(state.read).toBeLessThan(1_000);
  });

  it("cuts off a client that may not read on, also one that takes all that comes", async () => {
    let looks = 0;
    const isAdmitted = async () => {
      looks += 1;
      return looks < 10;
    };
    const { state, response } = await serve("GET", { isAdmitted, admissionMs: 0 });
    response.resume();
    await expect.poll(() => state.ended, { timeout: 30_000 }).toBe(true);
    expect(state.read).toBe(9);
    await expect.poll(() => response.destroyed, { timeout: 30_000 }).toBe(true);
    expect(response.complete).toBe(false);
  });

  it("answers HEAD, and reads no more than a part", async () => {
    const { state, response } = await serve("HEAD");
    expect(response.headers["content-type"]).toMatch(/^text\/csv/);
    await expect.poll(() => state.ended).toBe(true);
    expect(state.read).toBe(0);
  });
});
