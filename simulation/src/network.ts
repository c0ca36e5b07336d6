import type { Clock } from "@creditgate/core";
import type { Fault, Passage, Random } from "@creditgate/core/testing";
import type { Scenario } from "./scenario.ts";

/** What becomes of requests: how long they take, and which fail. */
export interface Network {
  passage(request: "balance" | "report"): Passage;
  /** From now on no request fails, and each is answered within every deadline. */
  recover(): void;
}

/** No request is processed later than this after it was sent: longer than a client waits for its answer. */
export const longestPassageMs = 8_000;

const balanceFaults: readonly [Fault, ...Fault[]] = [
  "refused",
  "unavailable",
  "broken",
  "lost",
  "hanging",
  "garbled",
  "misrouted",
];
const reportFaults: readonly [Fault, ...Fault[]] = [...balanceFaults, "throttled", "forbidden"];

/** Creates the network of a scenario. */
export function createNetwork(scenario: Scenario, clock: Clock, random: Random): Network {
  let recovered = false;

  function fault(request: "balance" | "report"): Fault | undefined {
    const now = clock.now();
    const outage = scenario.outages.find(({ from, until }) => from <= now && now < until);
    if (outage !== undefined) return outage.fault;
    if (request === "report" && scenario.refusesReports && random.chance(0.1)) return "unprocessable";
    if (!random.chance(scenario.faultRate)) return undefined;
    return random.pick(request === "report" ? reportFaults : balanceFaults);
  }

  function latency(): number {
    const most = recovered ? Math.min(scenario.latencyMs, scenario.checkTimeoutMs / 3) : scenario.latencyMs;
    // Often nothing at all: an answer that shows the instant of its sending is the oldest there may be.
    if (random.chance(0.3)) return 0;
    const latencyMs = random.integer(0, Math.floor(most));
    // Not at a tick of a coarse clock, but anywhere between two.
    return scenario.tickMs > 0 ? latencyMs + random.next() : latencyMs;
  }

  return {
    passage(request) {
      const present = recovered ? undefined : fault(request);
      return {
        fault: present,
        outMs: present === "hanging" ? random.integer(0, longestPassageMs) : latency(),
        backMs: latency(),
        processed: random.chance(0.5),
        debitDelay: random.chance(0.5) ? 1 : random.next(),
        retryAfterMs: random.chance(0.5) ? random.integer(0, 20_000) : undefined,
      };
    },
    recover() {
      recovered = true;
    },
  };
}
