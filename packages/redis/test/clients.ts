import { createServer, type IncomingMessage, type Server } from "node:http";
import type { RedisClient } from "@creditgate/redis";
import { Redis as Upstash } from "@upstash/redis";
import { Redis } from "ioredis";
import { createClient } from "redis";

/** A client on trial. */
export interface Connected {
  readonly redis: RedisClient;
  close(): Promise<void>;
}

/** The clients that we know, each connected to the server on this port. */
export const clients = {
  async ioredis(port: number): Promise<Connected> {
    const redis = new Redis(port);
    return { redis, close: async () => redis.disconnect() };
  },
  async "node-redis"(port: number): Promise<Connected> {
    const redis = createClient({ url: `redis://127.0.0.1:${port}` });
    await redis.connect();
    return { redis, close: async () => redis.destroy() };
  },
  async "@upstash/redis"(port: number): Promise<Connected> {
    const inner = new Redis(port);
    const server = await serveRest(inner);
    const address = server.address();
    if (typeof address !== "object" || address === null) throw new Error("the stand-in has no port");
    const redis = new Upstash({
      url: `http://127.0.0.1:${address.port}`,
      token: "secret",
      responseEncoding: false,
    });
    return {
      redis,
      async close() {
        inner.disconnect();
        server.closeAllConnections();
        server.close();
      },
    };
  },
};

/** Upstash's REST protocol, as far as its client speaks it here: a command, or several, as JSON, with the token `secret`. */
export async function serveRest(redis: Redis): Promise<Server> {
  const run = async ([command = "", ...args]: readonly string[]) => {
    try {
      return { result: await redis.call(command, ...args.map(String)) };
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) };
    }
  };
  const server = createServer(async (request, response) => {
    // The port may have been another test's a moment ago, and its client may not know that it is gone.
    if (request.headers.authorization !== "Bearer secret") return void response.writeHead(401).end();
    const body: string[] & string[][] = JSON.parse(await textOf(request));
    const isOne = request.url === "/";
    const answer = isOne ? await run(body) : await Promise.all((body as string[][]).map(run));
    response.writeHead(isOne && "error" in answer ? 400 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of request) text += String(part);
  return text;
}
