import { type ServiceOnTrial, type TestRunner, testService } from "@creditgate/conformance";
import type { Service, ServiceBalance, ServiceReport } from "@creditgate/core";
import { describe, expect, it } from "vitest";

const later = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A table in memory, each step of which takes a while; what a test breaks is overridden. */
class Table {
  readonly wallets = new Map<string, number>();
  readonly debited = new Map<string, number>();

  nameOf(customerId: string): string {
    return customerId;
  }

  async balance(customerId: string): Promise<unknown> {
    await later();
    const available = this.wallets.get(this.nameOf(customerId));
    return available === undefined ? undefined : { available };
  }

  async report(reports: readonly ServiceReport[]): Promise<unknown> {
    await later();
    const outcomes = reports.map((report) => this.store(report));
    await later();
    return outcomes;
  }

  store({ key, customerId }: ServiceReport): unknown {
    const known = this.wallets.get(this.nameOf(customerId));
    if (known === undefined) return { refused: "no such customer" };
    if (!this.debited.has(key)) this.wallets.set(this.nameOf(customerId), known - 2);
    this.debited.set(key, 2);
    return { credits: 2 };
  }

  /** Debits also what it has. */
  again(reports: readonly ServiceReport[]): unknown {
    for (const { key } of reports) this.debited.delete(key);
    return reports.map((report) => this.store(report));
  }

  topUp(customerId: string, credits: number): void {
    const name = this.nameOf(customerId);
    this.wallets.set(name, (this.wallets.get(name) ?? 0) + credits);
  }
}

function trialOf(table: Table): ServiceOnTrial {
  return {
    service: {
      settles: table instanceof SlowTable ? undefined : "at once",
      balance: (id) => table.balance(id) as Promise<ServiceBalance>,
      report: (reports) => table.report(reports) as Promise<undefined>,
    },
    cost: 2,
    topUp: (id, credits) => table.topUp(id, credits),
  };
}

/** Debits a while after it has stored, and returns what it has not debited. */
class SlowTable extends Table {
  readonly unsettled = new Map<string, number>();
  pending = 0;

  override async balance(customerId: string): Promise<unknown> {
    await later();
    const available = this.wallets.get(customerId);
    return available === undefined ? null : { available, unsettled: this.unsettled.get(customerId) ?? 0 };
  }

  override store({ key, customerId }: ServiceReport): unknown {
    if (!this.wallets.has(customerId)) return { refused: "no such customer" };
    if (this.debited.has(key)) return undefined;
    this.debited.set(key, 2);
    this.unsettled.set(customerId, (this.unsettled.get(customerId) ?? 0) + 2);
    this.pending++;
    setTimeout(() => {
      this.topUp(customerId, -2);
      this.unsettled.set(customerId, (this.unsettled.get(customerId) ?? 0) - 2);
      this.pending--;
    }, 5);
    return undefined;
  }
}

testService("a table", () => trialOf(new Table()), { describe, it });
testService("a table that returns what is unsettled", () => trialOf(new SlowTable()), {
  describe,
  it,
});
testService(
  "a table that hides what is unsettled",
  () => {
    const table = new SlowTable();
    const { service, ...trial } = trialOf(table);
    const balance: Service["balance"] = async (id) => {
      const found = await service.balance(id);
      return found && { available: found.available };
    };
    const settled = async () => {
      while (table.pending > 0) await later();
    };
    return { ...trial, service: { ...service, balance }, settled };
  },
  { describe, it },
);

/** The rules that the table breaks. */
async function broken(create: () => ServiceOnTrial): Promise<readonly string[]> {
  const rules: string[] = [];
  const tests: Promise<void>[] = [];
  const runner: TestRunner = {
    describe: (_name, body) => body(),
    it: (name, body) =>
      tests.push(body().catch((error: Error) => void rules.push(`${name}: ${error.message}`))),
  };
  testService("broken", create, runner);
  await Promise.all(tests);
  return rules;
}

const mutants: { readonly [rule: string]: readonly [what: string, table: () => Table][] } = {
  "returns undefined or null for a customer that it does not know": [
    [
      "an empty wallet for everyone",
      () =>
        new (class extends Table {
          override async balance(id: string) {
            return (await super.balance(id)) ?? { available: 0 };
          }
        })(),
    ],
  ],
  "returns what the wallet has": [
    [
      "text",
      () =>
        new (class extends Table {
          override async balance(id: string) {
            const available = this.wallets.get(id);
            return available === undefined ? undefined : { available: String(available) };
          }
        })(),
    ],
    [
      "the first balance for ever",
      () => {
        const cache = new Map<string, unknown>();
        return new (class extends Table {
          override async balance(id: string) {
            if (!cache.has(id)) cache.set(id, await super.balance(id));
            return cache.get(id);
          }
        })();
      },
    ],
  ],
  "keeps customers apart whose ids are alike": [
    [
      "a collation that ignores case",
      () =>
        new (class extends Table {
          override nameOf(id: string) {
            return id.toLowerCase();
          }
        })(),
    ],
    [
      "a column that drops spaces",
      () =>
        new (class extends Table {
          override nameOf(id: string) {
            return id.trim();
          }
        })(),
    ],
  ],
  "stores a report once, however often its key comes": [
    [
      "no keys",
      () =>
        new (class extends Table {
          override store(report: ServiceReport) {
            return super.store({ ...report, key: crypto.randomUUID() });
          }
        })(),
    ],
  ],
  "stores a report once whose key comes many times at once": [
    [
      "a look for the key before it is stored",
      () =>
        new (class extends Table {
          override async report(reports: readonly ServiceReport[]) {
            const fresh = reports.filter(({ key }) => !this.debited.has(key));
            await later();
            return this.again(fresh);
          }
        })(),
    ],
  ],
  "stores the new reports of a batch whose others it has": [
    [
      "a batch that is skipped if it has one of it",
      () =>
        new (class extends Table {
          override async report(reports: readonly ServiceReport[]) {
            if (reports.some(({ key }) => this.debited.has(key))) return undefined;
            return super.report(reports);
          }
        })(),
    ],
  ],
  "stores each report of batches that overlap, and come at once in any order": [
    [
      "a key for the whole batch",
      () =>
        new (class extends Table {
          override async report(reports: readonly ServiceReport[]) {
            const batch = reports.map(({ key }) => key).join();
            if (this.debited.has(batch)) return undefined;
            this.debited.set(batch, 0);
            return this.again(reports);
          }
        })(),
    ],
  ],
  "loses no debit of reports that come at once": [
    [
      "a balance that is read, lowered and written",
      () =>
        new (class extends Table {
          override async report(reports: readonly ServiceReport[]) {
            const before = new Map(this.wallets);
            await later();
            for (const { customerId } of reports) this.wallets.set(customerId, before.get(customerId) ?? 0);
            return this.again(reports);
          }
        })(),
    ],
  ],
  "takes up to 100 reports in one call": [
    [
      "50",
      () =>
        new (class extends Table {
          override async report(reports: readonly ServiceReport[]) {
            if (reports.length > 50) throw new Error("too many");
            return super.report(reports);
          }
        })(),
    ],
  ],
  "takes a wallet to zero, and not below it by a repeat": [
    [
      "a debit for each repeat of a wallet that is empty",
      () =>
        new (class extends Table {
          override store(report: ServiceReport) {
            if (this.wallets.get(report.customerId) === 0) this.debited.delete(report.key);
            return super.store(report);
          }
        })(),
    ],
  ],
  "stores a report that the wallet cannot pay: its work is done": [
    [
      "a check that the wallet is not below zero",
      () =>
        new (class extends Table {
          override store(report: ServiceReport) {
            if ((this.wallets.get(report.customerId) ?? 0) < 2 && !this.debited.has(report.key))
              return { refused: "not enough credits" };
            return super.store(report);
          }
        })(),
    ],
  ],
  "returns for each report what it debits, also for one that it has": [
    [
      "nothing for a repeat",
      () =>
        new (class extends Table {
          override store(report: ServiceReport) {
            const isKnown = this.debited.has(report.key);
            return isKnown ? { credits: 0 } : super.store(report);
          }
        })(),
    ],
    [
      "an outcome less",
      () =>
        new (class extends Table {
          override async report(reports: readonly ServiceReport[]) {
            const outcomes = (await super.report(reports)) as unknown[];
            return reports.length > 1 ? outcomes.slice(1) : outcomes;
          }
        })(),
    ],
  ],
  "refuses a report of a customer that it does not know, and stores the others of its batch": [
    [
      "an error",
      () =>
        new (class extends Table {
          override async report(reports: readonly ServiceReport[]) {
            for (const { customerId } of reports)
              if (!this.wallets.has(customerId)) throw new Error("no such customer");
            return super.report(reports);
          }
        })(),
    ],
    [
      "success",
      () =>
        new (class extends Table {
          override store(report: ServiceReport) {
            return this.wallets.has(report.customerId) ? super.store(report) : { credits: 2 };
          }
        })(),
    ],
    [
      "outcomes in another order",
      () =>
        new (class extends Table {
          override async report(reports: readonly ServiceReport[]) {
            const outcomes = (await super.report(reports)) as object[];
            return outcomes.sort((a, b) => Number("refused" in a) - Number("refused" in b));
          }
        })(),
    ],
  ],
  "stores a refused report that comes again once its customer is known": [
    [
      "a key that is stored before the refusal",
      () =>
        new (class extends Table {
          override store(report: ServiceReport) {
            const outcome = super.store(report);
            this.debited.set(report.key, 2);
            return outcome;
          }
        })(),
    ],
  ],
  "shows in each balance what it had stored before, and once": [
    [
      "a debit that comes later, though it settles at once",
      () =>
        new (class extends Table {
          override async report(reports: readonly ServiceReport[]) {
            setTimeout(() => this.again(reports), 5);
            return undefined;
          }
        })(),
    ],
    [
      "a replica",
      () => {
        let replica = new Map<string, number>();
        return new (class extends Table {
          override async balance(id: string) {
            const shown = replica;
            replica = new Map(this.wallets);
            const available = shown.get(id) ?? this.wallets.get(id);
            return available === undefined ? undefined : { available };
          }
        })();
      },
    ],
  ],
  "lets a gate serve what a wallet can pay for, not more, and all of it if nothing is hidden": [
    [
      "twice the price",
      () =>
        new (class extends Table {
          override store(report: ServiceReport) {
            const isKnown = this.debited.has(report.key);
            const outcome = super.store(report);
            if (!isKnown && this.debited.size > 70) this.topUp(report.customerId, -2);
            return outcome;
          }
        })(),
    ],
  ],
};

describe("testService", () => {
  for (const [rule, tables] of Object.entries(mutants)) {
    for (const [what, create] of tables) {
      it(`fails ${what}: it ${rule}`, async () => {
        expect((await broken(() => trialOf(create()))).some((one) => one.startsWith(`${rule}:`))).toBe(true);
      });
    }
  }

  it("asks for settled() of a service that hides what is unsettled", async () => {
    const { service, ...trial } = trialOf(new Table());
    const rules = await broken(() => ({ ...trial, service: { ...service, settles: undefined } }));
    expect(rules).toContainEqual(expect.stringContaining("settled: expected a function of the trial"));
  });

  it("has a mutant for each of its rules", async () => {
    const rules: string[] = [];
    testService("", () => trialOf(new Table()), {
      describe: (_name, body) => body(),
      it: (name) => rules.push(name),
    });
    expect(Object.keys(mutants)).toEqual(rules);
  });

  it("fails a service that counts what is unsettled in no balance, and ends its trial", async () => {
    let closed = 0;
    const rules = await broken(() => {
      const table = new SlowTable();
      const { service, ...trial } = trialOf(table);
      const balance: Service["balance"] = async (id) => {
        const found = await service.balance(id);
        return found && { available: found.available, unsettled: 0 };
      };
      return { ...trial, service: { ...service, balance }, close: () => void closed++ };
    });
    expect(
      rules.some((one) => one.startsWith("shows in each balance what it had stored before, and once:")),
    ).toBe(true);
    expect(closed).toBe(Object.keys(mutants).length);
  });
});
