import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Books } from "./books.ts";
import type { Contestant } from "./contestant.ts";
import { type Listening, listen } from "./listen.ts";

/** `hang`: takes requests and never answers them. `fail`: answers 500. */
export type Fault = "none" | "hang" | "fail";

/** What the service has seen. */
export interface Seen {
  readonly calls: number;
  readonly billed: number;
  readonly held: number;
}

const latencyMs = 20;

/** The billing service, with the contestant's wire API. `/contest/…` is ours: to cause faults and to read the books. */
export async function startService(contestant: Contestant): Promise<Listening> {
  const books = new Books();
  let fault: Fault = "none";
  let calls = 0;

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://service");
    if (url.pathname === "/contest/fault") {
      fault = url.searchParams.get("fault") as Fault;
      return respond(response, 200, {});
    }
    if (url.pathname === "/contest/seen") {
      const totals = books.totals(url.searchParams.get("prefix") ?? "");
      return respond(response, 200, { calls, ...totals } satisfies Seen);
    }
    calls++;
    const now = fault;
    if (now === "hang") return void request.resume();
    void bodyOf(request).then((body) =>
      setTimeout(() => {
        if (now === "fail") return respond(response, 500, { error: "internal error" });
        const { method = "GET", url: path = "/", headers } = request;
        const answer = contestant.respond({ method, path, headers, body }, books);
        respond(response, answer.status ?? 200, answer.body, answer.headers);
      }, latencyMs),
    );
  });
  return await listen(server);
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString());
}

function respond(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}
