import type { Scenario } from "./scenario.ts";

/** Options of {@link simulate}. */
export interface SimulationOptions {
  /** Decides everything that happens; a whole number, 0 or more. */
  readonly seed: number;
  /** Whether to write down what happens. @default false */
  readonly trace?: boolean;
  /** The settlement lag in the gates' options, as a share of the real one. @default 1 */
  readonly lagFactor?: number;
  /** Whether the gates read a clock that is sometimes set forward. @default false */
  readonly steppedClock?: boolean;
  /** What is otherwise than the seed draws it, for schedules in which something rare happens often. */
  readonly scenario?: Partial<Scenario>;
  /** Lets promises run between two instants. @default 100 rounds of microtasks */
  readonly drain?: () => Promise<void>;
}
