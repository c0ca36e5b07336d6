/** What a mutant is made of: the package, its testing entry, and the parts that directed schedules look into. */
export { createGate } from "../../src/gate.ts";
export { createMemoryLedger } from "../../src/memory-ledger.ts";
export { createRegistry } from "../../src/registry.ts";
export { createManualClock, microtasks } from "../../src/testing/manual-clock.ts";
export { simulate } from "../../src/testing/simulation.ts";
