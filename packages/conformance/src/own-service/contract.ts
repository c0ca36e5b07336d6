import type { Awaitable } from "@creditgate/core";
import type { TestRunner } from "../ledger/contract.ts";
import { ServiceBench, type ServiceOnTrial, same } from "./bench.ts";
import { outcomes } from "./outcomes.ts";

/**
 * The contract of {@link Service}: declares a suite of tests with the runner, each of them on a trial of its own. Trials may share a
 * database: no two rules have a customer in common. They take real time, a second in all where a call takes a millisecond.
 */
export function testService(name: string, create: () => Awaitable<ServiceOnTrial>, runner: TestRunner): void {
  runner.describe(`the service contract: ${name}`, () => {
    for (const [rule, check] of Object.entries({ ...storage, ...outcomes })) {
      runner.it(rule, async () => {
        const trial = await create();
        try {
          await check(new ServiceBench(trial));
        } finally {
          await trial.close?.();
        }
      });
    }
  });
}

type Rules = { readonly [rule: string]: (bench: ServiceBench) => Promise<void> };

/** The rules on what is stored and debited. */
const storage: Rules = {
  async "returns undefined or null for a customer that it does not know"(bench) {
    same("the wallet", await bench.wallet(bench.id("nobody")), undefined);
  },

  async "returns what the wallet has"(bench) {
    const ada = await bench.customer("ada", 10);
    same("reports that it can pay for", await bench.left(ada), 10);
    await bench.topUp(ada, 5);
    same("reports that it can pay for after a top-up", await bench.left(ada), 15);
    await bench.send(bench.reports(ada, 2));
    same("reports that it can pay for after two", await bench.left(ada), 13);
  },

  async "keeps customers apart whose ids are alike"(bench) {
    const names = ["ada", "Ada", "ada ", "ada%", "ad_", "a'--", "__proto__", "ädä", "a\\a", '{"a":1}'];
    const ids = await Promise.all(names.map((name) => bench.customer(name, 10)));
    for (const [index, id] of ids.entries()) await bench.send(bench.reports(id, index));
    for (const [index, id] of ids.entries()) same(id, await bench.left(id), 10 - index);
  },

  async "stores a report once, however often its key comes"(bench) {
    const ada = await bench.customer("ada", 10);
    const report = bench.report(ada);
    for (let times = 0; times < 3; times++) await bench.send([report]);
    same("reports that it can pay for", await bench.left(ada), 9);
  },

  async "stores a report once whose key comes many times at once"(bench) {
    const ada = await bench.customer("ada", 10);
    const report = bench.report(ada);
    await Promise.all(Array.from({ length: 20 }, () => bench.send([report])));
    same("reports that it can pay for", await bench.left(ada), 9);
  },

  async "stores the new reports of a batch whose others it has"(bench) {
    const ada = await bench.customer("ada", 10);
    const [first, second, third] = bench.reports(ada, 3);
    if (first === undefined || second === undefined || third === undefined) return;
    await bench.send([first, second]);
    await bench.send([second, third, first]);
    same("reports that it can pay for", await bench.left(ada), 7);
  },

  async "stores each report of batches that overlap, and come at once in any order"(bench) {
    const ada = await bench.customer("ada", 100);
    const bob = await bench.customer("bob", 100);
    const reports = [...bench.reports(ada, 10), ...bench.reports(bob, 10)];
    const batches = [reports, [...reports].reverse(), reports.slice(5, 15), reports.slice(8, 20)];
    await Promise.all([...batches, ...batches].map((batch) => bench.send(batch)));
    same("reports that one can pay for", await bench.left(ada), 90);
    same("reports that the other can pay for", await bench.left(bob), 90);
  },

  async "loses no debit of reports that come at once"(bench) {
    const ada = await bench.customer("ada", 100);
    await Promise.all(bench.reports(ada, 50).map((report) => bench.send([report])));
    same("reports that it can pay for", await bench.left(ada), 50);
  },

  async "takes up to 100 reports in one call"(bench) {
    const ada = await bench.customer("ada", 100);
    const outcomes = await bench.send(bench.reports(ada, 100));
    same("outcomes", outcomes.length, 100);
    same("reports that it can pay for", await bench.left(ada), 0);
  },

  async "takes a wallet to zero, and not below it by a repeat"(bench) {
    const ada = await bench.customer("ada", 3);
    const reports = bench.reports(ada, 3);
    await Promise.all([...reports, ...reports, ...reports].map((report) => bench.send([report])));
    await bench.send(reports);
    same("reports that it can pay for", await bench.left(ada), 0);
  },

  async "stores a report that the wallet cannot pay: its work is done"(bench) {
    const ada = await bench.customer("ada", 1);
    for (const { outcome } of await bench.send(bench.reports(ada, 2))) same("outcome", outcome, "delivered");
    const left = await bench.left(ada);
    if (left > 0) throw new Error(`reports that it can pay for: expected 0 or fewer, received ${left}`);
  },
};
