import type { Decision } from "@creditgate/core";
import type { Passage, RequestKind } from "../src/service/fake-client.ts";
import type { Core } from "./mutated-core.ts";

const customerId = "ada";
const currency = "ai_credits";
const passage: Passage = { outMs: 0, backMs: 0, processed: true, debitDelay: 1, extended: true };

/** A gate that knows neither the kind of the wallet nor a price, on a wallet of 12 credits; each report costs 2.5. */
function openGate(core: Core, fares: (request: RequestKind) => Partial<Passage>) {
  const clock = core.createManualClock();
  const service = new core.FakeService({
    clock,
    wallets: [{ customerId, currency, kind: "prepaid", available: 12_000_000 }],
    honoursKeys: true,
    memoMs: 0,
    price: () => ({ currency, amount: 2_500_000 }),
    onAccepted: () => {},
    onDebit: () => {},
  });
  const client = core.createFakeClient({
    service,
    clock,
    processClock: clock,
    lagMs: 10_000,
    batchLimit: 0,
    passage: (request) => ({ ...passage, ...fares(request) }),
    batchFate: () => ({ status: undefined, parts: [], shuffled: false }),
    onRefresh: () => {},
    onRefused: () => {},
  });
  const registry = core.createRegistry();
  const gate = core.createGate({ client, currency, clock, registry, logger: false, lagWatch: false });
  return {
    clock,
    /** Resolves within a second of the clock. */
    async ask(hold: number): Promise<Decision | undefined> {
      let decision: Decision | undefined;
      void gate.authorize({ customerId, agentId: "agent", indicator: "work", hold }).then((made) => {
        decision = made;
      });
      await clock.advance(1_000);
      return decision;
    },
  };
}

/** What is wrong with the decision; settles its work, if there is any. */
function settle(decision: Decision | undefined): string | undefined {
  if (decision === undefined) return "a request was not answered";
  if (!decision.allowed) return `work that the wallet can pay was denied: ${decision.denial.code}`;
  decision.charge.report({ inputTokens: 1 });
  void decision.charge.settle();
  return undefined;
}

/** Three chats that cost 7.5 in all are let in one after the other, although 3 holds of 5 are more than 12. */
export async function threeChats(core: Core): Promise<string | undefined> {
  const { ask } = openGate(core, () => ({}));
  for (let chat = 0; chat < 3; chat++) {
    const wrong = settle(await ask(5));
    if (wrong !== undefined) return wrong;
  }
  const fourth = await ask(5);
  return fourth?.allowed === false ? undefined : "work that the wallet cannot pay was let in";
}

/** When the service ceases to tell, the kind of the wallet is known all the same. */
export async function rememberedKind(core: Core): Promise<string | undefined> {
  let extended = true;
  const { ask, clock } = openGate(core, () => ({ extended }));
  const wrong = settle(await ask(5));
  if (wrong !== undefined) return wrong;
  extended = false;
  // The balance is too old to admit anything.
  await clock.advance(120_000);
  return settle(await ask(5));
}

/** Usage that is acknowledged while the balance is asked for counts twice in the answer, and not in the next. */
export async function recentUsage(core: Core): Promise<string | undefined> {
  const { ask } = openGate(core, (request) => ({ backMs: request === "balance" ? 100 : 50 }));
  return settle(await ask(5)) ?? settle(await ask(8));
}
