import { once } from "node:events";
import { connect } from "node:net";
import { AdapterControlPlane, type RunningServer } from "@creditgate/conformance";
import { Miniflare, Response } from "miniflare";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { bundle } from "./adapters-bundle.ts";
import { serve } from "./adapters-node.ts";

describe("withCredits of @creditgate/edge in workerd", () => {
  const plane = new AdapterControlPlane();
  let service: RunningServer;
  let worker: Miniflare;
  beforeAll(async () => {
    service = await serve((request) => plane.handle(request));
    worker = new Miniflare({
      modules: [
        { type: "ESModule", path: "worker.mjs", contents: (await bundle("workerd-responses.ts")).code },
      ],
      compatibilityDate: "2026-04-01",
      bindings: { CONTROL_PLANE_URL: service.url },
    });
  });
  afterAll(async () => {
    await worker.dispose();
    await service.close();
  });

  const ask = (path: string, headers: Record<string, string> = {}) =>
    worker.dispatchFetch(`http://worker.example${path}`, { headers: { "x-customer": path, ...headers } });
  const expectBill = (path: string) =>
    vi.waitFor(() => expect(plane.billed(path)).toEqual(["default"]), { timeout: 30_000 });

  it("lets a connection be upgraded, and bills that as a success", async () => {
    const { status, webSocket } = await ask("/socket", { upgrade: "websocket" });
    expect(status).toBe(101);
    const heard = new Promise((resolve) =>
      webSocket?.addEventListener("message", ({ data }) => resolve(data)),
    );
    webSocket?.accept();
    expect(await heard).toBe("hello");
    webSocket?.close();
    await expectBill("/socket");
  });

  it("passes a body that is already encoded without encoding it again", async () => {
    expect(await (await ask("/encoded")).text()).toBe("hello");
    await expectBill("/encoded");
  });

  it("bills work whose client closes its connection before the answer, of which workerd reads the first chunk only", async () => {
    const { hostname, port } = await worker.ready;
    const socket = connect(Number(port), hostname);
    await once(socket, "connect");
    socket.end(`GET /left HTTP/1.1\r\nhost: worker.example\r\nx-customer: /left\r\n\r\n`, () =>
      socket.destroy(),
    );
    await expectBill("/left");
  });

  it("answers 204 where the handler gave an empty text for a body", async () => {
    expect((await ask("/empty")).status).toBe(204);
    await expectBill("/empty");
  });
});

describe("a gate that is made at module scope", () => {
  it("decides in workerd, which gives no random values there", async () => {
    const code = (await bundle("smallest-worker.ts")).code;
    const worker = new Miniflare({
      modules: [{ type: "ESModule", path: "worker.mjs", contents: code }],
      compatibilityDate: "2026-04-01",
      // There is no such service.
      outboundService: () => new Response(null, { status: 502 }),
    });
    try {
      expect((await worker.dispatchFetch("http://worker.example/")).status).toBe(503);
    } finally {
      await worker.dispose();
    }
  });
});
