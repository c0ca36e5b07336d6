import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import {
  availableIn,
  type BillingRequest,
  type BillingRoutes,
  deep,
  type Find,
  filled,
  matched,
  parsed,
} from "./routes.ts";

/** How the service behaves: `loses` stores a report and cuts the connection before its answer. */
export type Behaviour = "answers" | "fails" | "hangs" | "loses";

/** What an application has reported. */
export interface Report {
  /** Empty if it names none. */
  readonly customer: string;
  readonly credits: number;
  /** Tokens written, if it has them. */
  readonly tokens: number;
}

/** Credits for each unit of a report's field; without any, a report costs a credit. */
export type Rates = ReadonlyMap<string, number>;

interface Reservation {
  readonly customer: string;
  readonly credits: number;
}

/** Stands between an application and its billing service, or in its place: counts what is paid, and disturbs. */
export class Billing {
  /** By their keys: what is sent again counts once. */
  readonly reports: Map<string, Report> = new Map();
  /** Reports received, repeated ones too. */
  attempts = 0;
  /** Whether it was ever asked for anything. */
  isUsed = false;
  /** How it answers requests for balances and reservations. */
  balance: Behaviour = "answers";
  report: Behaviour = "answers";
  /** Whether reports are stored, and debited by `settle()`. */
  settlesLate = false;
  /** So many balances are read before the first is answered; fewer if no other is asked for in half a second. */
  readsAtOnce = 1;
  readonly server: Server;
  readonly #routes: BillingRoutes;
  readonly #rates: Rates;
  readonly #wallets = new Map<string, number>();
  readonly #reservations = new Map<string, Reservation>();
  readonly #hanging = new Set<ServerResponse>();
  #late: (() => void)[] = [];
  readonly #reading: (() => void)[] = [];
  #readingEnds: NodeJS.Timeout | undefined;
  #granted = 0;
  #lastId = 0;
  /** The last request for a balance. */
  #seen: { readonly request: BillingRequest; readonly customer: string } | undefined;

  constructor(routes: BillingRoutes, rates: Rates) {
    this.#routes = routes;
    this.#rates = rates;
    this.server = createServer((request, response) => {
      this.#serve(request, response).catch(() => response.destroy());
    });
  }

  /** Whether another process keeps the wallets. */
  get isReal(): boolean {
    return this.#routes.url !== undefined;
  }

  /** Gives every customer this many credits. */
  grant(credits: number): void {
    this.#granted = credits;
    this.#wallets.clear();
    this.#late = [];
  }

  /** Adds to the wallet that was asked for last. Resolves with whether it could. */
  async topUp(credits: number): Promise<boolean> {
    const { url, topUp } = this.#routes;
    if (this.#seen === undefined) return false;
    const { request, customer } = this.#seen;
    if (url === undefined) this.#wallets.set(customer, this.#walletOf(customer) + credits);
    if (url === undefined || topUp === undefined) return url === undefined;
    const text = JSON.stringify(filled(topUp.body, { customer, credits }));
    const headers = { ...request.headers, "content-type": "application/json" };
    const { status } = await forwarded(url, { method: "POST", url: topUp.path, headers, text });
    return status < 300;
  }

  /** What the wallet has that was asked for last. */
  async available(): Promise<number | undefined> {
    const { url, balance } = this.#routes;
    if (this.#seen === undefined) return undefined;
    if (url === undefined) return this.#walletOf(this.#seen.customer);
    const body = parsed((await forwarded(url, this.#seen.request)).body);
    const available = availableIn(balance.answer, body);
    return available && available - Number(deep(body, "unsettled") ?? 0);
  }

  /** Ends what it does to requests: those that hang are cut off, as by a restart. */
  recover(): void {
    this.balance = "answers";
    this.report = "answers";
    for (const response of this.#hanging) response.destroy();
    this.#hanging.clear();
  }

  settle(): void {
    this.settlesLate = false;
    for (const debit of this.#late.splice(0)) debit();
  }

  /** Resolves when as many balances as `readsAtOnce` have been read. */
  #othersHaveRead(): Promise<void> {
    const answerAll = () => {
      for (const one of this.#reading.splice(0)) one();
    };
    clearTimeout(this.#readingEnds);
    return new Promise((resolve) => {
      this.#reading.push(resolve);
      if (this.#reading.length >= this.readsAtOnce) answerAll();
      else this.#readingEnds = setTimeout(answerAll, 500);
    });
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = "";
    for await (const chunk of incoming.setEncoding("utf8")) text += chunk;
    const { method = "GET", url = "/", headers } = incoming;
    const request = { method, url, headers, text };
    const { report, reserve, balance, answers } = this.#routes;
    const reporting = matched(request, report);
    const reserving = matched(request, reserve);
    const asking = matched(request, balance);
    this.isUsed = true;
    if (reporting !== undefined) this.attempts++;
    const behaviour = reporting === undefined ? this.balance : this.report;
    if (behaviour === "hangs") return void this.#hanging.add(response);
    if (behaviour === "fails") return answer(incoming, response, 500, { status: 500 });
    if (asking !== undefined) this.#seen = { request, customer: String(asking(balance.customer)) };

    if (this.#routes.url !== undefined) {
      const passed = await forwarded(this.#routes.url, request);
      const isTaken = reporting !== undefined && passed.status < 300;
      if (isTaken) this.#take(request, reporting, parsed(passed.body));
      if (asking !== undefined) await this.#othersHaveRead();
      if (isTaken && behaviour === "loses") response.destroy();
      else response.writeHead(passed.status, passed.headers).end(passed.body);
    } else if (reporting !== undefined) {
      const key = this.#take(request, reporting, undefined);
      if (behaviour === "loses") response.destroy();
      else answer(incoming, response, 200, filled(report.answer ?? {}, { key }));
    } else if (reserve !== undefined && reserving !== undefined) {
      const id = this.#reserve(
        String(reserving(reserve.customer)),
        Number(reserving(reserve.credits ?? "") ?? 1),
      );
      if (id === undefined) answer(incoming, response, reserve.refused, { status: reserve.refused });
      else answer(incoming, response, 200, filled(reserve.answer ?? { id: "{id}" }, { id }));
    } else if (this.#seen !== undefined && asking !== undefined) {
      const { customer } = this.#seen;
      const read = filled(balance.answer, { customer, available: this.#walletOf(customer) });
      await this.#othersHaveRead();
      answer(incoming, response, 200, read);
    } else {
      const other = answers[`${method} ${url.split("?")[0]}`];
      answer(incoming, response, other === undefined ? 404 : 200, other ?? { status: 404 });
    }
  }

  /** Stores a report once, and debits it. Returns its key. */
  #take({ text }: BillingRequest, find: Find, answered: unknown): string {
    const { report } = this.#routes;
    const key = String(find(report.key) ?? `without key ${++this.#lastId}`);
    const reservation = this.#reservations.get(key);
    if (this.reports.has(key) && reservation === undefined) return key;
    this.#reservations.delete(key);
    const customer = String(find(report.customer) ?? reservation?.customer ?? "");
    const body = parsed(text);
    const priced = [...this.#rates].map(([name, rate]) => rate * Number(deep(body, name) ?? 0));
    const rated = priced.length === 0 ? 1 : priced.reduce((sum, one) => sum + one);
    const named = report.credits === undefined ? deep(answered, "credits") : (find(report.credits) ?? 0);
    const credits = Number(named ?? rated) || 0;
    const tokens = tokenNames.map((name) => Number(deep(body, name))).find(Number.isSafeInteger) ?? 0;
    this.reports.set(key, { customer, credits, tokens });
    const debit = () => {
      this.#wallets.set(customer, this.#walletOf(customer) - credits + (reservation?.credits ?? 0));
    };
    if (this.settlesLate) this.#late.push(debit);
    else debit();
    return key;
  }

  /** Takes the credits at once, if there are as many. */
  #reserve(customer: string, credits: number): string | undefined {
    const available = this.#walletOf(customer);
    if (available < credits) return undefined;
    const id = `reservation-${++this.#lastId}`;
    this.#wallets.set(customer, available - credits);
    this.#reservations.set(id, { customer, credits });
    if (this.#routes.reserve?.pays) this.reports.set(id, { customer, credits, tokens: 0 });
    return id;
  }

  #walletOf(customer: string): number {
    return this.#wallets.get(customer) ?? this.#granted;
  }
}

const tokenNames = ["outputTokens", "output_tokens", "completion_tokens", "completionTokens"];

/** Of a request, those that our control plane echoes. */
const echoed = ["idempotency-key", "creditgate-request-id"];

function answer(request: IncomingMessage, response: ServerResponse, status: number, body: unknown): void {
  for (const name of status < 300 ? echoed : []) {
    const value = request.headers[name];
    if (value !== undefined) response.setHeader(name, value);
  }
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** These are of one connection; a batch would hide what became of each report. */
const ownHeaders =
  /^(connection|host|content-length|transfer-encoding|keep-alive|(content|accept)-encoding|creditgate-usage-batch)$/;

async function forwarded(
  url: string,
  { method, url: path, headers, text }: BillingRequest,
): Promise<{ status: number; headers: Record<string, string>; body: string }> {
  const sent = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || ownHeaders.test(name) ? [] : [[name, String(value)]],
  );
  const response = await fetch(`${url.replace(/\/$/, "")}${path}`, {
    method,
    headers: Object.fromEntries(sent),
    ...(text === "" ? {} : { body: text }),
    redirect: "manual",
  });
  const given = [...response.headers].filter(([name]) => !ownHeaders.test(name));
  return { status: response.status, headers: Object.fromEntries(given), body: await response.text() };
}
