// A server whose answer takes until its standard input says so. It is sent SIGTERM by e2e/shut-down.test.ts.
import { createServer } from "node:http";
import { createClient } from "@creditgate/client";
import { createGate, shutDownOnSignal } from "@creditgate/core";
import { createSqliteOutbox } from "@creditgate/sqlite";

const outbox = createSqliteOutbox({ path: process.env.OUTBOX });
const gate = createGate({
  client: createClient(),
  currency: "ai_credits",
  wallet: "prepaid",
  outbox,
  checkTimeoutMs: 30_000,
});
const goOn = new Promise((resolve) => process.stdin.once("data", resolve));

const server = createServer(async (_, response) => {
  const decision = await gate.authorize({
    customerId: "customer-0",
    agentId: "chat",
    indicator: "message",
    hold: 1,
  });
  if (!decision.allowed) return void response.writeHead(decision.denial.status).end();
  response.write("first,");
  await goOn;
  decision.charge.report({ model: "during the shutdown" }, { credits: 1 });
  response.end("last");
  await decision.charge.settle();
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));

shutDownOnSignal({
  process,
  server,
  gate,
  requestGraceMs: 120_000,
  deliveryGraceMs: 120_000,
  async onClosed(left) {
    console.log(JSON.stringify(left));
    await outbox.close();
  },
});
