import { setTimeout as delay } from "node:timers/promises";

/** Asks every 25 ms; resolves whether the condition came true within the time. */
export async function until(timeoutMs: number, condition: () => Promise<boolean>): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > deadline) return false;
    await delay(25);
  }
  return true;
}
