import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createAddressRule, parseNetwork } from "../src/webhooks/address.ts";
import type { Resolve } from "../src/webhooks/post.ts";
import { createPost, type Reply } from "../src/webhooks/post.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  servers.push(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
}

interface Posting {
  readonly networks?: readonly string[];
  readonly allowHttp?: boolean;
  readonly timeoutMs?: number;
  readonly resolve?: Resolve;
}

function post(url: string, posting: Posting = {}): Promise<Reply> {
  const { networks = [], allowHttp = true, timeoutMs = 10_000, ...rest } = posting;
  const send = createPost({ mayConnect: createAddressRule(networks), allowHttp, timeoutMs, ...rest });
  return send({ url, headers: { "content-length": "2" }, body: "{}" }, new AbortController().signal);
}

const loopback = { networks: ["127.0.0.0/8"] };

describe("createAddressRule", () => {
  const isPublic = createAddressRule([]);

  it.each([
    ["this network", ["0.0.0.0", "0.1.2.3"]],
    ["private networks", ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1"]],
    ["loopback", ["127.0.0.1", "127.255.255.254", "::1", "::"]],
    [
      "metadata services",
      ["169.254.169.254", "100.100.100.200", "168.63.129.16", "192.0.0.192", "fd00:ec2::254"],
    ],
    [
      "link-local and unique local addresses",
      ["169.254.0.1", "fe80::1", "fe80::1%eth0", "fc00::1", "fdff::1"],
    ],
    ["documentation and benchmarks", ["192.0.2.1", "198.18.0.1", "203.0.113.9", "2001:db8::1", "3fff::1"]],
    ["multicast, broadcast and what is reserved", ["224.0.0.1", "255.255.255.255", "240.0.0.1", "ff02::1"]],
    [
      "IPv4 in IPv6",
      ["::ffff:127.0.0.1", "::ffff:7f00:1", "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2001::1"],
    ],
    ["what is no address", ["", "localhost", "1.2.3", "256.1.1.1"]],
  ])("refuses %s", (_, addresses) => {
    for (const address of addresses) expect([address, isPublic(address)]).toEqual([address, false]);
  });

  it("lets public addresses pass", () => {
    for (const address of [
      "1.1.1.1",
      "172.32.0.1",
      "100.128.0.1",
      "168.63.129.17",
      "2606:4700:4700::1111",
      "2a00::1",
    ]) {
      expect([address, isPublic(address)]).toEqual([address, true]);
    }
  });

  it("lets the networks pass that an operator names, and no more", () => {
    const rule = createAddressRule(["10.1.0.0/16", "192.168.0.7", "fd00::/8"]);
    const seen = [
      "10.1.2.3",
      "10.2.0.1",
      "192.168.0.7",
      "192.168.0.8",
      "fd12::1",
      "fc00::1",
      "::ffff:10.1.0.1",
    ];
    expect(seen.map(rule)).toEqual([true, false, true, false, true, false, true]);
  });

  it("takes for networks what is one", () => {
    for (const text of ["10.0.0.0/33", "10.0.0.0/", "10.0.0/8", "fd00::/129", "example.com", ""]) {
      expect([text, parseNetwork(text)]).toEqual([text, undefined]);
    }
  });
});

describe("createPost", () => {
  it.each([
    "https://127.0.0.1/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0177.0.0.1/",
    "https://127.1/",
    "https://0/",
    "https://[::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:a9fe:a9fe]/",
    "https://169.254.169.254/latest/meta-data",
    "https://①②⑦.0.0.1/",
  ])("sends nothing to %s", async (url) => {
    expect(await post(url)).toMatchObject({
      status: undefined,
      error: expect.stringContaining("expected a public address, received"),
    });
  });

  it("checks what a name is at the moment of connecting, each time", async () => {
    let asked = 0;
    const port = await listen((_request, response) => response.end());
    const resolve: Resolve = async () => [{ address: asked++ === 0 ? "127.0.0.2" : "127.0.0.1", family: 4 }];
    const networks = ["127.0.0.1"];
    const url = `http://rebinding.example:${port}/`;
    expect(await post(url, { resolve, networks })).toMatchObject({
      error:
        "rebinding.example: expected a public address, received 127.0.0.2; --webhook-networks allows others",
    });
    expect(await post(url, { resolve, networks })).toMatchObject({ status: 200 });
  });

  it("connects to what may be connected to of the addresses of a name", async () => {
    const port = await listen((_request, response) => response.end());
    const resolve: Resolve = async () => [
      { address: "10.0.0.1", family: 4 },
      { address: "127.0.0.1", family: 4 },
    ];
    expect(await post(`http://some.example:${port}/`, { resolve, ...loopback })).toMatchObject({
      status: 200,
    });
  });

  it("says of a name that is not known that it is not", async () => {
    expect(await post("https://creditgate.invalid/")).toMatchObject({
      status: undefined,
      error: expect.stringContaining("creditgate.invalid"),
    });
  });

  it("goes by https, unless http is allowed", async () => {
    expect(await post("http://example.com/", { allowHttp: false })).toMatchObject({
      error: "expected https, received http; --webhook-http allows http",
    });
    expect(await post("ftp://example.com/")).toMatchObject({
      error: expect.stringContaining("expected https"),
    });
  });

  it("does not follow redirects", async () => {
    let visits = 0;
    const port = await listen((request, response) => {
      visits += 1;
      response.writeHead(request.url === "/" ? 307 : 200, { location: "/elsewhere" }).end();
    });
    expect(await post(`http://127.0.0.1:${port}/`, loopback)).toMatchObject({ status: 307 });
    expect(visits).toBe(1);
  });

  it("reads of an answer no more than 16 KiB, whatever is sent", async () => {
    let closed = (): void => undefined;
    const end = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const port = await listen((_request, response) => {
      const write = (): void => {
        while (!response.destroyed && response.write("x".repeat(64 * 1024)));
      };
      response.on("drain", write).on("close", closed);
      write();
    });
    const reply = await post(`http://127.0.0.1:${port}/`, loopback);
    expect(reply).toMatchObject({ status: 200, body: "x".repeat(16 * 1024) });
    await end;
  });

  it("takes the status for the answer where the body does not end", async () => {
    const port = await listen((_request, response) => response.writeHead(202).write("so far"));
    expect(await post(`http://127.0.0.1:${port}/`, { ...loopback, timeoutMs: 200 })).toMatchObject({
      status: 202,
      body: "so far",
    });
  });

  it("takes a change of protocol for no answer, and ends", async () => {
    const switching = "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n";
    const port = await listen(({ socket }) => socket.write(switching));
    expect(await post(`http://127.0.0.1:${port}/`, loopback)).toEqual({
      status: undefined,
      error: "closed without an answer",
    });
  });

  it("gives up where there is no answer in time, or nobody listens", async () => {
    const port = await listen(() => undefined);
    const url = `http://127.0.0.1:${port}/`;
    expect(await post(url, { ...loopback, timeoutMs: 100 })).toEqual({
      status: undefined,
      error: "no answer within 0.1 s",
    });
    const resolve: Resolve = () => new Promise(() => undefined);
    expect(await post("https://slow.example/", { timeoutMs: 100, resolve })).toEqual({
      status: undefined,
      error: "no answer within 0.1 s",
    });
    for (const server of servers.splice(0)) server.close().closeAllConnections();
    expect(await post(url, loopback)).toMatchObject({ error: expect.stringContaining("ECONNREFUSED") });
  });
});
