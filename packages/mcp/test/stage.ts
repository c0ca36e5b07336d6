import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { AuthInfo } from "@modelcontextprotocol/sdk/server/auth/types.js";
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { afterEach } from "vitest";

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

/** Connects a client to the server, signed in as this customer, until the test is over. */
export type Connect = (server: McpServer, customerId?: string) => Promise<Client>;

/** What a server's token verifier knows. */
const authOf = (customerId: string | undefined): AuthInfo => ({
  token: "token",
  clientId: "an application",
  scopes: [],
  extra: { ...(customerId !== undefined && { customerId }) },
});

export const inMemory: Connect = async (server, customerId) => {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const { send } = near;
  near.send = (message, options) => send.call(near, message, { ...options, authInfo: authOf(customerId) });
  await server.connect(far);
  const client = new Client({ name: "client", version: "1" });
  await client.connect(near);
  endings.push(() => client.close());
  return client;
};

export const overHttp: Connect = async (server, customerId) => {
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: randomUUID });
  await server.connect(transport);
  const http = createServer((request, response) => {
    void transport.handleRequest(Object.assign(request, { auth: authOf(customerId) }), response);
  }).listen(0, "127.0.0.1");
  await once(http, "listening");
  const client = new Client({ name: "client", version: "1" });
  const { port } = http.address() as AddressInfo;
  await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}`)));
  endings.push(async () => {
    await client.close();
    await transport.close();
    const closed = once(http, "close");
    http.close();
    http.closeAllConnections();
    await closed;
  });
  return client;
};
