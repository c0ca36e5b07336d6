import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { task, tell } from "../control-plane/child.ts";

export interface ServiceTask {
  /** Whether the service takes batches, and tells what each report costs. */
  readonly isNew: boolean;
}

const { isNew } = await task<ServiceTask>();
const told = isNew ? { credits: 1, currency: "ai_credits" } : {};
const taken = { status: "accepted", ...told };
const funds = {
  available: 1e9,
  pending: 0,
  overage_used: 0,
  overage_limit: 0,
  postpaid_used: 0,
  postpaid_limit: 0,
};
const balance = { balances: { ai_credits: isNew ? { ...funds, unsettled: 0, kind: "prepaid" } : funds } };

/** Answers balances and usage as the service does, at once, and keeps nothing. */
const server = createServer((request, response) => {
  if (request.method === "GET") return answer(request, response, 200, balance);
  if (request.url === "/api/v2/usage") {
    request.resume();
    return answer(request, response, 201, taken);
  }
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const { reports }: { reports: readonly { key: string }[] } = JSON.parse(Buffer.concat(chunks).toString());
    const results = reports.map(({ key }) => ({ key, status: 201, body: taken }));
    answer(request, response, 200, { results });
  });
});

function answer({ headers }: IncomingMessage, response: ServerResponse, status: number, body: object): void {
  const id = headers["creditgate-request-id"];
  const key = headers["idempotency-key"];
  response.writeHead(status, {
    "content-type": "application/json",
    ...(isNew && { "creditgate-usage-batch": "500" }),
    ...(isNew && id !== undefined && { "creditgate-request-id": id }),
    ...(key !== undefined && { "idempotency-key": key }),
  });
  response.end(JSON.stringify(body));
}

await once(server.listen(0, "127.0.0.1"), "listening");
tell({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
