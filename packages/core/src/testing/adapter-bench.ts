import type { AdapterRoute, AdapterState } from "./adapter-app.ts";
import type { AdapterOnTrial } from "./adapter-contract.ts";
import type { AdapterControlPlane } from "./adapter-control-plane.ts";
import type { AdapterPlan } from "./adapter-plan.ts";

/** How a request differs from a POST to `/measured` that holds 5 of its customer's 10 credits and is served. */
export interface Wish {
  readonly route?: AdapterRoute;
  readonly method?: string;
  readonly hold?: number;
  /** `null` is nobody. */
  readonly customer?: string | null;
  readonly plan?: Omit<AdapterPlan, "run">;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

const patienceMs = 30_000;

/** One customer of the app on trial, and short ways to deal with it. */
export class AdapterBench {
  readonly customer: string;
  readonly plane: AdapterControlPlane;
  readonly #url: string;
  readonly #trial: AdapterOnTrial;

  constructor(
    url: string,
    plane: AdapterControlPlane,
    trial: AdapterOnTrial,
    customer: string = crypto.randomUUID(),
  ) {
    this.#url = url;
    this.plane = plane;
    this.#trial = trial;
    this.customer = customer;
  }

  /** Another customer of the same app. */
  other(prefix = ""): AdapterBench {
    return new AdapterBench(this.#url, this.plane, this.#trial, prefix + crypto.randomUUID());
  }

  send(wish: Wish = {}): Promise<Response> {
    const { route = "measured", method = "POST", signal } = wish;
    return this.#trial.send(`${this.#url}/${route}`, { method, headers: this.#headers(wish), signal });
  }

  /** As a browser navigates. */
  visit(wish: Wish = {}): Promise<Response> {
    const headers = { "sec-fetch-mode": "navigate", accept: "text/html" };
    return this.send({ ...wish, method: "GET", headers });
  }

  /** Sends, reads the answer to its end, and returns its status. */
  async status(wish: Wish = {}): Promise<number> {
    const response = await this.send(wish);
    await response.arrayBuffer();
    return response.status;
  }

  async state(): Promise<AdapterState> {
    const response = await fetch(`${this.#url}/state`, { headers: { "x-customer": this.customer } });
    return response.json();
  }

  /** Waits until so much work has been settled, and checks that exactly this was billed and nothing is held. */
  async expectBill(models: readonly string[], settlements = 1): Promise<void> {
    await this.until("settlements", async () => (await this.state()).settlements >= settlements);
    await this.until(
      `${models.length} reports`,
      async () => this.plane.billed(this.customer).length >= models.length,
    );
    const state = await this.state();
    same("settlements", state.settlements, settlements);
    same("held", state.held, 0);
    same("billed", [...this.plane.billed(this.customer)].sort(), [...models].sort());
  }

  async expectUnreached(): Promise<void> {
    same("requests that reached the handler", (await this.state()).reached, 0);
    same("billed", this.plane.billed(this.customer), []);
  }

  /** Asks until the answer is yes; each question travels to the app or waits for a turn of the event loop. */
  async until(what: string, holds: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + patienceMs;
    while (!(await holds())) {
      if (Date.now() > deadline) throw new Error(`${what}: did not come within ${patienceMs} ms`);
      await this.state();
    }
  }

  #headers({ hold = 5, customer = this.customer, plan = {}, headers = {} }: Wish): Record<string, string> {
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
