import { CreditgateError, checkAgents, type Finding } from "@creditgate/client";
import type { Work } from "../decision/authorize-request.ts";
import type { Judgement } from "../decision/trace.ts";
import type { GateEvents } from "../events/events.ts";
import type { GateSettings } from "../options/gate-options.ts";
import type { UnbillableWork } from "../service/unbillable-work.ts";
import { type Awaitable, andThen } from "../values/awaitable.ts";
import { fromMicro } from "../values/micro.ts";

/** An agent, and the indicator that prices its work where that is the same for all requests. */
export interface ExpectedWork {
  readonly agentId: string;
  readonly indicator?: string | undefined;
}

/** The wallets of a gate, as soon as they are known. */
interface ServiceWallets {
  find(): Promise<{ readonly service: { readonly unbillable: Pick<UnbillableWork, "unknown"> } } | undefined>;
}

/** What one request or customer shows may be chance. */
const few = 3;

/**
 * Emits the mistakes of a gate that is set up wrongly, as `degraded` (`setup`). It asks the service once, beside the first request
 * that has a customer, about the agents and indicators that are known by then, and looks at each denial.
 */
export class SetupWatch {
  readonly #settings: Pick<GateSettings, "check" | "client" | "clock" | "currency" | "price">;
  readonly #events: Pick<GateEvents, "emit">;
  readonly #wallets: ServiceWallets;
  readonly #expected: ExpectedWork[] = [];
  #begun = false;
  #withoutCustomer = 0;
  #hasAdmitted = false;
  /** Micro-credits. */
  #smallestHold = Number.POSITIVE_INFINITY;
  #largestWallet = 0;
  /** Whose wallet had less than a request needed, though not nothing. */
  readonly #short = new Set<string>();

  constructor(
    settings: Pick<GateSettings, "check" | "client" | "clock" | "currency" | "price">,
    events: Pick<GateEvents, "emit">,
    wallets: ServiceWallets,
  ) {
    this.#settings = settings;
    this.#events = events;
    this.#wallets = wallets;
  }

  /**
   * Expects such work. Checks at once if requests are served already: at a start nothing is sent before the first of
   * them.
   */
  expect(work: ExpectedWork): void {
    if (this.#begun) void this.#check([work]);
    else this.#expected.push(work);
  }

  /** The judgement on a request that is not admitted at once, as the first one of each customer is not. `works`: the requests so far. */
  watch(work: Work, judging: Awaitable<Judgement>, works: number): Awaitable<Judgement> {
    if (!this.#begun && work.customerId !== "") {
      this.#begun = true;
      const { agentId, indicator } = work;
      void this.#check([...this.#expected, { agentId, indicator }]);
    }
    return andThen(judging, (judgement) => {
      this.#learn(work, judgement, works);
      return judgement;
    });
  }

  #learn(work: Work, { code, figures, wallet }: Judgement, works: number): void {
    const { customerId } = work;
    if (code === undefined) this.#hasAdmitted = true;
    if (code === "customer_unresolved" && ++this.#withoutCustomer >= few && this.#withoutCustomer === works)
      this.#report(
        "customer",
        `none of the ${works} requests so far had one; return the id of the signed-in customer from the option customer`,
      );
    if (code === "customer_unknown")
      this.#report("customerId", this.#adviceOnUnknown(JSON.stringify(customerId)), customerId);
    const capacity = wallet ?? figures?.capacity;
    if (code === "insufficient_credits" && typeof capacity === "number" && capacity > 0)
      this.#compare(work, capacity);
  }

  #adviceOnUnknown(customerId: string): string {
    return this.#settings.client === undefined
      ? `balance(${customerId}) returned nothing; open a wallet for the customer at sign-up, or correct its id`
      : `the service does not know ${customerId}; create the customer at sign-up, with customers.createOrGet(), or correct its id`;
  }

  /** A wallet of so many micro-credits was too small. */
  #compare({ customerId, least }: Work, capacity: number): void {
    this.#smallestHold = Math.min(this.#smallestHold, least);
    this.#largestWallet = Math.max(this.#largestWallet, capacity);
    if (this.#short.size < few) this.#short.add(customerId);
    if (this.#hasAdmitted || this.#short.size < few || this.#smallestHold <= this.#largestWallet) return;
    this.#report(
      "hold",
      `no request has been let in, for the smallest needs ${fromMicro(this.#smallestHold)} credits, and the largest wallet so far has ${fromMicro(this.#largestWallet)}; hold what one request may cost at most, or { min, max }`,
    );
  }

  /** Never rejects. What cannot be checked is not reported: requests report an outage or a rejected key. */
  async #check(works: readonly ExpectedWork[]): Promise<void> {
    const { client, currency, price, check } = this.#settings;
    if (!check || client === undefined) return;
    try {
      const expected = works.map((work) => ({ ...work, currency, price }));
      const found = await checkAgents(client, expected);
      await Promise.all(works.map((work, index) => this.#judge(work, found[index] ?? [])));
    } catch {}
  }

  async #judge({ agentId, indicator }: ExpectedWork, findings: readonly Finding[]): Promise<void> {
    for (const { name, message, fix } of findings.filter(({ ok }) => ok === false)) {
      const agent = JSON.stringify(agentId);
      const what =
        name === "agent" ? `agentId ${agent}` : `indicator ${JSON.stringify(indicator)} of agent ${agent}`;
      this.#report(what, `${message}${message.endsWith("?") ? "" : ";"} ${fix}`);
      if (indicator === undefined || (name !== "agent" && name !== "indicator")) continue;
      const customers = await this.#wallets.find();
      customers?.service.unbillable.unknown({ agentId, indicator }, this.#settings.clock.now());
    }
  }

  /** Once for each `what`, and hour. */
  #report(what: string, message: string, customerId?: string): void {
    const error = new CreditgateError("invalid_option", `${what}: ${message}`);
    this.#events.emit("degraded", { what: "setup", error, ...(customerId !== undefined && { customerId }) });
  }
}
