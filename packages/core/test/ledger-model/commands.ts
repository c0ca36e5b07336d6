import fc from "fast-check";
import { expect } from "vitest";
import { type Entry, type LedgerModel, lagMs, maxStaleMs } from "./ledger-model.ts";

type Command = fc.AsyncCommand<LedgerModel, LedgerModel["real"]>;

function command(
  name: string,
  run: (model: LedgerModel) => Promise<void>,
  check: (model: Readonly<LedgerModel>) => boolean = () => true,
): Command {
  return {
    check,
    async run(model) {
      await run(model);
      await model.check();
    },
    toString: () => name,
  };
}

/** One of what there is: any number chooses. */
function chosen<T>(from: readonly T[], choice: number): T | undefined {
  return from[choice % from.length];
}

function reportsOf(model: LedgerModel) {
  return model.entries.flatMap((entry) => entry.reports.map((report) => ({ entry, report })));
}

/** An entry whose reports cost at most its amount together. */
function newEntry(model: LedgerModel, amount: number, shares: readonly number[]): Entry {
  let left = amount;
  const reports = shares.map((share) => {
    const cost = Math.min(left, share);
    left -= cost;
    return { id: model.newId(), cost, acknowledgedAt: undefined, debited: false };
  });
  return { id: model.newId(), amount, reports, unconfirmed: true };
}

async function settle(
  model: LedgerModel,
  holdId: string | undefined,
  entries: readonly Entry[],
): Promise<void> {
  if (holdId !== undefined) model.holds.delete(holdId);
  model.entries.push(...entries);
  const recorded = entries.map(({ id, amount, reports }) => ({
    id,
    amount,
    reports: reports.map((one) => one.id),
  }));
  await model.real.account.settle(holdId, recorded);
}

const choice = fc.nat(1_000);
const amounts = fc.integer({ min: 1, max: 60 });
const shares = fc.array(fc.nat(30), { minLength: 1, maxLength: 3 });

const hold = fc.tuple(amounts, fc.nat(300)).map(([amount, ageMs]) =>
  command(`hold ${amount} on news of at most ${ageMs} ms`, async (model) => {
    const request = { id: model.newId(), amount, kind: "prepaid", notBefore: model.now - ageMs } as const;
    const expected = model.admits(amount, request.notBefore);
    const { admitted } = await model.real.account.hold(request);
    expect(admitted).toBe(expected);
    if (!admitted) return;
    model.holds.set(request.id, amount);
    model.checkReserve();
  }),
);

const holdAgain = choice.map((which) =>
  command(
    `the same hold again (${which})`,
    async (model) => {
      const [id, amount] = chosen([...model.holds], which) ?? ["", 0];
      const wish = { id, amount, kind: "prepaid", notBefore: model.now } as const;
      expect((await model.real.account.hold(wish)).admitted).toBe(true);
    },
    ({ holds }) => holds.size > 0,
  ),
);

const settleHold = fc.tuple(choice, shares, shares).map(([which, priced, shared]) =>
  command(
    `settle (${which}) with reports of ${priced}, and ${shared} in one entry`,
    async (model) => {
      const [id, amount] = chosen([...model.holds], which) ?? ["", 0];
      let rest = amount;
      const entries = priced.map((price) => {
        const entry = newEntry(model, Math.min(rest, price), [price]);
        rest -= entry.amount;
        return entry;
      });
      await settle(model, id, [...entries, newEntry(model, rest, shared)]);
    },
    ({ holds }) => holds.size > 0,
  ),
);

const settleLate = amounts.map((amount) =>
  command(`a late report for ${amount}`, (model) =>
    settle(model, undefined, [newEntry(model, amount, [amount])]),
  ),
);

const release = choice.map((which) =>
  command(
    `release (${which})`,
    async (model) => {
      const id = chosen([...model.holds.keys()], which) ?? "";
      model.holds.delete(id);
      await model.real.account.release(id);
    },
    ({ holds }) => holds.size > 0,
  ),
);

const acknowledge = choice.map((which) =>
  command(
    `acknowledge (${which})`,
    async (model) => {
      const found = chosen(reportsOf(model), which);
      if (found === undefined) return;
      const { entry, report } = found;
      report.acknowledgedAt ??= model.now;
      await model.real.account.acknowledge(entry.id, report.id, lagMs);
    },
    ({ entries }) => entries.length > 0,
  ),
);

const debit = choice.map((which) =>
  command(
    `debit (${which})`,
    async (model) => {
      const found = chosen(reportsOf(model), which);
      if (found !== undefined) found.report.debited = true;
    },
    ({ entries }) => entries.length > 0,
  ),
);

const topUp = amounts.map((amount) =>
  command(`top-up of ${amount}`, async (model) => {
    model.funds += amount;
  }),
);

const pass = fc.oneof(fc.nat(20), fc.constant(lagMs), fc.nat(3 * lagMs), fc.nat(100 * lagMs)).map((ms) =>
  command(`${ms} ms pass`, async (model) => {
    await model.real.clock.advance(ms);
    model.debitWhatIsDue();
  }),
);

const ask = fc.constant(
  command("ask for the balance", async (model) => {
    model.requests.push({ stamp: model.now, capacity: undefined });
  }),
);

const look = choice.map((which) =>
  command(
    `the service looks up what it will answer (${which})`,
    async (model) => {
      const request = chosen(model.requests, which);
      if (request !== undefined) request.capacity ??= model.capacity;
    },
    ({ requests }) => requests.length > 0,
  ),
);

const answer = choice.map((which) =>
  command(
    `an answer comes in (${which})`,
    async (model) => {
      const [request] = model.requests.splice(which % model.requests.length, 1);
      if (request === undefined) return;
      const { stamp, capacity = model.capacity } = request;
      model.install(stamp, capacity);
      await model.real.account.install({ stamp, prepaid: capacity, postpaid: 0 }, maxStaleMs);
    },
    ({ requests }) => requests.length > 0,
  ),
);

/** Everything that can happen to the ledger of one wallet, in any order. */
export const commands: fc.Arbitrary<Iterable<Command>> = fc.commands(
  [
    hold,
    hold,
    holdAgain,
    settleHold,
    settleLate,
    release,
    acknowledge,
    debit,
    topUp,
    pass,
    ask,
    look,
    answer,
    answer,
  ],
  { maxCommands: 80, size: "max" },
);
