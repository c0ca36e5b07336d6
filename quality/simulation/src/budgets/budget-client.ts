import { CreditgateError } from "@creditgate/client";
import type { Clock, ReportedBudget } from "@creditgate/core";
import type { Random } from "@creditgate/core/testing";
import { fromMicro } from "../micro.ts";
import { sleep } from "../time.ts";
import type { BudgetService } from "./budget-service.ts";

/** What goes wrong around a process. */
export interface Faults {
  roundTripMs: number;
  loss: number;
  stale: number;
  /** No report gets through in this part of each 20 s. */
  postsFailMs: number;
  /** How often an outbox takes its time, or takes nothing. */
  disk: number;
}

/** The wire, with what it loses and what a cache has kept. */
export function clientOf(service: BudgetService, clock: Clock, random: Random, faults: Faults) {
  /** What a cache has kept of each kind of answer. */
  const kept = new Map<string, unknown>();
  const pass = async (code: "not_sent" | "timeout") => {
    await sleep(clock, random.integer(0, faults.roundTripMs));
    if (random.chance(faults.loss)) throw new CreditgateError(code, "lost");
  };
  type Sent = {
    rawUsage: { model: string; outputTokens: number };
    budgets?: readonly ReportedBudget[];
    key: string;
  };
  const store = (id: string, { rawUsage, budgets }: Sent, replica: number) => {
    const stored = service.store(id, rawUsage.model, budgets, replica);
    const body = { credits: fromMicro(rawUsage.outputTokens), currency: "ai_credits" };
    return stored === undefined ? body : { ...body, budgets: stored };
  };
  return {
    fingerprint: async () => "simulated",
    // biome-ignore lint/suspicious/noExplicitAny: the wire carries anything
    async send(endpoint: { readonly name: string }, input: any = {}, options: any = {}) {
      const replica = random.integer(0, 1);
      const { idempotencyKey } = options;
      await pass("not_sent");
      const isOld = service.isOld(replica);
      const isPost = endpoint.name.startsWith("usage");
      if (isPost && clock.now() % 20_000 < faults.postsFailMs)
        throw new CreditgateError("not_sent", "an outage");
      const isFresh = !random.chance(faults.stale);
      const told = { batchLimit: 500, isFresh, ...(!isOld && { budgetLimit: 8 }) };
      let body: unknown;
      if (endpoint.name === "walletBalance") body = service.balance(undefined, replica);
      else if (endpoint.name === "walletBudgets") {
        // A version that knows none has no such endpoint.
        if (isOld) throw new CreditgateError("http", "405", { status: 405 });
        body = service.balance(input.body.budgets.ai_credits, replica);
      } else if (endpoint.name === "usageBatch") {
        const results = (input.body.reports as Sent[]).map((report) => ({
          key: report.key,
          status: 202,
          body: store(report.key, report, replica),
        }));
        body = { results };
      } else body = store(idempotencyKey, input.body, replica);
      const name = JSON.stringify([endpoint.name, input.body?.budgets]);
      // The wallet must not be old: an answer shows some instant after its request, or the promise does not hold.
      if (!isPost && !isFresh) body = { ...Object(body), ...Object(kept.get(name)), ...balancesOf(body) };
      kept.set(name, body);
      await pass("timeout");
      return { status: 200, body, idempotencyKey, ...told };
    },
  };
}

function balancesOf(body: unknown): object {
  return { balances: Object(body).balances };
}
