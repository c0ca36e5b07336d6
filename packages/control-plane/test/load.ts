import { Agent, type IncomingMessage, type RequestOptions, request } from "node:http";

export interface Answered {
  readonly status: number;
  readonly connection: string | undefined;
  readonly retryAfter: string | undefined;
  readonly body: string;
}

/** Sends a request through an agent, as a client that keeps connections does. Rejects if it is not answered. */
export function ask(url: string, options: RequestOptions, body?: string | Buffer): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (response) => read(response).then(resolve, reject));
    sent.once("error", reject);
    sent.end(body);
  });
}

async function read(response: IncomingMessage): Promise<Answered> {
  let body = "";
  for await (const chunk of response.setEncoding("utf8")) body += chunk;
  const { connection, "retry-after": retryAfter } = response.headers;
  return { status: response.statusCode ?? 0, connection, retryAfter, body };
}

/** As many connections as requests. */
export function keepAliveAgent(): Agent {
  return new Agent({ keepAlive: true });
}
