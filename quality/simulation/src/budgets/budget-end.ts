import type { Decision } from "@creditgate/core";
import { fromMicro } from "../micro.ts";
import { anyOf, ask, customerId, type Scene, type Work } from "./budget-work.ts";

/** When all is quiet nothing is lost or held any more, work that pauses makes room for other work, and all that is left can be spent. */
export async function checkEnd(scene: Scene): Promise<void> {
  const { service, running } = scene;
  const gates = running.flatMap(({ gates }) => gates);
  for (const { pauses } of running)
    if (pauses > 0) service.violations.push(`${pauses} pieces of work still pause`);
  // In a fleet they show what the others held when they were last heard of.
  for (const gate of running.length > 1 ? [] : gates) {
    const { held = 0, budgets = {} } = (await gate.balance(customerId, { budgets: service.keys })) ?? {};
    const sums = [held, ...Object.values(budgets).map((budget) => budget.held)];
    if (sums.some((sum) => sum > 0)) service.violations.push(`no work is open, and ${sums} is held`);
  }
  // What may have been billed or not counts until an operator decides.
  for (const gate of gates) {
    const { parked, dead } = await gate.status();
    if (parked + dead > 0) return;
  }
  if (service.lost.length > 0) service.violations.push(`${service.lost} is lost`);
  if (service.violations.length === 0) await pauseTogether(scene);
  if (service.violations.length === 0) await spendAll(scene);
}

/** Two pieces of work hold all that there is. Both pause for more than is free while one of them keeps its hold. */
async function pauseTogether(scene: Scene): Promise<void> {
  const { clock, random, running, service } = scene;
  service.topUp(100 * 1e6);
  await clock.advance(3_000);
  const quarter = Math.floor((service.available * 1e6) / 4);
  const hold = fromMicro(2 * quarter);
  const works: Work[] = [];
  const begin = async () => {
    const own = anyOf(random, running);
    const work = await ask(scene, own, anyOf(random, own.gates), hold, []);
    if (work === undefined) service.violations.push(`when all was quiet, ${hold} of the wallet were denied`);
    else works.push(work);
  };
  for (let count = 0; count < 2; count++) {
    void begin();
    await clock.advance(3_000);
  }
  let resumed = 0;
  for (const work of works) {
    work.report(quarter);
    void work.pause(hold, 60_000).then((goesOn) => {
      if (goesOn) resumed++;
      return work.settle();
    });
  }
  await clock.advance(40_000);
  if (resumed === 0) service.violations.push("work that pauses stands in the way of other work that does");
  await clock.advance(25_000);
}

/** Any process can spend what is left of a budget to the last credit: none stays with the dead. */
async function spendAll({ clock, random, running, service }: Scene): Promise<void> {
  const key = anyOf(random, service.keys);
  const hold = service.left(key);
  if (hold <= 0) return;
  const [gate] = anyOf(random, running).gates;
  let answer = "no answer";
  const tell = (decision: Decision) => {
    answer = decision.allowed ? "admitted" : decision.denial.code;
  };
  void gate.authorize({ customerId, agentId: "a", indicator: "i", hold, budgets: [key] }).then(tell);
  await clock.advance(5_000);
  if (answer !== "admitted") service.violations.push(`when all was quiet, ${hold} of ${key}: ${answer}`);
}
