import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { invalid } from "../values.ts";
import { Application, until } from "./application.ts";
import { type Behaviour, Billing, type Rates, type Report } from "./billing.ts";
import { type ScenarioName, scenarios } from "./causes.ts";
import { openSession, type Sending, type Sent, send, type Target } from "./client.ts";
import { Model, type ModelCall } from "./model.ts";
import type { BillingRoutes } from "./routes.ts";

export interface LeakOptions extends Target {
  /** How the application calls its billing service; without it, nobody sees what is paid. */
  readonly routes: BillingRoutes | undefined;
  readonly rates: Rates;
  /** The command that starts the application; without it, it runs already. */
  readonly start: string | undefined;
  readonly wallet: number;
  readonly requests: number;
  /** How long usage may take to arrive, in milliseconds. */
  readonly waitMs: number;
  readonly outageMs: number;
  /** After this, no scenario begins. */
  readonly maxMs: number;
  readonly names: readonly ScenarioName[];
  /** Where the billing service listens, and the model on the next one; 0 takes free ones. */
  readonly port: number;
  readonly onRow: (row: Row) => void;
  readonly onListening: (billing: string | undefined, model: string) => void;
}

/** What a scenario showed. */
export interface Row {
  readonly name: ScenarioName;
  readonly what: string;
  /** Pieces of work that the model did, or that were answered. */
  readonly worked: number;
  /** Of these, what nobody has paid or can pay. */
  readonly unpaid: number;
  /** Reports beyond those that the requests can have made. */
  readonly twice: number;
  /** Why that is, and the line that mends it, if it is so. */
  readonly cause: string;
  readonly mend: string;
  readonly note: string;
}

export interface Verdict {
  readonly rows: readonly Row[];
  /** What was not tried, or cannot be seen, and why. */
  readonly unseen: readonly string[];
  /** Scenarios that were not begun, or saw no work though they should. */
  readonly blind: readonly ScenarioName[];
}

/** Runs the scenarios. Throws a `ControlPlaneError` if the application does not start, or does not serve one request. */
export async function findLeaks(options: LeakOptions): Promise<Verdict> {
  const trial = new Trial(options);
  try {
    return await trial.run();
  } finally {
    await trial.close();
  }
}

/** Enough that no wallet is short of it. */
const plenty = 1_000_000;
const few = 5;
const withoutBody = ["GET", "HEAD", "OPTIONS"];
const methods = [...withoutBody, "POST", "PUT", "PATCH", "DELETE"];

/** What had happened when a scenario began. */
interface Mark {
  readonly calls: number;
  readonly reports: number;
}

interface Extra {
  readonly what?: (wallet: number) => string;
  readonly note?: (calls: readonly ModelCall[], sent: readonly Sent[]) => string;
  readonly waitMs?: number;
}

/** Where the customer's id comes, also in a URL. */
const namesCustomer = /\{customer\}|%7Bcustomer%7D/;

class Trial {
  readonly #options: LeakOptions;
  readonly #model = new Model();
  readonly #billing: Billing | undefined;
  readonly #hasCustomers: boolean;
  readonly #rows: Row[] = [];
  readonly #unseen = new Set<string>();
  readonly #blind: ScenarioName[] = [];
  #application: Application | undefined;
  /** Who asks, if each scenario has a customer of its own. */
  #customer: string | undefined;
  /** How often it began with wallets of its own. */
  #states = 0;
  #isRich = false;
  /** What one request did: calls of the model, reports, its type, and whether reports count the tokens. */
  #plain = { calls: 1, reports: 1, type: "", countsTokens: false };
  #isSeenByAnswers = false;

  constructor(options: LeakOptions) {
    const { routes, rates, headers, url, body } = options;
    this.#options = options;
    this.#billing = routes && new Billing(routes, rates);
    this.#hasCustomers = namesCustomer.test(JSON.stringify([headers, url, body]));
    if (this.#hasCustomers && this.#billing?.isReal !== false) {
      throw invalid("{customer}", "a customer of yours, unless --billing is played", "{customer}");
    }
  }

  async run(): Promise<Verdict> {
    const { port, start, names, maxMs, wallet, url, onListening } = this.#options;
    const deadline = Date.now() + maxMs;
    const model = await listening(this.#model.server, port && port + 1);
    const billing = this.#billing && (await listening(this.#billing.server, port));
    this.#billing?.grant(wallet);
    onListening(billing, model);
    if (start !== undefined) {
      this.#application = new Application(start, url, environmentOf(this.#options, model, billing));
      await this.#application.start(this.#states);
    }
    const acts = this.#acts();
    for (const name of names) {
      if (Date.now() < deadline) await acts[name]();
      else this.#miss(name, "out of time");
    }
    return { rows: this.#rows, unseen: [...this.#limits(), ...this.#unseen], blind: this.#blind };
  }

  async close(): Promise<void> {
    this.#billing?.recover();
    await this.#application?.stop("SIGTERM");
    for (const server of [this.#model.server, this.#billing?.server]) {
      server?.close();
      server?.closeAllConnections();
    }
  }

  #acts(): Readonly<Record<ScenarioName, () => Promise<void>>> {
    const { wallet, requests, outageMs } = this.#options;
    const leave = (name: ScenarioName, sending: Partial<Sending>, count = few) =>
      this.#try(name, plenty, () => this.#many(count, sending), { note: wentOn });
    const burst = { what: (credits: number) => `wallet of ${credits} credits, ${requests} requests at once` };
    return {
      plain: () => this.#one(),
      parallel: () => this.#try("parallel", wallet, () => this.#atOnce(), burst),
      late: () => this.#late(),
      methods: () => this.#methods("methods", plenty),
      "methods-empty": () => this.#methods("methods-empty", 0),
      "leave-body": () => leave("leave-body", { leaves: "body" }),
      "leave-early": async () => {
        // The application has time to stop the model before its first token.
        this.#model.firstTokenMs = 1_000;
        await leave("leave-early", { leaves: "work", until: this.#written(0) });
        this.#model.firstTokenMs = 50;
      },
      "leave-headers": () => leave("leave-headers", { leaves: "headers" }),
      "leave-byte": () => leave("leave-byte", { leaves: "byte", until: this.#written(10) }),
      slow: async () => {
        this.#model.padding = 2 ** 20;
        await leave("slow", { leaves: "stalled", stallMs: Math.min(outageMs, 10_000) }, 2);
        this.#model.padding = 0;
      },
      http2: () =>
        this.#overHttp2((session) => this.#try("http2", wallet, () => this.#atOnce({ session }), burst)),
      "http2-leave": () =>
        this.#overHttp2((session) =>
          leave("http2-leave", { leaves: "byte", until: this.#written(10), session }),
        ),
      fails: () => this.#outage("fails"),
      hangs: () => this.#outage("hangs"),
      "fails-empty": () => this.#outageOfEmpty("fails-empty", "fails"),
      "hangs-empty": () => this.#outageOfEmpty("hangs-empty", "hangs"),
      lost: () => this.#lost(),
      killed: () => this.#killed("killed", "SIGKILL"),
      "killed-waiting": () => this.#killedWaiting(),
      stopped: () => this.#killed("stopped", "SIGTERM"),
    };
  }

  /** What is not seen whatever happens. */
  #limits(): string[] {
    const { routes, start } = this.#options;
    const why = this.#billing?.isReal
      ? "another process keeps the wallets"
      : "neither {customer} nor --start";
    return [
      routes === undefined && "what is paid, and what happens while billing fails: no --billing",
      start === undefined && "kills and restarts: no --start",
      routes !== undefined &&
        !this.#canReset &&
        `empty wallets, usage that is debited late, and many requests over HTTP/2: ${why}`,
    ].filter((limit) => limit !== false);
  }

  /** Whether a scenario can begin with any wallet. */
  get #canReset(): boolean {
    return this.#billing?.isReal === false && (this.#hasCustomers || this.#application !== undefined);
  }

  /** Begins with a wallet of so many credits. Resolves with what it has; `undefined` if that cannot be. */
  async #begin(credits: number): Promise<number | undefined> {
    const billing = this.#billing;
    if (billing === undefined) return credits > 0 ? credits : undefined;
    if (this.#canReset) {
      if (this.#hasCustomers) this.#customer = `customer-${++this.#states}-of-${process.pid}`;
      else if (this.#isRich && credits === plenty) return credits;
      else await this.#application?.stop("SIGTERM");
      billing.grant(credits);
      if (!this.#hasCustomers) await this.#application?.start(++this.#states);
    } else if (credits === plenty && !this.#isRich && !(await billing.topUp(plenty))) {
      this.#unseen.add("a wallet that can pay for everything: it cannot be topped up");
    } else if (credits < plenty && (credits === 0 || this.#isRich)) return undefined;
    this.#isRich = credits === plenty;
    if (this.#canReset || this.#isRich) return credits;
    const available = await billing.available();
    if (available === undefined) {
      this.#unseen.add("the balance: the service's answer has no number where {available} is");
    }
    return available ?? credits;
  }

  /** Begins with this wallet, acts, waits until all work is paid, and notes what was not. */
  async #try(
    name: ScenarioName,
    credits: number,
    act: (mark: Mark) => Promise<readonly Sent[]>,
    { what, note, waitMs }: Extra = {},
  ): Promise<void> {
    const wallet = await this.#begin(credits);
    if (wallet === undefined) return;
    const mark = this.#mark();
    const sent = await act(mark);
    await this.#settled(mark, sent, waitMs);

    const worked = this.#worked(mark, sent);
    const reports = this.#reports(mark);
    const calls = this.#calls(mark, sent);
    const paid = this.#paid(mark);
    const due = reports.reduce((sum, report) => sum + report.credits, 0);
    let unpaid = this.#billing === undefined ? 0 : Math.max(0, worked - paid);
    const notes = [note?.(calls, sent) ?? ""];
    if (credits < plenty) {
      const affordable = Math.floor(wallet / (paid === 0 ? 1 : due / paid) + 1e-6);
      unpaid = Math.max(unpaid, worked - affordable);
    } else if (this.#plain.countsTokens && !withoutTokens.has(name)) {
      const made = calls.reduce((sum, { tokens }) => sum + tokens, 0);
      const billed = reports.reduce((sum, { tokens }) => sum + tokens, 0);
      // Less is what was on its way when the model was stopped.
      if (billed < made / 2 && made - billed > 5 * worked) {
        unpaid = Math.max(unpaid, Math.ceil(worked * (1 - billed / made)));
        notes.push(`${billed} of ${made} tokens are billed`);
      }
    }
    const twice = Math.max(0, paid - sent.length * this.#plain.reports);
    const [usual, cause, mend] = scenarios[name];
    const text = what?.(wallet) ?? usual;
    const row = {
      name,
      what: text,
      worked,
      unpaid,
      twice,
      cause,
      mend,
      note: notes.filter(Boolean).join("; "),
    };
    this.#rows.push(row);
    this.#options.onRow(row);
    const statuses = new Set(sent.map(({ status }) => status ?? "no answer"));
    const end = this.#application?.end;
    // A client that leaves early may well be noticed before the work.
    const isLeft = name.startsWith("leave-") && sent.every(({ status = 0 }) => status < 300);
    if (worked === 0 && credits > 0 && (end !== undefined || !isLeft)) {
      this.#miss(name, `nothing worked (${end ?? [...statuses].join(", ")})`);
    }
    if (credits < plenty && sent.length > few && worked === sent.length && unpaid === 0) {
      this.#unseen.add(`${name}: the wallet pays for all requests; lower --wallet or raise --requests`);
    }
  }

  #miss(name: ScenarioName, why: string): void {
    this.#unseen.add(`${name}: ${why}`);
    this.#blind.push(name);
  }

  /** One request shows what all others are compared with. */
  async #one(): Promise<void> {
    const { method, url, wallet } = this.#options;
    await this.#try("plain", this.#hasCustomers ? plenty : wallet, async (mark) => {
      const sent = await this.#send();
      const { status = "no answer", type, text } = sent;
      if (typeof status !== "number" || status >= 300) {
        const fix = "send what a customer with credits sends, by --header, --method and --body";
        throw invalid("leak", `200 to ${method} ${url}`, `${status} ${text}; ${fix}`);
      }
      this.#isSeenByAnswers = this.#calls(mark, [sent]).length === 0;
      this.#plain.type = type;
      if (this.#isSeenByAnswers) {
        this.#unseen.add("work without an answer: no model is asked at OPENAI_BASE_URL or LEAK_MODEL_URL");
      }
      await this.#settled(mark, [sent], Math.max(10_000, this.#options.waitMs));
      const calls = this.#calls(mark, [sent]);
      // An agent reports each of its calls.
      if (calls.length > 1) await until(() => this.#paid(mark) >= calls.length, 1_000);
      const reports = this.#reports(mark);
      const made = calls.reduce((sum, { tokens }) => sum + tokens, 0);
      const billed = reports.reduce((sum, { tokens }) => sum + tokens, 0);
      const countsTokens = made > 0 && billed >= made / 2;
      this.#plain = { calls: calls.length || 1, reports: reports.length || 1, type, countsTokens };
      if (reports.length > 1) this.#unseen.add(`single reports: a request makes ${reports.length}`);
      if (this.#billing?.isUsed === false) {
        this.#unseen.add("billing: it is not asked at CREDITGATE_BASE_URL or LEAK_BILLING_URL");
      }
      return [sent];
    });
  }

  async #late(): Promise<void> {
    const { wallet, requests } = this.#options;
    const billing = this.#billing;
    if (billing === undefined || !this.#canReset) return;
    const act = async (mark: Mark) => {
      billing.settlesLate = true;
      const sent = await this.#many(requests);
      await this.#settled(mark, sent);
      // The second wave finds a balance from which nothing is debited.
      return [...sent, ...(await this.#many(requests))];
    };
    const what = () => `wallet of ${wallet} credits, usage is debited late`;
    await this.#try("late", wallet, act, { what });
    billing.settle();
  }

  async #methods(name: ScenarioName, credits: number): Promise<void> {
    const guilty: string[] = [];
    const act = async () => {
      const sent: Sent[] = [];
      for (const method of methods) {
        // A response to HEAD has no body by which work without a model is seen.
        if (this.#isSeenByAnswers && method === "HEAD") continue;
        const mark = this.#mark();
        const one = await this.#send({}, method);
        await this.#settled(mark, [one], credits === 0 ? 200 : Math.min(2_000, this.#options.waitMs));
        if (this.#worked(mark, [one]) > (credits === 0 ? 0 : this.#paid(mark))) guilty.push(method);
        sent.push(one);
      }
      return sent;
    };
    const { pathname } = this.#options.url;
    const empty = credits === 0 ? ", the wallet is empty" : "";
    const what = () => `${guilty.join(", ") || "every method"} ${pathname}${empty}`;
    await this.#try(name, credits, act, { what, ...(credits === 0 && { waitMs: 200 }) });
  }

  /** Until the model has written so many tokens for a request. */
  #written(least: number): NonNullable<Sending["until"]> {
    if (this.#isSeenByAnswers) return () => delay(50);
    const before = new Set(this.#model.calls);
    const isOf = (id: string) => (call: ModelCall) =>
      !before.has(call) && (call.id ?? id) === id && (call.tokens >= least || call.state !== "runs");
    return (id) => until(() => this.#model.calls.some(isOf(id)), 5_000);
  }

  async #overHttp2(act: (session: NonNullable<Sending["session"]>) => Promise<void>): Promise<void> {
    const session = await openSession(this.#options.url);
    if (session === undefined) this.#unseen.add("HTTP/2: the server does not speak it");
    else await act(session).finally(() => session.destroy());
  }

  /** First it takes no reports, then nothing at all. */
  async #outage(name: "fails" | "hangs"): Promise<void> {
    const billing = this.#billing;
    if (billing === undefined) return;
    const { outageMs } = this.#options;
    const what = () => `billing ${name} for ${outageMs / 1_000} s`;
    const act = async (mark: Mark) => {
      const warm = await this.#warm(mark);
      const end = Date.now() + outageMs;
      billing.report = name;
      const first = await this.#many(few, { timeoutMs: outageMs });
      billing.balance = name;
      const then = await this.#many(few, { timeoutMs: outageMs });
      await delay(Math.max(0, end - Date.now()));
      billing.recover();
      return [warm, ...first, ...then];
    };
    const note = (_: unknown, sent: readonly Sent[]) => {
      const waited = sent.filter(({ ms }) => ms >= 0.9 * outageMs).length;
      return waited === 0 ? "" : `${waited} waited ${outageMs / 1_000} s`;
    };
    await this.#try(name, plenty, act, { what, note });
  }

  async #outageOfEmpty(name: ScenarioName, behaviour: Behaviour): Promise<void> {
    const billing = this.#billing;
    if (billing === undefined) return;
    const act = async () => {
      billing.balance = behaviour;
      billing.report = behaviour;
      const sent = await this.#many(few, { timeoutMs: this.#options.outageMs });
      billing.recover();
      return sent;
    };
    await this.#try(name, 0, act, { waitMs: 200 });
  }

  async #lost(): Promise<void> {
    const billing = this.#billing;
    if (billing === undefined) return;
    await this.#try("lost", plenty, async () => {
      const retried = billing.attempts + 2 * few;
      billing.report = "loses";
      const sent = await this.#many(few);
      await until(() => billing.attempts >= retried - few, this.#options.waitMs);
      billing.recover();
      await until(() => billing.attempts >= retried, Math.min(5_000, this.#options.waitMs));
      return sent;
    });
  }

  async #killed(name: ScenarioName, signal: NodeJS.Signals): Promise<void> {
    const application = this.#application;
    if (application === undefined) return;
    await this.#try(name, plenty, async (mark) => {
      let bytes = 0;
      const onByte = () => bytes++;
      const sending = this.#many(few, { onByte });
      const isWorking = () =>
        this.#model.calls.slice(mark.calls).filter(({ tokens }) => tokens > 0).length >= few;
      await until(() => isWorking() || (this.#isSeenByAnswers && bytes > 0), 10_000);
      await application.stop(signal);
      const sent = await sending;
      await application.start(this.#states);
      return [...sent, await this.#send()];
    });
  }

  async #killedWaiting(): Promise<void> {
    const [application, billing] = [this.#application, this.#billing];
    if (application === undefined || billing === undefined) return;
    await this.#try("killed-waiting", plenty, async (mark) => {
      const warm = await this.#warm(mark);
      const attempts = billing.attempts + few;
      billing.report = "fails";
      const sent = await this.#many(few);
      // Later than that, a report that is not stored cannot be distinguished from work in flight.
      await until(() => billing.attempts >= attempts, Math.min(5_000, this.#options.waitMs));
      await application.stop("SIGKILL");
      billing.recover();
      await application.start(this.#states);
      // Some deliver what was left beside the next request.
      return [warm, ...sent, await this.#send()];
    });
  }

  /** A request that is paid: the application has read the balance. */
  async #warm(mark: Mark): Promise<Sent> {
    const sent = await this.#send();
    await this.#settled(mark, [sent]);
    return sent;
  }

  #send(sending: Partial<Sending> = {}, method: string = this.#options.method): Promise<Sent> {
    const { url, headers, body, outageMs } = this.#options;
    const own = (text: string) => text.replaceAll(new RegExp(namesCustomer, "g"), this.#customer ?? "");
    const target = {
      method,
      url: new URL(own(url.href)),
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, own(value)])),
      body: body === undefined || withoutBody.includes(method) ? undefined : own(body),
    };
    return send(target, { timeoutMs: outageMs + 20_000, ...sending });
  }

  #many(count: number, sending: Partial<Sending> = {}): Promise<Sent[]> {
    return Promise.all(Array.from({ length: count }, () => this.#send(sending)));
  }

  /** As many requests as there are to be, whose balances are read before one is spent. */
  async #atOnce(sending: Partial<Sending> = {}): Promise<Sent[]> {
    const { requests } = this.#options;
    if (this.#billing !== undefined) this.#billing.readsAtOnce = requests;
    const sent = await this.#many(requests, sending);
    if (this.#billing !== undefined) this.#billing.readsAtOnce = 1;
    // An application that reads once for all may not wait for a balance that others are to read too.
    const refused = sent.filter(({ status = 500 }) => status >= 500).length;
    return [...sent, ...(await this.#many(refused, sending))];
  }

  #mark(): Mark {
    return { calls: this.#model.calls.length, reports: this.#billing?.reports.size ?? 0 };
  }

  /** The calls for these requests, not those that an earlier scenario has left. */
  #calls({ calls }: Mark, sent: readonly Sent[]): readonly ModelCall[] {
    const ids = new Set(sent.map(({ id }) => id));
    return this.#model.calls.slice(calls).filter(({ id }) => id === undefined || ids.has(id));
  }

  #reports({ reports }: Mark): readonly Report[] {
    const all = [...(this.#billing?.reports.values() ?? [])].slice(reports);
    // An application may bill its organisation:customer.
    return all.filter(({ customer }) => customer === "" || customer.includes(this.#customer ?? ""));
  }

  #paid(mark: Mark): number {
    return this.#reports(mark).filter(({ credits }) => credits > 0).length;
  }

  #worked(mark: Mark, sent: readonly Sent[]): number {
    if (this.#isSeenByAnswers) return sent.filter((one) => this.#isWork(one)).length;
    const calls = this.#calls(mark, sent).filter(({ tokens }) => tokens > 0);
    const named = new Set(calls.flatMap(({ id }) => id ?? []));
    const others = calls.filter(({ id }) => id === undefined).length;
    return named.size + Math.ceil(others / this.#plain.calls);
  }

  /** Of an application whose model is not seen: an answer as that to one request. */
  #isWork({ status = 0, type }: Sent): boolean {
    return status >= 200 && status < 300 && type === this.#plain.type;
  }

  /** Waits until all work has ended and is paid, or for as long as that may take. */
  async #settled(mark: Mark, sent: readonly Sent[], waitMs: number = this.#options.waitMs): Promise<void> {
    const isIdle = () => this.#calls(mark, sent).every(({ state }) => state !== "runs");
    const isPaid = () => this.#billing === undefined || this.#paid(mark) >= this.#worked(mark, sent);
    await until(() => isIdle() && isPaid(), waitMs);
    // What is reported of work that nobody sees belongs to this scenario too.
    await delay(100);
  }
}

/** Buffers hold what was not passed on; an estimate is billed for what was cut off. */
const withoutTokens: ReadonlySet<ScenarioName> = new Set(["slow", "killed", "killed-waiting", "stopped"]);

function wentOn(calls: readonly ModelCall[]): string {
  const ended = calls.filter(({ state }) => state === "ended").length;
  return ended === 0 ? "" : `the model went on to its end in ${ended}`;
}

async function listening(server: Server, port: number): Promise<string> {
  await once(server.listen(port, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** By these the application finds what is served to it. */
function environmentOf(
  { url, routes }: LeakOptions,
  model: string,
  billing?: string,
): Record<string, string> {
  return {
    PORT: url.port,
    OPENAI_BASE_URL: `${model}/v1`,
    OPENAI_API_KEY: "leak",
    LEAK_MODEL_URL: model,
    ...(billing !== undefined && { LEAK_BILLING_URL: billing, CREDITGATE_BASE_URL: billing }),
    ...(routes?.url === undefined && { CREDITGATE_API_KEY: "cg_test_leak" }),
  };
}
