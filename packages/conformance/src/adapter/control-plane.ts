interface Step {
  readonly reached: Signal;
  readonly passed: Signal;
}

/** The contract's control plane: balances, usage that it remembers, and the steps at which handlers wait. */
export class AdapterControlPlane {
  /** The models that were reported, by customer. */
  readonly #billed = new Map<string, string[]>();
  readonly #credits = new Map<string, number>();
  readonly #steps = new Map<string, Step>();
  /** Who waits for deliveries looks again at each. */
  readonly #waiting = new Set<() => void>();

  /** What customers can pay who have been given nothing else. */
  static readonly credits = 10;

  give(customer: string, credits: number): void {
    this.#credits.set(customer, credits);
  }

  billed(customer: string): readonly string[] {
    return this.#billed.get(customer) ?? [];
  }

  /** Resolves when this many reports of the customer have been delivered. */
  delivered(customer: string, reports: number): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (this.billed(customer).length < reports) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
  }

  /** Who was billed for this model. */
  payers(model: string): readonly string[] {
    return [...this.#billed].filter(([, models]) => models.includes(model)).map(([customer]) => customer);
  }

  /** Resolves when the handler waits at the step. */
  reached(run: string, name: string): Promise<void> {
    return this.#step(run, name).reached.promise;
  }

  /** Lets the handler pass the step. */
  pass(run: string, name: string): void {
    this.#step(run, name).passed.give();
  }

  async handle(request: Request): Promise<Response> {
    const url = new URL(request.url);
    if (url.pathname === "/api/v1/wallet/balance")
      return this.#balance(url.searchParams.get("customer_id") ?? "");
    if (url.pathname === "/api/v2/usage") return this.#usage(request);
    const [, root, run, name] = url.pathname.split("/").map(decodeURIComponent);
    if (root !== "steps" || run === undefined || name === undefined)
      return new Response(null, { status: 404 });
    await this.#wait(run, name);
    return Response.json({});
  }

  async #wait(run: string, name: string): Promise<void> {
    const { reached, passed } = this.#step(run, name);
    reached.give();
    await passed.promise;
  }

  async #balance(customer: string): Promise<Response> {
    if (customer.startsWith("slow")) await this.#wait(customer, "balance");
    if (customer.startsWith("broken")) return new Response(null, { status: 500 });
    if (customer.startsWith("unknown")) {
      return Response.json({ status: 404, code: "customer_unknown" }, { status: 404 });
    }
    const available = this.#credits.get(customer) ?? AdapterControlPlane.credits;
    const zero = { pending: 0, overage_used: 0, overage_limit: 0, postpaid_used: 0, postpaid_limit: 0 };
    return Response.json({ balances: { ai_credits: { available, ...zero } } });
  }

  async #usage(request: Request): Promise<Response> {
    const { customerId, rawUsage } = await request.json();
    if (customerId.startsWith("unhurried")) await this.#wait(customerId, "usage");
    this.#billed.set(customerId, [...this.billed(customerId), rawUsage.model]);
    for (const look of this.#waiting) look();
    const key = request.headers.get("idempotency-key") ?? "";
    return Response.json({}, { headers: { "idempotency-key": key } });
  }

  #step(run: string, name: string): Step {
    const key = `${run}/${name}`;
    const step = this.#steps.get(key) ?? { reached: new Signal(), passed: new Signal() };
    this.#steps.set(key, step);
    return step;
  }
}

class Signal {
  give: () => void = () => {};
  readonly promise: Promise<void> = new Promise((resolve) => {
    this.give = resolve;
  });
}
