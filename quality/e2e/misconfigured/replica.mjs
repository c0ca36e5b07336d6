// A process that spends alice's wallet by a ledger in its memory, when its parent says so.
import { createClient } from "@creditgate/client";
import { createGate } from "@creditgate/core";

// A machine under load may be slow: that is not what this is about.
const client = createClient({ timeoutMs: 30_000 });
const gate = createGate({
  client,
  currency: "ai_credits",
  minRefreshMs: 0,
  checkTimeoutMs: 30_000,
  lagWatch: false,
});
const work = { customerId: "alice", agentId: "chat", indicator: "message", hold: 1 };

process.on("message", async (what) => {
  if (what === "work") {
    const decision = await gate.authorize(work);
    if (decision.allowed) {
      decision.charge.report({ requests: 1 });
      await decision.charge.settle();
      await gate.flush();
    }
    await gate.balance("alice", { maxAgeMs: 0 });
    process.send(decision.allowed);
  } else {
    await gate.close();
    process.disconnect();
  }
});
process.send("ready");
