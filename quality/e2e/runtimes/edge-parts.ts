import { createTransport } from "@creditgate/client";
import {
  createGate,
  createRegistry,
  type GateOptions,
  ownService,
  useRecommendedActions,
} from "@creditgate/core";

// What a bundle for the edge has only if it asks for it.
const registry = createRegistry();
const common = { currency: "credits", registry, logger: false, onUndelivered() {} } as const;

/** The message of what a misused gate or client throws. */
export function misuse(what: "option" | "name" | "client" | "service" | "action"): string {
  const service = { balance: () => undefined, report() {} };
  try {
    if (what === "client") createTransport({ baseUrl: "ftp://billing.example", apiKey: "key" });
    const client = createTransport({ baseUrl: "https://billing.example", apiKey: "key" });
    if (what === "service") createGate({ ...common, service });
    if (what === "option") createGate({ ...common, client, ttlMs: -1 });
    if (what === "action") createGate({ ...common, client, actionTimeoutMs: 1_000 });
    if (what === "name") createGate({ ...common, client, tllMs: 1 } as GateOptions);
  } catch (error) {
    return String(error);
  }
  return "nothing";
}

/** What a service of two functions is billed for work that is worth 2 credits of 3. */
export async function billOwnService(): Promise<unknown> {
  const billed: unknown[] = [];
  const service = ownService({
    settles: "at once",
    balance: () => ({ available: 3 }),
    report(reports) {
      for (const { customerId, usage } of reports) billed.push({ customerId, usage });
    },
  });
  const gate = createGate({ ...common, service });
  const names = { customerId: "alice", agentId: "chat", indicator: "message" };
  const decision = await gate.authorize({ ...names, hold: 2 });
  if (!decision.allowed) return decision.denial;
  const { denial } = { denial: undefined, ...(await gate.authorize({ ...names, hold: 2 })) };
  decision.charge.report({ model: "m" });
  await decision.charge.settle();
  return { billed, denial };
}

/** What a denial recommends. */
export async function recommended(isAsked: boolean): Promise<unknown> {
  if (isAsked) useRecommendedActions();
  const wallet = {
    available: 0,
    pending: 0,
    overage_used: 0,
    overage_limit: 0,
    postpaid_used: 0,
    postpaid_limit: 0,
  };
  const fetch = async (url: string) =>
    Response.json(
      url.includes("/subscription") ? { recommendedAction: "upgrade" } : { balances: { credits: wallet } },
    );
  const client = createTransport({ baseUrl: "https://billing.example", apiKey: "key", fetch });
  const gate = createGate({ ...common, registry: createRegistry(), client, wallet: "prepaid" });
  const decision = await gate.authorize({
    customerId: "alice",
    agentId: "chat",
    indicator: "message",
    hold: 1,
  });
  return decision.allowed ? "allowed" : decision.denial.recommendedAction;
}
