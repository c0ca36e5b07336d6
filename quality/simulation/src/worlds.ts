import { simulateBudgets } from "./budgets/budget-simulation.ts";
import { simulateFleet } from "./fleet/fleet-simulation.ts";
import { simulate } from "./simulation.ts";

/** What came of a seed, in any world. */
export interface Schedule {
  /** The first broken promise; `undefined` when all were kept. */
  readonly violation: string | undefined;
  /** What happened, line by line, if asked for. */
  readonly trace: readonly string[];
  readonly requests: number;
  readonly admitted: number;
  readonly reports: number;
  readonly restarts: number;
  /** Whether a wallet was overspent by what no promise covers, within the bound. */
  readonly isOverspent: boolean;
}

interface SimulatedWorld {
  /** The flags of the command line that choose it. */
  readonly flags: string;
  /** What no promise covers; `undefined` where there is no such thing. */
  readonly uncovered?: string;
  play(seed: number, trace: boolean): Promise<Schedule>;
}

export const worlds = {
  gate: {
    flags: "",
    uncovered: "Late reports",
    async play(seed, trace) {
      const result = await simulate({ seed, trace });
      return { ...result, isOverspent: result.overspentLate > 0 };
    },
  },
  fleet: {
    flags: "--fleet ",
    uncovered: "Processes that were silent for too long",
    async play(seed, trace) {
      const result = await simulateFleet({ seed, trace });
      const { admitted, denied, unknown, overspent } = result;
      return { ...result, requests: admitted + denied + unknown, isOverspent: overspent > 0 };
    },
  },
  budgets: { flags: "--budgets ", play: (seed) => playBudgets(seed, 1) },
  "budgets of a fleet": { flags: "--budgets --fleet ", play: (seed) => playBudgets(seed, 3) },
} satisfies Readonly<Record<string, SimulatedWorld>>;

/** What is simulated: one process, or a fleet on a shared store; wallets, or wallets with budgets, pauses and credits that expire. */
export type World = keyof typeof worlds;

async function playBudgets(seed: number, processes: number): Promise<Schedule> {
  const result = await simulateBudgets({ seed, processes });
  const denied = Object.values(result.denied).reduce((sum, count) => sum + count, 0);
  const trace = [JSON.stringify(result)];
  return { ...result, trace, requests: result.admitted + denied, isOverspent: false };
}
