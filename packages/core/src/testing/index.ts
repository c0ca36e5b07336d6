export { createManualClock, type ManualClock, type ManualClockOptions, microtasks } from "./manual-clock.ts";
export { createRandom, type Random } from "./random.ts";
export { type SimulationOptions, type SimulationResult, simulate } from "./simulation.ts";
