export { microtasks } from "../values/awaitable.ts";
export {
  createManualClock,
  type ManualClock,
  type ManualClockOptions,
} from "./manual-clock.ts";
export { createRandom, noPauses, type Random } from "./random.ts";
export { createTestGate, type TestGate, type TestGateOutcome } from "./test-gate.ts";
