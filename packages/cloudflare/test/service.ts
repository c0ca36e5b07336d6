import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface Taken {
  readonly key: string;
  readonly customerId: string;
  /** The keys of its budgets. */
  readonly budgets: readonly string[];
  readonly credits: number;
  readonly dueAt: number;
  isDebited: boolean;
}

/** How the stand-in for the service behaves. It may change while it runs. */
export interface ServiceManners {
  /** Whether it tells what is not settled, of which kind a wallet is, and what a report costs. */
  extended: boolean;
  /** Whether it counts a report once, however often it comes, and says so. */
  honoursKeys: boolean;
  /** So long after it has taken a report it debits it. */
  lagMs: number;
  /** Answers reports with this status; `undefined`: takes them. */
  refuses: number | undefined;
  /** What it says is wrong with them. */
  refusalCode: string;
  /** Takes reports, and breaks the connection off before it answers. */
  hangsUp: boolean;
  /** What it says that it takes of a usage, beyond the totals. */
  usageParts: string | undefined;
  /** Whether it knows budgets. */
  takesBudgets: boolean;
  /** When the present period of all budgets began, in ISO 8601. */
  period: string;
  /** A balance, or the answer to a report, goes out when this resolves. */
  waits: Promise<void> | undefined;
}

/** Stands in for the service: wallets in `ai_credits`, and reports that cost a credit for each token. */
export class StandInService {
  readonly manners: ServiceManners = {
    extended: true,
    honoursKeys: true,
    lagMs: 0,
    refuses: undefined,
    refusalCode: "amount_out_of_range",
    hangsUp: false,
    usageParts: undefined,
    takesBudgets: true,
    period: "2026-01-01T00:00:00.000Z",
    waits: undefined,
  };
  /** All that has been asked: paths, and the keys of reports. */
  readonly balances: string[] = [];
  readonly posts: string[] = [];
  readonly usages: object[] = [];
  /** The budgets that reports have named. */
  readonly named: unknown[] = [];
  readonly #taken: Taken[] = [];
  readonly #funds = new Map<string, number>();
  /** By customer and key. */
  readonly #limits = new Map<string, number>();
  #server: Server | undefined;

  async start(): Promise<string> {
    const server = createServer((request, response) => void this.#serve(request, response));
    this.#server = server;
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((closed) => this.#server?.close(closed));
  }

  give(customerId: string, credits: number): void {
    this.#funds.set(customerId, (this.#funds.get(customerId) ?? 0) + credits);
  }

  limit(customerId: string, key: string, credits: number): void {
    this.#limits.set(`${customerId} ${key}`, credits);
  }

  /** Credits of all reports of the customer that were taken, debited or not; `key`: of those that name this budget. */
  spent(customerId: string, key?: string): number {
    return this.#sums(customerId, key).reduce((sum, part) => sum + part, 0);
  }

  /** What is debited, and what is not. */
  #sums(customerId: string, key?: string): readonly [used: number, unsettled: number] {
    const now = Date.now();
    let [used, unsettled] = [0, 0];
    for (const taken of this.#taken) {
      if (taken.customerId !== customerId || (key !== undefined && !taken.budgets.includes(key))) continue;
      if (taken.dueAt <= now) taken.isDebited = true;
      if (taken.isDebited) used += taken.credits;
      else unsettled += taken.credits;
    }
    return [used, unsettled];
  }

  #budgets(customerId: string, keys: readonly string[]): object {
    const { period } = this.manners;
    const found: Record<string, object> = {};
    for (const key of keys) {
      const limit = this.#limits.get(`${customerId} ${key}`);
      const [used, unsettled] = this.#sums(customerId, key);
      if (limit !== undefined)
        found[key] = { limit, used, unsettled, period, resets_at: "2126-01-01T00:00:00.000Z" };
    }
    return found;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "", "http://service");
    let text = "";
    try {
      for await (const chunk of request) text += chunk;
    } catch {
      return; // Its object was evicted before it had sent all.
    }
    if (url.pathname === "/api/v1/wallet/balance") {
      const customerId = url.searchParams.get("customer_id") ?? "";
      const asked = text === "" ? { customer_id: customerId } : JSON.parse(text);
      return this.#balance(asked, request, response);
    }
    if (url.pathname === "/api/v2/usage") return this.#report(JSON.parse(text), request, response);
    response.writeHead(404, { "content-type": "application/json" }).end("{}");
  }

  async #balance(
    {
      customer_id: customerId,
      budgets,
    }: { readonly customer_id: string; readonly budgets?: { readonly ai_credits: readonly string[] } },
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    this.balances.push(customerId);
    const { extended, takesBudgets } = this.manners;
    const [used, unsettled] = this.#sums(customerId);
    const available = (this.#funds.get(customerId) ?? 0) - used;
    const read = budgets &&
      takesBudgets && { budgets: { ai_credits: this.#budgets(customerId, budgets.ai_credits) } };
    await this.manners.waits;
    const zero = { pending: 0, overage_used: 0, overage_limit: 0, postpaid_used: 0, postpaid_limit: 0 };
    const emitted = extended ? { kind: "prepaid", unsettled } : {};
    const id = request.headers["creditgate-request-id"];
    response.writeHead(200, {
      "content-type": "application/json",
      ...(extended && typeof id === "string" && { "creditgate-request-id": id }),
      ...(takesBudgets && { "creditgate-budgets": "8" }),
      ...(this.manners.usageParts !== undefined && { "creditgate-usage-parts": this.manners.usageParts }),
    });
    response.end(JSON.stringify({ balances: { ai_credits: { available, ...zero, ...emitted } }, ...read }));
  }

  async #report(
    report: {
      readonly customerId: string;
      readonly rawUsage: { readonly outputTokens: number };
      readonly budgets?: readonly { readonly key: string }[];
    },
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { extended, honoursKeys, lagMs, refuses, refusalCode, hangsUp, takesBudgets } = this.manners;
    const key = String(request.headers["idempotency-key"]);
    this.posts.push(key);
    this.usages.push(report.rawUsage);
    this.named.push(report.budgets);
    const budgets = report.budgets?.map((budget) => budget.key) ?? [];
    if (refuses !== undefined) {
      response.writeHead(refuses, { "content-type": "application/json" });
      response.end(JSON.stringify({ status: refuses, code: refusalCode }));
      return;
    }
    const credits = report.rawUsage.outputTokens;
    if (!honoursKeys || !this.#taken.some((taken) => taken.key === key)) {
      const { customerId } = report;
      this.#taken.push({ key, customerId, budgets, credits, dueAt: Date.now() + lagMs, isDebited: false });
    }
    if (hangsUp) {
      request.socket.destroy();
      return;
    }
    await this.manners.waits;
    response.writeHead(200, {
      "content-type": "application/json",
      ...(honoursKeys && { "idempotency-key": key }),
      ...(takesBudgets && { "creditgate-budgets": "8" }),
    });
    const cost = extended ? { credits, currency: "ai_credits" } : {};
    response.end(JSON.stringify(takesBudgets && report.budgets ? { ...cost, budgets } : cost));
  }
}
