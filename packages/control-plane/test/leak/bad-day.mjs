// An application that asks its model, reports a credit, answers at once, and has a bad day in the way that DAY names.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";

const { DAY, LEAK_BILLING_URL, LEAK_MODEL_URL, PORT } = process.env;
let requests = 0;

// As pg_ctl does: a session of its own, and the output of its parent.
if (DAY === "daemon") spawn("sleep", ["60"], { detached: true, stdio: "inherit" });
process.once("SIGTERM", () => process.exit());

createServer(async (request, response) => {
  requests++;
  if (DAY === "crash" && requests > 1) process.exit(7);
  if (DAY === "outage" && requests > 1) return response.writeHead(503).end();
  let body = "";
  for await (const chunk of request) body += chunk;
  await fetch(`${LEAK_BILLING_URL}/balance`);
  const answer = await fetch(LEAK_MODEL_URL, { method: "POST", body }).then((model) => model.text());
  const headers = { "idempotency-key": randomUUID() };
  await fetch(`${LEAK_BILLING_URL}/usage`, { method: "POST", headers });
  response.setHeader("content-type", "text/plain").end(`${process.pid} ${answer}`);
}).listen(PORT, "127.0.0.1");
