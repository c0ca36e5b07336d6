/** What a mutant is made of: the package, its testing entry, and the parts that directed schedules look into. */
export { createGate } from "../../src/gate.ts";
export { createManualClock, microtasks } from "../../src/testing/service/manual-clock.ts";
export { simulate } from "../../src/testing/simulation/simulation.ts";
export { createMemoryLedger } from "../../src/wallet/memory-ledger.ts";
export { createRegistry } from "../../src/wallet/registry.ts";
