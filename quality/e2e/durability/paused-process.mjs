// Work that pauses for lack of credits, with a durable outbox. It is killed, and started again, by e2e/pause-crash.full.test.ts.
import { createClient } from "@creditgate/client";
import { createGate, pause } from "@creditgate/core";
import { createSqliteOutbox } from "@creditgate/sqlite";

const { OUTBOX: path, MODE, CUSTOMERS } = process.env;
const outbox = createSqliteOutbox({ path });
const gate = createGate({
  client: createClient(),
  currency: "ai_credits",
  wallet: "prepaid",
  outbox,
  durableHolds: true,
  onOrphan: "review",
  checkTimeoutMs: 30_000,
  price: () => 1,
});
const orphans = [];
gate.on("orphan", ({ work }) => orphans.push({ customerId: work.customerId, hold: work.hold }));
const tell = (fact) => process.stdout.write(`${JSON.stringify(fact)}\n`);
const authorize = (customerId, hold) =>
  gate.authorize({ customerId, agentId: "chat", indicator: "message", hold });
const customers = Array.from({ length: Number(CUSTOMERS) }, (_, at) => `customer-${at}`);

if (MODE === "pause") {
  const work = async (customerId, at) => {
    const { charge } = await authorize(customerId, 3);
    charge.report({ model: customerId });
    // Each second one has enough for what comes next: it is killed at its next step.
    const { allowed } = await pause(charge, at % 2 === 0 ? 3 : 2, {
      onPause: () => tell({ paused: customerId }),
    });
    if (allowed) tell({ resumed: customerId });
  };
  await Promise.all(customers.map(work));
} else {
  const left = await gate.flush({ timeoutMs: 600_000 });
  const allowed = [];
  for (const customerId of customers) allowed.push((await authorize(customerId, 2)).allowed);
  tell({ left, orphans, allowed });
}
