import { createTransport } from "@creditgate/client";
import { type Charge, type CreditsOptions, createGate, type Gate, type GateOptions } from "@creditgate/core";
import { createAdmission } from "@creditgate/core/adapter";
import { noPauses } from "@creditgate/core/testing";
import type { AdapterAnswer } from "./answer.ts";
import { adapterHistory, changedHistory, type KnownHistory, recorded } from "./history.ts";
import { type AdapterPlan, type AdapterSurroundings, carryOut } from "./plan.ts";

/** Each of them is a route of the app on trial: `/reported` and so on, for every method. */
export const adapterRoutes = ["reported", "default", "none", "function", "flat", "hasty", "observe"] as const;
/** A route of the app on trial: an abort policy, a flat rate, a grace of a millisecond, or a gate that only observes. */
export type AdapterRoute = (typeof adapterRoutes)[number];

/** How the app on trial reads a header of its framework's request, by its lower-case name. */
type ReadHeader<Request> = (request: Request, name: string) => string | null | undefined;

/** What an app needs to stand trial. */
export interface AdapterApp<Request> {
  /** The gate and the options for the adapter at this route. */
  on(route: AdapterRoute): { readonly gate: Gate; readonly options: CreditsOptions<Request> };
  /** What the handler does, as the request's headers ask. */
  work(request: Request, credits: Charge, surroundings: AdapterSurroundings): Promise<AdapterAnswer>;
  /** What somebody else answers than the handler, for the app to give outside of the gate. `undefined` for most requests. */
  another(request: Request): AnotherAnswer | undefined;
  /**
   * What the app answers to `/state`, as JSON and ungated, once something has changed since the `version` in the header `x-seen`, or
   * soon. What it throws is the framework's to answer.
   */
  state(request: Request): Promise<AdapterState>;
}

/** What the app on trial knows of the customer that the headers name. */
export interface AdapterState extends KnownHistory {
  readonly held: number;
}

/**
 * The app on trial but for its framework: the routes `/state`, and each of {@link adapterRoutes} behind the adapter. The
 * address is that of the contract's control plane.
 */
export function createAdapterApp<Request>(
  controlPlaneUrl: string,
  header: ReadHeader<Request>,
  gateOptions: Partial<GateOptions> = {},
): AdapterApp<Request> {
  const open = (mode: "enforce" | "observe"): Gate => {
    const gate = createGate({
      // As patient as the contract, however busy the machine.
      client: createTransport({ baseUrl: controlPlaneUrl, apiKey: "trial", timeoutMs: 30_000 }),
      currency: "ai_credits",
      wallet: "prepaid",
      mode,
      settlementLagMs: 0,
      minRefreshMs: 0,
      checkTimeoutMs: 30_000,
      actionTimeoutMs: 0,
      lagWatch: false,
      random: noPauses,
      ...gateOptions,
    } as GateOptions);
    gate.on("settled", ({ customerId, reports }) => {
      const history = adapterHistory(customerId);
      history.settlements++;
      history.reports += reports;
    });
    gate.on("late", ({ customerId, billed }) => {
      const history = adapterHistory(customerId);
      history.late++;
      if (billed) history.reports++;
    });
    return gate;
  };
  const enforcing = open("enforce");
  const observing = open("observe");
  const customerOf = (request: Request) => header(request, "x-customer");
  const planOf = (request: Request): AdapterPlan => JSON.parse(header(request, "x-plan") ?? "{}");
  const optionsOf = (route: AdapterRoute): CreditsOptions<Request> => ({
    customer(request) {
      const customer = customerOf(request);
      if (customer?.startsWith("resolver-throws")) throw new Error("the resolver of the trial throws");
      return customer;
    },
    agentId: "agent",
    indicator: "indicator",
    hold: (request) => Number(header(request, "x-hold")),
    ...policies[route],
  });
  const admitAgain = ({ gated }: AdapterSurroundings) =>
    createAdmission(gated?.gate ?? enforcing, {
      ...optionsOf("flat"),
      ...(gated && { indicator: gated.indicator }),
    });
  return {
    on: (route) => ({ gate: route === "observe" ? observing : enforcing, options: optionsOf(route) }),
    async work(request, credits, surroundings) {
      const history = adapterHistory(customerOf(request) ?? "");
      history.reached++;
      const plan = planOf(request);
      let isRunning = true;
      const disconnect = credits.disconnect.bind(credits);
      credits.disconnect = (options) => {
        if (isRunning) history.fired = 1;
        disconnect(options);
      };
      const over = () => {
        if (isRunning) history.running--;
        isRunning = false;
      };
      // Who takes the signal is expected to report when it fires.
      if (plan.pushes !== "deaf" && plan.work === undefined)
        credits.signal.addEventListener("abort", () => history.signalled++);
      history.peak = Math.max(history.peak, ++history.running);
      let answer: AdapterAnswer | undefined;
      try {
        const again = plan.nested === true ? await admitAgain(surroundings)(request) : undefined;
        if (again?.admitted === false)
          throw new Error(`the second gate of the trial denies: ${again.denial.code}`);
        const charge = again?.credits ?? credits;
        answer = await carryOut(plan, charge, { ...surroundings, controlPlaneUrl, over });
        again?.end("completed").catch(() => {});
        return recorded(answer, history);
      } finally {
        // That of a stream goes on behind its answer.
        if (plan.work === undefined || answer === undefined) over();
      }
    },
    another: (request) => anotherAnswer(header(request, "x-another"), controlPlaneUrl, planOf(request).run),
    async state(request) {
      if (planOf(request).throws) throw new Error("the state of the trial throws");
      const customer = customerOf(request) ?? "";
      const history = await changedHistory(customer, Number(header(request, "x-seen") ?? Number.NaN));
      const found = await enforcing.balance(customer);
      return { ...history, held: found?.held ?? 0 };
    },
  };
}

const policies: {
  readonly [route in AdapterRoute]: Pick<
    CreditsOptions<unknown>,
    "onAbort" | "defaultUsage" | "abortGraceMs"
  >;
} = {
  reported: {},
  observe: {},
  flat: { defaultUsage: { model: "default" } },
  hasty: { abortGraceMs: 1, defaultUsage: { model: "default" } },
  default: { onAbort: "default", defaultUsage: { model: "default" } },
  none: { onAbort: "none" },
  function: { onAbort: (reported) => ({ model: `function of ${reported.length}` }) },
};

/** An answer that stands outside of the gate, as a timeout or an error handler gives it. */
export interface AnotherAnswer {
  readonly status: number;
  /** Resolves when it is given, whatever the handler does meanwhile; without it, it takes the place of the handler's answer. */
  readonly early?: Promise<unknown>;
}

/** What a request asks for by its header `x-another`: the status, and whether it comes when the contract lets it (`early 503`). */
function anotherAnswer(
  asked: string | null | undefined,
  controlPlaneUrl: string,
  run: string,
): AnotherAnswer | undefined {
  const [when, status] = asked?.split(" ") ?? [];
  if (status === undefined) return undefined;
  if (when !== "early") return { status: Number(status) };
  // A POST, because some frameworks cache GETs.
  return {
    status: Number(status),
    early: fetch(`${controlPlaneUrl}/steps/${run}/early`, { method: "POST" }),
  };
}

/** The other answer where one is asked for, and else that of the handler, for apps that answer with web responses. */
export async function answeredByAnother(
  another: AnotherAnswer | undefined,
  answering: Promise<Response>,
): Promise<Response> {
  if (another === undefined) return answering;
  // Whoever has answered early drops what is thrown behind it.
  answering.catch(() => {});
  await (another.early ?? answering);
  return new Response("another", { status: another.status });
}
