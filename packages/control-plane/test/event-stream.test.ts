import { createServer, get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createStreams } from "../src/admin/streams.ts";
import { sendEvents } from "../src/http/event-stream.ts";

const closes: (() => void)[] = [];
afterEach(() => {
  for (const close of closes.splice(0)) close();
});

/** Serves events, and asks for them; `sent` counts those that were asked for by the server, `ended` tells when it has let go. */
async function serve(stallMs: number) {
  const state = { sent: 0, ended: false };
  const stopping = new AbortController();
  async function* events(): AsyncGenerator<string, void, undefined> {
    try {
      for (; state.sent < 100_000; state.sent += 1) yield `data: ${"x".repeat(65_536)}\n\n`;
    } finally {
      state.ended = true;
    }
  }
  const server = createServer((_request, response) => {
    void sendEvents(response, { status: 200, events }, { stopping: stopping.signal, stallMs });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closes.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const response = await new Promise<IncomingMessage>((resolve) => get({ port, host: "127.0.0.1" }, resolve));
  response.on("error", () => undefined);
  closes.push(() => response.destroy());
  return { state, response };
}

describe("sendEvents", () => {
  it("reads no more events than its client takes, and cuts off one that takes none: it can resume", async () => {
    const { state, response } = await serve(300);
    response.pause();
    await expect.poll(() => state.ended).toBe(true);
    // What the sockets of both sides hold, some megabytes, and not the six gigabytes that there are.
    expect(state.sent).toBeLessThan(1_000);
  });

  it("lets go where its client leaves", async () => {
    const { state, response } = await serve(60_000);
    response.destroy();
    await expect.poll(() => state.ended).toBe(true);
    expect(state.sent).toBeLessThan(1_000);
  });
});

describe("createStreams", () => {
  it("opens so many for an organisation, of the rest half at most; each that ends makes room", () => {
    const streams = createStreams("feeds", { perOrganization: 2, total: 4 });
    const [first] = [streams.open(1n), streams.open(1n)];
    expect(() => streams.open(1n)).toThrow(expect.objectContaining({ status: 429, code: "too_many_feeds" }));
    streams.open(2n);
    expect(() => streams.open(2n)).toThrow(
      expect.objectContaining({
        status: 503,
        code: "overloaded",
        options: { headers: { "retry-after": "5" } },
      }),
    );
    streams.open(3n);
    expect(() => streams.open(4n)).toThrow(expect.objectContaining({ status: 503 }));
    first?.();
    streams.open(4n);
  });
});
