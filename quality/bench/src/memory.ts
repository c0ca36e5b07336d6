import { measureIdleCustomers } from "./memory/idle-customers.ts";
import { measureRates } from "./memory/rates.ts";
import { measureTurnover } from "./memory/turnover.ts";

/** What a gate keeps for a customer, what it keeps at a high rate of requests, and whether it forgets. */
export async function benchmarkMemory(): Promise<void> {
  await measureIdleCustomers();
  console.log();
  await measureRates();
  console.log();
  await measureTurnover();
}
