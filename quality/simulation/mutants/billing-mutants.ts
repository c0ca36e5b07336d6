import { type Mutant, patch } from "./mutant.ts";

const reporter = "core/src/delivery/outbox-delivery.ts";
const repeats = "core/src/delivery/repeats.ts";
const acknowledged = "report.acknowledge(this.#options.settlementLagMs)";
const buried = "outbox.bury(report, String(error))";
const parked = "outbox.park(report, String(error))";
const released = "this.#options.outbox.release(reports);";

/** Mistakes on the way from the end of the work to the service. */
export const billingMutants: readonly Mutant[] = [
  {
    name: "release at settle before the append",
    seed: 20,
    patches: [
      patch(
        "core/src/charge/billing.ts",
        "return reports.length > 0 ?",
        "void this.#release(part); return reports.length > 0 ?",
      ),
    ],
  },
  {
    name: "what a pause bills is dropped",
    patches: [
      patch(
        "core/src/charge/charge.ts",
        "this.#billing.settlePart(this.#admitted.part(), reports)",
        "this.#billing.settlePart(this.#admitted.part(), [])",
      ),
    ],
  },
  {
    name: "what goes on after a pause has the key of what was billed",
    patches: [
      patch("core/src/charge/admitted-work.ts", "this.work = { ...work", "void { ...work"),
      patch("core/src/charge/admitted-work.ts", "      this.work = work;\n      this", "      this"),
    ],
  },
  {
    name: "work that was let in for more is counted for less",
    patches: [
      patch(
        "core/src/charge/charge.ts",
        "shareRest(this.#reports, this.#admitted.held);",
        "shareRest(this.#reports, this.#admitted.work.hold);",
      ),
    ],
  },
  {
    name: "more is let in, and not held",
    patches: [
      patch(
        "core/src/charge/extension.ts",
        "admitted.add(work, account, hold);",
        "admitted.add(work, account, hold); account?.release(hold);",
      ),
    ],
  },
  {
    name: "dead letters leave U after L",
    patches: [patch(reporter, buried, `(${acknowledged}, ${buried})`)],
  },
  {
    name: "parked reports leave U after L",
    patches: [patch(repeats, parked, `(${acknowledged}, ${parked})`)],
  },
  {
    name: "the lag counted from the sending of the report",
    patches: [
      patch(
        reporter,
        "const sentAt = clock.now();",
        `const sentAt = clock.now(); for (const report of reports) ${acknowledged};`,
      ),
    ],
  },
  {
    name: "a report may be sent before its entry is in the ledger",
    patches: [
      patch(reporter, released, ""),
      patch(
        reporter,
        "return this.#options.outbox.append(reports, workId);",
        `const stored = this.#options.outbox.append(reports, workId);
         ${released}
         this.#drain();
         return stored;`,
      ),
    ],
  },
  {
    name: "what may have been processed is repeated without keys",
    seed: 23,
    patches: [
      patch(
        "core/src/delivery/delivery-options.ts",
        'return ambiguous === "retry" || (ambiguous === "auto" && honoursKeys);',
        "return true;",
      ),
    ],
  },
  {
    name: "what may have been processed counts as delivered",
    patches: [
      patch(
        "core/src/service/outcome.ts",
        "const outcome = failureOf(error, service);",
        `const outcome = failureOf(error, service);
         if (outcome === "ambiguous") return { outcome: "delivered", honoursKeys: false };`,
      ),
    ],
  },
  {
    name: "parked reports stay parked when the service is known to honour keys",
    seed: 181,
    patches: [patch(repeats, "await outbox.unpark();", ";")],
  },
  {
    name: "what one gate has learnt about keys does not reach the others",
    patches: [
      patch("core/src/service/known-service.ts", "for (const listener of this.#listeners) listener();", ""),
    ],
    options: {
      scenario: {
        gates: ["credits", "credits", "credits"],
        ambiguous: "auto",
        honoursKeys: true,
        faultRate: 0.5,
        actions: 12,
      },
    },
  },
  {
    name: "a new key for each attempt",
    seed: 7,
    patches: [
      patch("core/src/service/control-plane.ts", "const { id } = report;", "const id = crypto.randomUUID();"),
    ],
  },
  {
    name: "what was never sent is given up",
    patches: [
      patch(
        "core/src/service/outcome.ts",
        'case "not_sent":\n      return "unprocessed";',
        'case "not_sent":\n      return "undeliverable";',
      ),
    ],
  },
  {
    name: "a caller who is refused loses the report",
    seed: 8,
    patches: [
      patch(
        "core/src/service/outcome.ts",
        'return status > 401 ? "unprocessed" : "refused";',
        'return "undeliverable";',
      ),
    ],
  },
  {
    name: "an append that fails is given up",
    patches: [
      patch(
        "core/src/charge/billing.ts",
        "for (let failures = 1; ;",
        "for (let failures = 1; failures === 1;",
      ),
    ],
  },
  {
    name: "late reports are dropped",
    patches: [patch("core/src/charge/charge.ts", "const billed = !this.#replaced;", "const billed = false;")],
  },
  {
    name: "late reports reserve nothing",
    seed: 16,
    patches: [
      patch(
        "core/src/charge/charge.ts",
        "shareRest([report], this.#admitted.held);",
        "shareRest([report], 0);",
      ),
    ],
  },
  {
    name: "reports without a price reserve nothing",
    patches: [patch("core/src/charge/bill.ts", "Math.max(0, rest)", "0")],
  },
  {
    name: "reports without a price reserve the whole hold each time",
    patches: [patch("core/src/charge/bill.ts", "Math.max(0, rest)", "hold")],
  },
  {
    name: "a second settle bills again",
    patches: [
      patch(
        "core/src/charge/charge.ts",
        "if (this.open) {\n      const replacing",
        "if (this.#abandoned === undefined) {\n      const replacing",
      ),
    ],
  },
  {
    name: "release after settle",
    seed: 35,
    patches: [
      patch(
        "core/src/charge/charge.ts",
        "#release(): void {",
        "#release(): void { void this.#billing.settle(this.#admitted, none);",
      ),
    ],
  },
  {
    name: "a release bills what was reported",
    patches: [patch("core/src/charge/charge.ts", "this.#reports = none;\n    void", "void")],
  },
  {
    name: "costs are rounded down",
    seed: 25,
    patches: [patch("core/src/charge/charge.ts", 'toMicro(credits, "ceil")', 'toMicro(credits, "floor")')],
  },
  {
    name: "reports without a price lose what prices are rounded up by",
    seed: 68,
    patches: [patch("core/src/charge/bill.ts", "rest -= entry.priced;", "rest -= entry.amount;")],
    // A micro-credit shows only where a wallet has few, and usage stays unconfirmed for long.
    options: { scenario: { unit: 1, lagMs: 10_000, max: 10, faultRate: 0, outages: [], outsiders: false } },
  },
];
