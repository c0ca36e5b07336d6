import { once } from "node:events";
import { createServer } from "node:http";
import { createClient } from "@creditgate/client";
import { createGate, shutDownOnSignal } from "@creditgate/core";
import { createSqliteOutbox } from "@creditgate/sqlite";
import { createApp } from "./app.ts";
import { readConfig } from "./config.ts";
import { walletOf } from "./customers.ts";
import { joinFleet } from "./fleet.ts";
import { longestAnswer } from "./longest-answer.ts";
import { modelOf } from "./model.ts";
import { paymentWebhook } from "./payment-webhook.ts";
import { price } from "./price.ts";

try {
  const config = readConfig(process.env);
  const { port, settlementLagMs, openAi, outboxFile, durableHolds, paymentWebhookSecret: secret } = config;
  const client = createClient();
  // In a cluster, all processes decide by one ledger, and each finds what the one before it had not delivered.
  const fleet = config.fleet === undefined ? undefined : joinFleet(config.fleet);
  // With a file, what has been used is billed even if this process is killed before it could tell.
  const file = outboxFile === undefined || fleet ? undefined : createSqliteOutbox({ path: outboxFile });
  const outbox = fleet?.outbox ?? file;
  const gate = createGate({
    client,
    currency: "ai_credits",
    wallet: walletOf,
    price,
    settlementLagMs,
    ...(outbox && { outbox }),
    // What a kill cuts off is billed as the longest answer.
    ...(file &&
      durableHolds && { durableHolds, onOrphan: "default", defaultUsage: { outputTokens: longestAnswer } }),
    ...(fleet && { ledger: fleet.ledger }),
  });
  gate.on("degraded", ({ what, error }) => console.error(`express-chat: ${what} is degraded:`, error));
  gate.on("dead", ({ error }) => console.error("express-chat: usage was refused:", error));

  const llm = modelOf(openAi);
  const webhook = secret === undefined ? undefined : paymentWebhook({ client, secret });
  const server = createServer(createApp({ gate, llm, paymentWebhook: webhook }));
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const taken = typeof address === "object" && address !== null ? address.port : port;
  console.log(`express-chat listening on http://127.0.0.1:${taken} (${openAi?.model ?? "stand-in model"})`);

  shutDownOnSignal({
    process,
    server,
    gate,
    async onClosed({ queued, parked, dead }) {
      await (fleet ?? file)?.close();
      const undelivered = queued + parked + dead;
      if (undelivered === 0) return;
      console.error(`express-chat: ${undelivered} usage reports could not be delivered`);
      process.exitCode = 1;
    },
  });
} catch (error) {
  console.error(`express-chat: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
