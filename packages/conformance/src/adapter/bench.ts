import type { AdapterRoute, AdapterState } from "./app.ts";
import type { AdapterControlPlane } from "./control-plane.ts";
import type { AdapterPlan } from "./plan.ts";
import type { AdapterOnTrial, EndingCell } from "./trial.ts";

/** How a request differs from a POST to `/reported` that holds 5 of its customer's 10 credits and is served. */
export interface TrialRequest {
  readonly route?: AdapterRoute;
  /** Another path than that of the route. */
  readonly path?: string;
  readonly method?: string;
  readonly body?: string | undefined;
  readonly hold?: number;
  /** `null` sends none. */
  readonly customer?: string | null;
  readonly plan?: Omit<AdapterPlan, "run">;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** One customer of the app on trial, and short ways to deal with it. */
export class AdapterBench {
  readonly customer: string;
  readonly plane: AdapterControlPlane;
  readonly #url: string;
  readonly #trial: AdapterOnTrial;
  readonly #patienceMs: number;

  constructor(
    url: string,
    plane: AdapterControlPlane,
    trial: AdapterOnTrial,
    customer: string = crypto.randomUUID(),
  ) {
    this.#url = url;
    this.plane = plane;
    this.#trial = trial;
    this.#patienceMs = trial.patienceMs ?? 60_000;
    this.customer = customer;
  }

  /** Another customer of the same app. */
  other(prefix = ""): AdapterBench {
    return new AdapterBench(this.#url, this.plane, this.#trial, prefix + crypto.randomUUID());
  }

  send(request: TrialRequest = {}): Promise<Response> {
    const { route = "reported", path = `/${route}`, method = "POST", body, signal } = request;
    const exact = { method, headers: this.#headers(request), body, signal };
    return this.comes("an answer", this.#trial.send(`${this.#url}${path}`, exact));
  }

  /** Why the trial cannot play this cell of the table of endings. */
  impossible(cell: Omit<EndingCell, "result">): string | undefined {
    return this.#trial.impossible?.(cell);
  }

  /** Whether handlers can give a body to an answer that has none. */
  get givesAnyBody(): boolean {
    return this.#trial.givesAnyBody ?? this.#trial.onNode ?? false;
  }

  /** How the clients of this cell behave. */
  ways(cell: number): { readonly reading?: string | undefined; readonly leaving?: string | undefined } {
    const { reading = [], leaving = [] } = this.#trial.ways ?? {};
    return { reading: reading[cell % reading.length], leaving: leaving[cell % leaving.length] };
  }

  /** Whether handlers write to Node's response, and whether the adapter answers with web responses. */
  get answersBy(): Pick<AdapterOnTrial, "onNode" | "onWeb"> {
    return this.#trial;
  }

  /** The methods that reach the app on trial. */
  get methods(): readonly string[] {
    return ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", ...(this.#trial.methods ?? [])];
  }

  /** What the framework answers to a handler that throws where no gate is around it. */
  ungatedError(): Promise<Response> {
    const headers = this.#headers({ plan: { throws: true } });
    return this.#trial.send(`${this.#url}/state`, { method: "GET", headers });
  }

  /** As a browser navigates. */
  visit(request: TrialRequest = {}): Promise<Response> {
    const headers = { "sec-fetch-mode": "navigate", accept: "text/html" };
    return this.send({ ...request, method: "GET", headers });
  }

  /** Sends, reads the answer to its end, and returns its status. */
  async status(request: TrialRequest = {}): Promise<number> {
    const response = await this.send(request);
    await this.comes("the end of the answer", response.arrayBuffer());
    return response.status;
  }

  /** What the app knows at once, or as soon as it knows more than at the version `seen`. */
  async state(seen?: number): Promise<AdapterState> {
    const headers = { "x-customer": this.customer, ...(seen !== undefined && { "x-seen": String(seen) }) };
    const response = await this.#trial.send(`${this.#url}/state`, { method: "GET", headers });
    return response.json();
  }

  /** The handler waits at the step. */
  reached(step: string): Promise<void> {
    return this.comes(`a handler at ${step}`, this.plane.reached(this.customer, step));
  }

  /** Lets the handler pass the step. */
  pass(step: string): void {
    this.plane.pass(this.customer, step);
  }

  /** Waits for this many settlements, and checks that exactly this was billed and nothing is held. */
  async expectBill(models: readonly string[], settlements = 1): Promise<void> {
    const reports = models.length;
    await this.until(`${reports} reports`, (state) => state.reports >= reports);
    same("billed", await this.bill(settlements), [...models].sort());
  }

  /** Waits for this many settlements and the delivery of their reports, checks that nothing is held, and returns what was billed. */
  async bill(settlements = 1): Promise<readonly string[]> {
    const { reports } = await this.until("settlements", (state) => state.settlements >= settlements);
    await this.comes(`${reports} deliveries`, this.plane.delivered(this.customer, reports));
    const state = await this.state();
    same("settlements", state.settlements, settlements);
    same("held", state.held, 0);
    return [...this.plane.billed(this.customer)].sort();
  }

  /** Nothing of this customer has been handled. */
  async expectUnreached(): Promise<void> {
    same("requests that reached the handler", (await this.state()).reached, 0);
  }

  /** Looks at the app until this holds, and returns what it saw: when something has changed, or soon. */
  async until(what: string, holds: (state: AdapterState) => boolean): Promise<AdapterState> {
    return this.#until(what, (last) => this.state(last?.version), holds);
  }

  /** Looks until this holds. Each look travels there and back, and is a turn of the app. */
  async untilSoon(what: string, holds: (state: AdapterState) => boolean | Promise<boolean>): Promise<void> {
    await this.#until(what, () => this.state(), holds);
  }

  async #until(
    what: string,
    look: (last?: AdapterState) => Promise<AdapterState>,
    holds: (state: AdapterState) => boolean | Promise<boolean>,
  ): Promise<AdapterState> {
    const deadline = Date.now() + this.#patienceMs;
    for (let state = await look(); ; state = await look(state)) {
      if (await holds(state)) return state;
      if (Date.now() > deadline) throw this.#impatient(what);
    }
  }

  /** The same promise, for which the contract waits only so long. */
  async comes<T>(what: string, promise: Promise<T>): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(this.#impatient(what)), this.#patienceMs);
    });
    try {
      return await Promise.race([promise, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  #impatient(what: string): Error {
    return new Error(`${what}: did not come within ${this.#patienceMs} ms`);
  }

  #headers({
    hold = 5,
    customer = this.customer,
    plan = {},
    headers = {},
  }: TrialRequest): Record<string, string> {
    return {
      "x-hold": String(hold),
      "x-plan": JSON.stringify({ ...plan, run: this.customer }),
      ...(customer === null ? {} : { "x-customer": customer }),
      ...headers,
    };
  }
}

/** Throws unless both are the same JSON. */
export function same(what: string, actual: unknown, expected: unknown): void {
  const [received, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (received !== wanted) throw new Error(`${what}: expected ${wanted}, received ${received}`);
}
