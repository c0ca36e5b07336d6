import { createTransport } from "@creditgate/client";
import {
  CreditWallets,
  fromDurableObjects,
  type ObjectContext,
  type ObjectNamespace,
} from "@creditgate/cloudflare";
import {
  type Charge,
  createGate,
  createRunBudget,
  type Denial,
  type Gate,
  type HoldAmount,
  pause,
  type RunBudget,
} from "@creditgate/core";
import { noPauses } from "@creditgate/core/testing";
import { type CalledMethod, callMethod } from "./called-method.ts";

interface Environment {
  readonly WALLETS: ObjectNamespace<unknown>;
  readonly CREDITGATE_BASE_URL: string;
  readonly CREDITGATE_API_KEY: string;
  /** JSON of options of the gate. */
  readonly GATE: string;
  readonly ABANDON_MS: string;
}

interface ExecutionContext {
  waitUntil(work: Promise<unknown>): void;
}

/** How far the clock of the machine is off on which the objects are. */
let shiftMs = 0;

/** What the next object does to its storage before it reads it. */
let preparation: string | undefined;

/** The objects on trial, which can be ended from without. */
export class Wallets extends CreditWallets<Environment> {
  constructor(ctx: ObjectContext, env: Environment) {
    if (preparation !== undefined) ctx.storage.sql.exec(preparation);
    preparation = undefined;
    const clock = {
      now: () => Date.now() + shiftMs,
      schedule(delayMs: number, run: () => void) {
        const timer = setTimeout(run, delayMs);
        return () => clearTimeout(timer);
      },
    };
    super(ctx, env, { clock, logger: false, random: noPauses });
  }

  async evict(): Promise<void> {
    (this.ctx as ObjectContext).abort("evicted");
  }

  async alarmAt(): Promise<number | null> {
    return (this.ctx as ObjectContext).storage.getAlarm();
  }

  async ring(): Promise<void> {
    await this.alarm();
  }

  async shift(ms: number): Promise<void> {
    shiftMs = ms;
  }

  async prepare(text: string): Promise<void> {
    preparation = text;
  }

  async query(text: string): Promise<readonly unknown[]> {
    return [...(this.ctx as ObjectContext).storage.sql.exec(text)];
  }
}

let gate: Gate | undefined;
const charges = new Map<string, Charge>();
const ends = new Map<string, () => void>();
const runs = new Map<string, RunBudget>();
let denial: Denial | undefined;

/** One step of a piece of work, so that a test can have others between. */
class Works {
  readonly #gate: Gate;
  readonly #context: ExecutionContext;

  constructor(gate: Gate, context: ExecutionContext) {
    this.#gate = gate;
    this.#context = context;
  }

  /** The budget of a run: `begin` finds it by this name. */
  async createRun(name: string, limit: number): Promise<void> {
    runs.set(name, createRunBudget({ limit }));
  }

  async run(name: string): Promise<object> {
    const { held, spent } = runs.get(name) ?? {};
    return { held, spent };
  }

  async lastDenial(): Promise<Denial | undefined> {
    return denial;
  }

  /** Answers "admitted", or why not. */
  async begin(
    name: string,
    customerId: string,
    hold: HoldAmount,
    names: readonly string[] = [],
  ): Promise<string> {
    const waitUntil = (work: Promise<unknown>) => this.#context.waitUntil(work);
    const budgets = names.map((one) => runs.get(one) ?? one);
    const work = { customerId, agentId: "chat", indicator: "message", hold, budgets, waitUntil };
    const decision = await this.#gate.authorize(work);
    if (!decision.allowed) {
      denial = decision.denial;
      return decision.denial.code;
    }
    charges.set(name, decision.charge);
    return "admitted";
  }

  /** The same, as a request that goes on until `finish`. */
  async stay(name: string, customerId: string, hold: number): Promise<string> {
    const outcome = await this.begin(name, customerId, hold);
    await new Promise<void>((resolve) => ends.set(name, resolve));
    await this.end(name, hold);
    return outcome;
  }

  async finish(name: string): Promise<void> {
    ends.get(name)?.();
  }

  async pause(name: string, tokens: number, need: number): Promise<boolean | undefined> {
    const charge = charges.get(name);
    charge?.report({ outputTokens: tokens }, { credits: tokens });
    return charge && (await pause(charge, need)).allowed;
  }

  async end(name: string, tokens: number): Promise<void> {
    const charge = charges.get(name);
    charge?.report({ outputTokens: tokens, reasoningTokens: tokens }, { credits: tokens });
    await charge?.settle();
  }

  async release(name: string): Promise<void> {
    charges.get(name)?.release();
  }

  /** Works one after the other, each of which costs its hold: how many were let in, and why the others were not. */
  async many(
    count: number,
    customerId: string,
    hold: number,
    budgets: readonly string[],
  ): Promise<Record<string, number>> {
    const outcomes: Record<string, number> = {};
    for (let at = 0; at < count; at++) {
      const name = crypto.randomUUID();
      const outcome = await this.begin(name, customerId, hold, budgets);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      if (outcome === "admitted") await this.end(name, hold);
      charges.delete(name);
    }
    return outcomes;
  }
}

// biome-ignore lint/style/noDefaultExport: Workers are started by it.
export default {
  async fetch(request: Request, env: Environment, context: ExecutionContext): Promise<Response> {
    const { object, ...called }: CalledMethod & { readonly object?: string } = await request.json();
    if (object !== undefined) return callMethod(env.WALLETS.get(env.WALLETS.idFromName(object)), called);
    const { CREDITGATE_BASE_URL: baseUrl, CREDITGATE_API_KEY: apiKey } = env;
    gate ??= createGate({
      client: createTransport({ baseUrl, apiKey }),
      currency: "ai_credits",
      ledger: fromDurableObjects(env.WALLETS, { abandonMs: Number(env.ABANDON_MS) }),
      openTelemetry: false,
      logger: false,
      ...JSON.parse(env.GATE),
    });
    return callMethod(new Works(gate, context), called);
  },
};
