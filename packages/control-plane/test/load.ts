import { Agent, type ClientRequest, type IncomingMessage, type RequestOptions, request } from "node:http";
import { Readable } from "node:stream";

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
    send(sent, Buffer.from(body ?? ""));
  });
}

const pieceBytes = 64 * 1024;

/** A large body goes out in pieces, until the response comes: a client that went on would be reset, and might not read it. */
function send(sent: ClientRequest, body: Buffer): void {
  if (body.length <= pieceBytes) {
    sent.end(body);
    return;
  }
  if (!sent.hasHeader("transfer-encoding")) sent.setHeader("content-length", body.length);
  const pieces = Readable.from(piecesOf(body), { objectMode: false });
  sent.once("response", () => pieces.unpipe(sent));
  pieces.pipe(sent);
}

function* piecesOf(body: Buffer): Generator<Buffer> {
  for (let at = 0; at < body.length; at += pieceBytes) yield body.subarray(at, at + pieceBytes);
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
