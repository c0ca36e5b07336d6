import { createServer } from "node:http";
import { usageBatch } from "@creditgate/client";
import { type Listening, listen } from "../contest/listen.ts";
import { prepaid } from "../instant-client.ts";
import { type RungName, rungs } from "./rungs.ts";

const accepted = { status: "accepted", credits: 1, currency: "ai_credits" };
const balance = { balances: { ai_credits: { ...prepaid(1e9), unsettled: 0, kind: "prepaid" } } };

/** A billing service that responds at once. A rung's API key is its name; `GET /billed` returns how many reports it has sent. */
export async function startService(): Promise<Listening> {
  const billed = new Map<unknown, number>();
  const server = createServer((request, response) => {
    const { url, method, headers } = request;
    const rung = headers["service-api-key"] as RungName | undefined;
    const respond = (status: number, body: unknown): void => {
      const [id, key] = [headers["creditgate-request-id"], headers["idempotency-key"]];
      response.writeHead(status, {
        "content-type": "application/json",
        ...(rung !== undefined &&
          rungs[rung]?.delivery === "in batches" && { "creditgate-usage-batch": "500" }),
        ...(id !== undefined && { "creditgate-request-id": id }),
        ...(key !== undefined && { "idempotency-key": key }),
      });
      response.end(JSON.stringify(body));
    };
    const bill = (reports: number) => billed.set(rung, (billed.get(rung) ?? 0) + reports);
    if (method === "GET") return respond(200, url === "/billed" ? (billed.get(rung) ?? 0) : balance);
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (url !== usageBatch.path) {
        bill(1);
        return respond(201, accepted);
      }
      const { reports }: { reports: { key: string }[] } = JSON.parse(Buffer.concat(chunks).toString());
      bill(reports.length);
      respond(200, { results: reports.map(({ key }) => ({ key, status: 201, body: accepted })) });
    });
  });
  return await listen(server);
}
