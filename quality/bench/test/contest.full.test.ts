import { expect, it } from "vitest";
import { startApplication } from "../src/contest/application.ts";
import { byHand } from "../src/contest/by-hand.ts";
import { Client } from "../src/contest/client.ts";
import type { Contestant } from "../src/contest/contestant.ts";
import { creditgate } from "../src/contest/creditgate.ts";
import {
  type Effort,
  measureCalls,
  measureLeaving,
  measureOutage,
  measureOverspend,
  measureStreams,
} from "../src/contest/measures.ts";
import { startService } from "../src/contest/service.ts";

const effort: Effort = {
  requests: 40,
  rounds: 1,
  streams: 2,
  outageMs: 500,
  pauseMs: 0,
  billedWithinMs: 500,
  caughtUpWithinMs: 20_000,
};

/** The contest without the packages of others, in one process. */
async function contest(contestant: Contestant, of: Effort) {
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  const service = await startService(contestant);
  const application = await startApplication(contestant, service.url);
  const client = new Client(contestant, application.url, service.url);
  try {
    return {
      overspend: await measureOverspend(client, of),
      calls: await measureCalls(client, { ...of, billedWithinMs: 20_000 }),
      whole: await measureStreams(client, { ...of, billedWithinMs: 20_000 }),
      left: await measureLeaving(client, of),
      outage: await measureOutage(client, "fail", of),
    };
  } finally {
    await client.close();
    application.stop();
    service.stop();
  }
}

it.concurrent("the contest finds no leak of the gate", async () => {
  const { overspend, calls, whole, left, outage } = await contest(creditgate, {
    ...effort,
    billedWithinMs: 10_000,
  });
  expect(overspend).toEqual({ first: 0, later: 0 });
  expect(calls).toBeLessThan(2_000);
  expect([whole.generated, whole.billed]).toEqual([200, 200]);
  expect(left.generated).toBeGreaterThan(0);
  expect(left.billed).toBeGreaterThan(0);
  expect(left.billed).toBeLessThanOrEqual(left.generated);
  expect([outage.chat.lost, outage.stream.lost]).toEqual([0, 0]);
  const statuses = [...outage.warm, ...outage.cold, ...outage.after].map(({ status }) => status);
  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
}, 180_000);

it.concurrent("and those of a check written by hand", async () => {
  const { overspend, calls, whole, left, outage } = await contest(byHand, {
    ...effort,
    caughtUpWithinMs: 500,
  });
  expect(overspend.later).toBeGreaterThan(0);
  expect(calls).toBe(2_000);
  expect([whole.generated, whole.billed]).toEqual([200, 200]);
  expect(left.generated).toBeGreaterThan(0);
  expect(left.billed).toBe(0);
  expect(outage.stream.lost).toBeGreaterThan(0);
  expect(outage.warm.some(({ status }) => status === 500)).toBe(true);
}, 180_000);
