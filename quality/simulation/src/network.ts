import type { Clock } from "@creditgate/core";
import type { Random } from "@creditgate/core/testing";
import type { Scenario } from "./scenario.ts";
import type { BatchFate, Fault, Part, Passage, RequestKind } from "./service/fake-client.ts";

/** What becomes of requests: how long they take, and which fail. */
export interface Network {
  passage(request: RequestKind): Passage;
  /** What becomes of a batch that has reached the service. */
  batchFate(reports: number): BatchFate;
  /** Requests that were sent, by kind, and how many of them met an extended replica. */
  readonly sent: Readonly<Record<RequestKind, { readonly all: number; readonly told: number }>>;
  /** Whether all balance answers tell from here on. */
  readonly alwaysExtended: boolean;
  /** From now on no request fails, and each is answered within every deadline. */
  recover(): void;
}

/** No request is processed later than this after it was sent: longer than a client waits for its answer. */
export const longestPassageMs = 8_000;

const faults: readonly [Fault, ...Fault[]] = [
  "refused",
  "unavailable",
  "broken",
  "lost",
  "hanging",
  "garbled",
  "misrouted",
];
const balanceFaults: readonly [Fault, ...Fault[]] = [...faults, "belated"];
const reportFaults: readonly [Fault, ...Fault[]] = [...faults, "throttled", "forbidden"];
/** A batch is refused as such. */
const batchRefusals: readonly [number, ...number[]] = [400, 404, 405, 413, 422];

/** Creates the network of a scenario. */
export function createNetwork(scenario: Scenario, clock: Clock, random: Random): Network {
  let recovered = false;
  const none = () => ({ all: 0, told: 0 });
  const sent = { balance: none(), report: none(), batch: none() };

  function fault(request: RequestKind): Fault | undefined {
    const now = clock.now();
    const outage = scenario.outages.find(({ from, until }) => from <= now && now < until);
    if (outage !== undefined) return outage.fault;
    if (request === "report" && scenario.refusesReports && random.chance(0.1)) return "unprocessable";
    if (!random.chance(scenario.faultRate)) return undefined;
    return random.pick(request === "balance" ? balanceFaults : reportFaults);
  }

  function latency(): number {
    const most = recovered ? Math.min(scenario.latencyMs, scenario.checkTimeoutMs / 3) : scenario.latencyMs;
    // Often nothing at all: an answer that shows the instant of its sending is the oldest there may be.
    if (random.chance(0.3)) return 0;
    const latencyMs = random.integer(0, Math.floor(most));
    // Not at a step of a coarse clock, but anywhere between two.
    return scenario.resolutionMs > 0 ? latencyMs + random.next() : latencyMs;
  }

  /** The share of answers that tell now. */
  function share(request: RequestKind): number {
    const { balances, posts, until } = scenario.extended;
    if (request !== "balance") return clock.now() < until ? posts : 0;
    // In the end the deploy is over: a gate that does not know the kinds could serve no one.
    if (recovered && !scenario.optionWallet) return 1;
    return clock.now() < until ? balances : 0;
  }

  function part(): Part {
    const goesWrong = !recovered && random.chance(scenario.faultRate);
    const refuses = !recovered && scenario.refusesReports && random.chance(0.1);
    return {
      status: refuses ? 422 : goesWrong ? random.pick([200, 200, 429, 500, 503]) : 200,
      processed: random.chance(0.5),
      debitDelay: random.chance(0.5) ? 1 : random.next(),
      answers: goesWrong ? random.pick([0, 1, 1, 2]) : 1,
    };
  }

  return {
    sent,
    get alwaysExtended() {
      const { balances, until } = scenario.extended;
      return (recovered && !scenario.optionWallet) || (balances === 1 && until === Number.POSITIVE_INFINITY);
    },
    batchFate(reports) {
      const isRefused = !recovered && random.chance(scenario.faultRate / 2);
      return {
        status: isRefused ? random.pick(batchRefusals) : undefined,
        parts: Array.from({ length: reports }, part),
        shuffled: random.chance(0.3),
      };
    },
    passage(request) {
      const present = recovered ? undefined : fault(request);
      const passage: Passage = {
        fault: present,
        outMs: present === "hanging" ? random.integer(0, longestPassageMs) : latency(),
        backMs: latency(),
        processed: random.chance(0.5),
        debitDelay: random.chance(0.5) ? 1 : random.next(),
        retryAfterMs: random.chance(0.5) ? random.integer(0, 20_000) : undefined,
        extended: random.chance(share(request)),
      };
      sent[request].all++;
      if (passage.extended) sent[request].told++;
      return passage;
    },
    recover() {
      recovered = true;
    },
  };
}
