// An application under load, with a durable outbox. It is killed, and started again, by e2e/crash.full.test.ts.
import { closeSync, openSync, writeSync } from "node:fs";
import { createClient } from "@creditgate/client";
import { createGate } from "@creditgate/core";
import { createSqliteOutbox } from "@creditgate/sqlite";

const { OUTBOX: path, JOURNAL, RUN, MODE, REPORTS = "Infinity", WORKERS = "16" } = process.env;
const outbox = createSqliteOutbox({ path });
const gate = createGate({
  client: createClient(),
  currency: "ai_credits",
  wallet: "prepaid",
  outbox,
  // A real outage lasts longer than a balance is good for: here usage is what matters.
  maxStaleMs: 86_400_000,
  checkTimeoutMs: 30_000,
});
const tell = (fact) => process.stdout.write(`${JSON.stringify(fact)}\n`);
const megabytes = () => Math.round(process.memoryUsage().rss / 2 ** 20);

if (MODE === "load") {
  const journal = openSync(JOURNAL, "a", 0o600);
  const most = Number(REPORTS);
  const admit = async (customerId) => {
    const decision = await gate.authorize({ customerId, agentId: "chat", indicator: "message", hold: 1 });
    if (!decision.allowed) throw new Error(`denied: ${decision.denial.code}`);
    return decision.charge;
  };
  // Every balance has been read before the service may go away.
  const customers = Array.from({ length: 10 }, (_, at) => `customer-${at}`);
  for (const charge of await Promise.all(customers.map(admit))) charge.release();
  let begun = 0;
  let settled = 0;
  const worker = async () => {
    while (begun < most) {
      const number = begun++;
      const model = `${RUN}-${number}`;
      const charge = await admit(customers[number % customers.length]);
      charge.report({ model }, { credits: 1 });
      await charge.settle();
      // What is written here is what the application believes to be safe.
      writeSync(journal, `${model}\n`);
      settled++;
      if (settled % 10 === 0) tell({ settled, rss: megabytes() });
    }
  };
  await Promise.all(Array.from({ length: Number(WORKERS) }, worker));
  closeSync(journal);
  tell({ settled, rss: megabytes(), done: true });
  // The process that started this one decides when it goes on.
  await new Promise((resolve) => process.stdin.once("data", resolve));
}

const timer = setInterval(() => tell({ rss: megabytes() }), 500);
const left = await gate.flush({ timeoutMs: 600_000 });
clearInterval(timer);
await gate.close();
await outbox.close();
tell({ left, rss: megabytes() });
process.exit();
