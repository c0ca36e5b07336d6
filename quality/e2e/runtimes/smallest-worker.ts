import { createTransport } from "@creditgate/client";
import { createGate } from "@creditgate/core";
import { withCredits } from "@creditgate/edge";

// What a worker needs of us: the gate, the transport, the cache, the adapter.
const client = createTransport({ baseUrl: "https://billing.example", apiKey: "key" });
const gate = createGate({ client, currency: "ai_credits", wallet: "prepaid", onUndelivered: console.error });

// biome-ignore lint/style/noDefaultExport: Workers are started by it.
export default {
  fetch: withCredits(
    gate,
    { customer: "alice", agentId: "chat", indicator: "message", hold: 5 },
    async (_request, { credits }, _env: unknown, _context: unknown) => {
      credits.report({ model: "m" });
      return new Response("hello");
    },
  ),
};
