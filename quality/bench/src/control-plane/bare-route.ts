import { randomUUID } from "node:crypto";
import type { RequestListener } from "node:http";
import pg from "pg";
import { bareColumns, createBareTable } from "./bare-table.ts";

const connections = 2;

interface Waiting {
  readonly report: Readonly<Record<string, unknown>>;
  readonly key: unknown;
  readonly answer: () => void;
}

/**
 * The least that a durable report can take: a handler of `node:http` that reads JSON, and puts what has come meanwhile
 * into one `INSERT` and one commit. It knows no key, checks nothing, has no price, and answers no repeated key.
 */
export async function createBareRoute(databaseUrl: string): Promise<RequestListener> {
  const clients = Array.from({ length: connections }, () => new pg.Client({ connectionString: databaseUrl }));
  await Promise.all(clients.map((client) => client.connect()));
  if (clients[0] !== undefined) await createBareTable(clients[0]);
  const queue: Waiting[] = [];
  const idle = [...clients];

  const write = async (client: pg.Client): Promise<void> => {
    // Half of what has come, so that one connection writes while the others' reports are answered.
    const batch = queue.splice(0, Math.max(32, Math.ceil(queue.length / (idle.length + 1))));
    await client.query({ name: "bare-route", text, values: [JSON.stringify(batch.map(rowOf))] });
    for (const { answer } of batch) answer();
  };
  const next = (): void => {
    const client = queue.length > 0 ? idle.pop() : undefined;
    if (client === undefined) return;
    write(client)
      .catch((error: unknown) => console.error(error))
      .finally(() => {
        idle.push(client);
        next();
      });
    next();
  };

  return (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const report = JSON.parse(Buffer.concat(chunks).toString());
      const answer = (): void => {
        const body = '{"status":"accepted"}';
        response.writeHead(202, { "content-type": "application/json", "content-length": body.length });
        response.end(body);
      };
      if (queue.length === 0) setImmediate(next);
      queue.push({ report, key: request.headers["idempotency-key"], answer });
    });
  };
}

const text = `insert into bare (${bareColumns})
  select 1, usage_id, key, repeat('0', 64), agent_id, indicator, customer_id, raw_usage, 'ai_credits', 2200000, now()
    from json_to_recordset($1::json)
      as (usage_id uuid, key text, agent_id text, indicator text, customer_id text, raw_usage json)`;

function rowOf({ report, key }: Waiting): object {
  return {
    usage_id: randomUUID(),
    key,
    agent_id: report.agentId,
    indicator: report.indicator,
    customer_id: report.customerId,
    raw_usage: report.rawUsage,
  };
}
