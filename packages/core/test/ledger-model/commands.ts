import fc from "fast-check";
import { expect } from "vitest";
import type { Hold } from "../../src/adapter/index.ts";
import type { Clock, Ledger } from "../../src/index.ts";
import type { Entry, Report } from "../../src/outbox/report.ts";
import { type LedgerModel, lagMs, maxStaleMs, type Real } from "./ledger-model.ts";
import { ModelEntry, type ModelReport } from "./model-entry.ts";

/** The sources on trial: those of core, or a mutant's. */
export interface Sources {
  readonly createMemoryLedger: (clock: Clock) => Ledger;
  readonly Entry: typeof Entry;
  readonly Report: typeof Report;
}

export type Command = fc.AsyncCommand<LedgerModel, Real>;

/** Reports that share an amount: what it is, and what each of them costs, at most the amount together. */
interface Work {
  readonly amount: number;
  readonly costs: readonly number[];
  /** Whether a queue takes them, which tells nothing. */
  readonly queued: boolean;
}

function command(
  name: string,
  run: (model: LedgerModel) => unknown,
  check: (model: Readonly<LedgerModel>) => boolean = () => true,
): Command {
  return {
    check,
    async run(model) {
      await run(model);
      model.check();
    },
    toString: () => name,
  };
}

/** One of what there is: any number chooses. */
function chosen<T>(from: readonly T[], choice: number): T | undefined {
  return from[choice % from.length];
}

/** Takes one of what there is. */
function taken<T>(from: T[], choice: number): T | undefined {
  return from.splice(choice % from.length, 1)[0];
}

const choice = fc.nat(1_000);
const amounts = fc.integer({ min: 1, max: 60 });
const costs = fc.array(fc.nat(30), { minLength: 1, maxLength: 3 });
/** Three of four go to the service itself. */
const deliveries = fc.nat(3).map((one) => one === 3);
const hasReports = (model: Readonly<LedgerModel>) => model.entries.length > 0;
const hasHolds = (model: Readonly<LedgerModel>) => model.holds.length > 0;
const hasRequests = (model: Readonly<LedgerModel>) => model.requests.length > 0;

/** Everything that can happen to the ledger of one wallet, in any order. */
export function commandsFor({ Entry, Report }: Sources): fc.Arbitrary<Iterable<Command>> {
  function settle(model: LedgerModel, held: Hold | undefined, works: readonly Work[]): void {
    const { account } = model.real;
    if (held !== undefined) model.ended.push(held);
    const usages = account.settle(
      held,
      works.map(({ amount }) => amount),
    );
    for (const [index, { amount, costs: all, queued }] of works.entries()) {
      const entry = new Entry(model.newId(), amount);
      let left = amount;
      const reports = all.map((one): ModelReport => {
        const cost = Math.min(left, one);
        left -= cost;
        entry.join();
        const about = {
          customerId: "ada",
          agentId: "chat",
          indicator: "message",
          rawUsage: {},
          currency: "credits",
        };
        const real = new Report({ id: model.newId(), ...about }, entry);
        return { real, cost, queued, accepted: false, debited: false, acknowledgedAt: undefined };
      });
      entry.record(account, usages[index]);
      model.entries.push(new ModelEntry(amount, reports));
    }
  }

  const hold = fc.tuple(amounts, fc.nat(300)).map(([amount, ageMs]) =>
    command(`hold ${amount} on news of at most ${ageMs} ms`, async (model) => {
      const notBefore = model.real.clock.now() - ageMs;
      const expected = model.admits(amount, notBefore);
      const answer = await model.real.account.hold(amount, "prepaid", notBefore);
      expect(answer.admitted).toBe(expected);
      if (!answer.admitted) return;
      model.holds.push(answer);
      model.checkReserve();
    }),
  );

  const holdWhatIsLeft = fc.tuple(amounts, fc.nat(300), fc.nat(59)).map(([most, ageMs, less]) => {
    const least = Math.max(1, most - less);
    return command(`hold ${least} to ${most} on news of at most ${ageMs} ms`, async (model) => {
      const notBefore = model.real.clock.now() - ageMs;
      const expected = model.admits(least, notBefore) ? Math.min(most, model.room) : undefined;
      const answer = await model.real.account.hold(most, "prepaid", notBefore, undefined, least);
      expect(answer.admitted ? answer.amount : undefined).toBe(expected);
      if (!answer.admitted) return;
      model.holds.push(answer);
      model.checkReserve();
    });
  });

  const settleHold = fc
    .tuple(choice, fc.array(fc.tuple(amounts, fc.nat(60)), { maxLength: 2 }), costs, deliveries)
    .map(([which, priced, shared, queued]) =>
      command(
        `settle (${which}) with reports of [price, cost] ${JSON.stringify(priced)}, and ${shared} in one entry${queued ? ", by a queue" : ""}`,
        (model) => {
          const held = taken(model.holds, which);
          if (held === undefined) return;
          let rest = held.amount;
          const works: Work[] = priced.map(([price, cost]) => {
            const amount = Math.min(rest, price);
            rest -= amount;
            return { amount, costs: [cost], queued };
          });
          settle(
            model,
            held,
            rest > 0 || works.length === 0 ? [...works, { amount: rest, costs: shared, queued }] : works,
          );
        },
        hasHolds,
      ),
    );

  const settleLate = fc.tuple(amounts, costs, deliveries).map(([amount, each, queued]) =>
    command(`late reports of ${each} for ${amount}${queued ? ", by a queue" : ""}`, (model) =>
      // The work of a hold that has ended may report again.
      settle(model, chosen(model.ended, amount), [{ amount, costs: each, queued }]),
    ),
  );

  const release = choice.map((which) =>
    command(
      `release (${which})`,
      (model) => {
        const held = taken(model.holds, which);
        if (held === undefined) return;
        model.ended.push(held);
        model.real.account.release(held);
      },
      hasHolds,
    ),
  );

  const releaseAgain = choice.map((which) =>
    command(
      `release what has ended (${which})`,
      (model) => {
        const held = chosen(model.ended, which);
        if (held !== undefined) model.real.account.release(held);
      },
      (model) => model.ended.length > 0,
    ),
  );

  const accept = choice.map((which) =>
    command(
      `the service accepts (${which})`,
      (model) => {
        const report = chosen(model.reports, which);
        if (report !== undefined) report.accepted = true;
      },
      hasReports,
    ),
  );

  const acknowledge = fc.tuple(choice, fc.boolean()).map(([which, reported]) =>
    command(
      `acknowledge (${which})${reported ? ", and tell its cost" : ""}`,
      (model) => {
        const entry = chosen(
          model.entries.flatMap((one) => one.reports.map(() => one)),
          which,
        );
        const report = chosen(model.reports, which);
        if (entry === undefined || report === undefined) return;
        const byQueue = report.queued;
        const extended = reported && !byQueue;
        report.real.acknowledge(lagMs, extended ? report.cost : undefined, byQueue);
        if (report.acknowledgedAt !== undefined) return;
        if (!byQueue) report.accepted = true;
        report.acknowledgedAt = model.time;
        const end = { at: model.real.clock.now(), after: model.permitted, byQueue };
        const own = entry.acknowledge(report, extended, end);
        if (own !== undefined) model.entries.push(own);
      },
      hasReports,
    ),
  );

  const debit = choice.map((which) =>
    command(
      `debit (${which})`,
      (model) => {
        const report = chosen(
          model.reports.filter(({ accepted }) => accepted),
          which,
        );
        if (report !== undefined) report.debited = true;
      },
      hasReports,
    ),
  );

  const topUp = amounts.map((amount) =>
    command(`top-up of ${amount}`, (model) => {
      model.funds += amount;
    }),
  );

  const pass = fc
    .oneof(fc.nat(20), fc.constant(lagMs), fc.nat(3 * lagMs), fc.nat(100 * lagMs))
    .map((ms) => command(`${ms} ms pass`, (model) => model.pass(ms)));

  const beginRefresh = fc.boolean().map((extended) =>
    command(`ask for the balance, of a ${extended ? "new" : "old"} replica`, async (model) => {
      const permit = await model.real.account.beginRefresh(model.real.clock.now());
      if (!("go" in permit)) throw new Error("a balance request of one process never waits");
      expect(permit.go.stamp).toBe(model.real.clock.now());
      model.beginRefresh(permit.go, extended);
    }),
  );

  const look = choice.map((which) =>
    command(
      `the service looks up what it will answer (${which})`,
      (model) => {
        const request = chosen(model.requests, which);
        if (request !== undefined) request.seen ??= model.read();
      },
      hasRequests,
    ),
  );

  const answer = fc.tuple(choice, fc.nat(9)).map(([which, luck]) =>
    command(
      `${luck === 0 ? "no answer" : "an answer"} comes in (${which})`,
      async (model) => {
        const request = taken(model.requests, which);
        if (request === undefined) return;
        const { real, extended, seen = model.read() } = request;
        const { capacity, unsettled } = seen;
        const update = { prepaid: capacity, postpaid: 0, unsettled: extended ? unsettled : undefined };
        if (luck > 0) model.install(request, seen);
        await model.real.account.install(real, luck > 0 ? update : undefined, maxStaleMs);
      },
      hasRequests,
    ),
  );

  return fc.commands(
    [
      hold,
      hold,
      holdWhatIsLeft,
      settleHold,
      settleLate,
      release,
      releaseAgain,
      accept,
      acknowledge,
      acknowledge,
      debit,
      topUp,
      pass,
      beginRefresh,
      beginRefresh,
      look,
      answer,
      answer,
    ],
    { maxCommands: 80, size: "max" },
  );
}
