import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { createNodeFetch } from "../src/node-fetch.ts";

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("createNodeFetch", () => {
  it("sends what it is given, and answers what the provider does", async () => {
    const url = await serve(async (request, response) => {
      const { method, url, headers } = request;
      let text = "";
      for await (const chunk of request) text += chunk;
      response.writeHead(418, { "x-a": "1", "set-cookie": ["a=1", "b=2"] });
      response.end(
        JSON.stringify({ method, url, text, key: headers["x-key"], packed: headers["accept-encoding"] }),
      );
    });
    const init = { method: "POST", headers: { "x-key": "k" }, body: "grüß" };
    const response = await createNodeFetch()(`${url}/v1/a?b=c`, init);
    expect([response.status, response.headers.get("x-a")]).toEqual([418, "1"]);
    expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    const sent = { method: "POST", url: "/v1/a?b=c", text: "grüß", key: "k", packed: "identity" };
    expect(await response.json()).toEqual(sent);
  });

  it("keeps its connection for the next call", async () => {
    const ports = new Set<number | undefined>();
    const url = await serve(({ socket }, response) => {
      ports.add(socket.remotePort);
      response.end("yes");
    });
    const send = createNodeFetch();
    for (let call = 0; call < 3; call++) await (await send(url)).text();
    expect(ports.size).toBe(1);
  });

  it("stops the provider when the signal fires, before the answer and within it", async () => {
    const left: Promise<unknown>[] = [];
    const url = await serve((request, response) => {
      left.push(once(response, "close"));
      if (request.url === "/stream") response.write("first");
    });
    const send = createNodeFetch();
    for (const path of ["/stream", "/silent"]) {
      const stop = new AbortController();
      const answer = send(`${url}${path}`, { signal: stop.signal });
      const text = answer.then((response) => {
        stop.abort();
        return response.text();
      });
      while (left.length === 0) await new Promise((resolve) => setImmediate(resolve));
      if (path === "/silent") stop.abort();
      await expect(text).rejects.toThrow("abort");
      await left.pop();
    }
  });

  it("stops the provider when the answer is not wanted any more", async () => {
    let left: Promise<unknown> | undefined;
    const url = await serve((_, response) => {
      left = once(response, "close");
      response.write("first");
    });
    const { body } = await createNodeFetch()(url);
    await body?.cancel();
    await left;
  });

  it("fails an answer that breaks off, and one that says nothing any more", async () => {
    const url = await serve((request, response) => {
      response.write("first");
      if (request.url === "/cut") setImmediate(() => response.destroy());
    });
    const send = createNodeFetch(50);
    for (const path of ["/cut", "/silent"]) {
      await expect(send(`${url}${path}`).then((response) => response.text())).rejects.toThrow();
    }
  });

  it("rejects where nobody listens, where no answer comes, and for an answer that is none", async () => {
    await expect(createNodeFetch()("http://127.0.0.1:1")).rejects.toThrow("ECONNREFUSED");
    const url = await serve((request, response) => {
      if (request.url === "/204") response.writeHead(204).end();
    });
    await expect(createNodeFetch(50)(url)).rejects.toThrow("no byte for 50 ms");
    await expect(createNodeFetch()(`${url}/204`)).rejects.toThrow("204");
  });
});
