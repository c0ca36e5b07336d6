import { type Mutant, patch } from "./mutant.ts";

const ledger = "core/src/wallet/memory-ledger.ts";
const headroom = "core/src/wallet/headroom.ts";
const report = "core/src/outbox/report.ts";
const model = "the model of the ledger";
const contract = "the contract of ledgers";

const left = "limit - this.held - this.used";
const take = "limit === undefined ? undefined : this.take(amount, limit, least)";
const taken = `return (${take}) ?? this.figures(kind);`;
const seen = "if (sum.provenAt >= stamp) {";
const dropped = "this.forget(stamp, shown);";
const compared = "const shown = {";
const shownNow = "this.#shown ?? { prepaid: 0, postpaid: 0, countedFrom: 0 }";
const included = "shown.prepaid = shown.postpaid = sumOf(this.#acknowledged, ({ after }) => after < number);";

/** Mistakes in the ledger of one wallet. */
export const ledgerMutants: readonly Mutant[] = [
  {
    name: "cached balance > 0",
    patches: [patch(ledger, taken, taken.replace("limit,", "limit > 0 ? Number.POSITIVE_INFINITY : 0,"))],
  },
  { name: "no holds", patches: [patch(headroom, left, "limit - this.used")] },
  { name: "no unconfirmed usage", patches: [patch(headroom, left, "limit - this.held")] },
  {
    name: "what is outstanding must leave something, not enough",
    patches: [patch(headroom, "if (least > left)", "if (left <= 0)")],
  },
  {
    name: "what is left is held as if it were all",
    patches: [patch(headroom, "const taken = least === amount ? amount :", "const taken = amount ||")],
  },
  {
    name: "usage dropped at acknowledgement",
    patches: [
      patch(
        ledger,
        "if (share === undefined) return;",
        "if (share !== undefined) this.used -= share.amount; return;",
      ),
    ],
  },
  {
    name: "the lag counted from the end of the work",
    patches: [
      patch(
        ledger,
        "  beginRefresh(): RefreshPermit {",
        `  override settle(hold: Hold | undefined, amounts: readonly number[]) {
             const usages = super.settle(hold, amounts);
             for (const usage of usages) this.acknowledge(usage, 5_000);
             return usages;
           }
           beginRefresh(): RefreshPermit {`,
      ),
    ],
  },
  {
    name: "the lag of several acknowledgements counted from the first",
    seed: 34,
    patches: [patch(ledger, "last.provenAt = Math.max(last.provenAt, provenAt);", "")],
  },
  {
    name: "usage leaves by time, without a snapshot that shows it",
    seed: 8,
    patches: [patch(ledger, taken, `this.forget(this.#shared.clock.now(), ${shownNow}); ${taken}`)],
  },
  { name: "every snapshot drops all acknowledged usage", patches: [patch(ledger, seen, "if (false) {")] },
  {
    name: "`<=` where a clock shows an acknowledgement and a request at one instant",
    patches: [patch(ledger, seen, "if (sum.provenAt > stamp) {")],
    directed: model,
  },
  { name: "usage is never dropped", patches: [patch(ledger, seen, "if (true) {")] },
  {
    name: "what a snapshot shows stays shown when its usage is dropped",
    seed: 18,
    patches: [patch(ledger, "shown.prepaid = Math.max(0, shown.prepaid - sum.amount);", "")],
  },
  {
    name: "a rise of the funds is taken for usage that they show",
    seed: 21,
    patches: [patch(ledger, "Math.max(0, fall)", "Math.abs(fall)")],
  },
  {
    name: "what is certain to be shown is dropped before the snapshots are compared",
    patches: [
      patch(ledger, dropped, ""),
      patch(ledger, compared, `this.forget(stamp, ${shownNow}); ${compared}`),
    ],
    directed: model,
  },
  {
    name: "what is shown is taken from a snapshot that may be older than it looks",
    patches: [patch(ledger, "number > this.#requestsBefore", "true")],
    directed: model,
  },
  {
    name: "what the funds have fallen by is taken for usage for ever",
    patches: [patch(ledger, "stamp - countedFrom <= maxStaleMs", "true")],
    directed: model,
  },
  {
    name: "what the funds have fallen by stays shown beside what a service reports",
    patches: [
      patch(ledger, "!extended &&\n      !this.#extended &&", ""),
      patch(ledger, included, included.replace("shown.prepaid = shown.postpaid =", "shown.prepaid +=")),
    ],
    directed: model,
  },
  {
    name: "what an extended answer reports is compared with one that is not extended",
    patches: [patch(ledger, "!this.#extended &&", "")],
    directed: model,
  },
  {
    name: "an entry forgotten when a telling answer shows it",
    patches: [
      patch(ledger, seen, "if (sum.provenAt >= stamp && !(this.#extended && sum.after < this.#number)) {"),
    ],
    directed: model,
  },
  {
    name: "unsettled usage is not taken from the funds",
    patches: [patch(ledger, "capacity - unsettled", "capacity")],
    directed: model,
  },
  {
    name: "what was acknowledged since the request left counts as reported",
    patches: [patch(ledger, "after < number", "after <= number")],
    directed: model,
  },
  {
    name: "a telling answer counts all that is acknowledged by now",
    patches: [patch(ledger, "after < number", "after < this.#requests")],
    directed: model,
  },
  {
    name: "what a telling answer includes is counted again",
    patches: [patch(ledger, included, "shown.prepaid = shown.postpaid = 0;")],
    directed: model,
  },
  {
    name: "what was acknowledged since the request left is not called recent",
    patches: [patch(ledger, "after >= this.#number)", "after > this.#number)")],
    directed: model,
  },
  {
    name: "a queue's acceptance taken for an acknowledgement",
    patches: [patch(ledger, "byQueue ? amount : 0", "0")],
    directed: model,
  },
  {
    name: "hold TTL shorter than the work",
    patches: [
      patch(
        ledger,
        taken,
        `const held = ${take.replace(", least", "")};
         if (held !== undefined) this.#shared.clock.schedule(1_000, () => this.release(held));
         return held ?? this.figures(kind);`,
      ),
    ],
  },
  { name: "a hold is left behind by settle", patches: [patch(headroom, "this.release(hold);", "")] },
  {
    name: "a hold that has ended is released again",
    patches: [patch(headroom, ' || hold.phase !== "held") return;', ") return;")],
    directed: model,
  },
  {
    name: "a hold that has ended and is settled again loses what it has cost",
    patches: [patch(headroom, 'hold instanceof Share && hold.phase === "held"', "hold instanceof Share")],
    directed: model,
  },
  {
    name: "a correction is applied to usage that is acknowledged",
    patches: [patch(headroom, 'usage.phase !== "awaited") return;', 'usage.phase === "held") return;')],
    directed: contract,
  },
  {
    name: "usage is acknowledged twice",
    patches: [patch(headroom, 'usage.phase !== "awaited") return undefined;', "false) return undefined;")],
    directed: contract,
  },
  { name: "snapshots of any age admit", patches: [patch(ledger, " || this.#stamp < notBefore", "")] },
  {
    name: "out-of-order snapshots installed",
    patches: [
      patch(ledger, "stamp < this.#stamp || (stamp === this.#stamp && number <= this.#number)", "false"),
    ],
    directed: "answers out of order",
  },
  {
    name: "out-of-order snapshots of one instant installed",
    patches: [patch(ledger, "number <= this.#number", "false")],
    directed: model,
  },
  {
    name: "the later snapshot of one instant not installed",
    patches: [patch(ledger, "number <= this.#number", "true")],
    directed: model,
  },
  {
    name: "an account with holds counts as idle",
    seed: 8,
    patches: [patch(ledger, "this.held > 0 || ", "")],
  },
  {
    name: "an account with unacknowledged usage counts as idle",
    seed: 38,
    patches: [patch(ledger, " || this.awaited > 0", "")],
  },
  {
    name: "an account with acknowledged usage counts as idle",
    patches: [patch(ledger, "sum.provenAt >= now", "false")],
    directed: model,
  },
  {
    name: "what others have spent leaves room when usage turns out to cost less",
    patches: [patch(ledger, "shown.prepaid = Math.min(shown.prepaid, this.used);", "")],
    directed: contract,
  },
  {
    name: "work is admitted beside usage beyond the range of exact sums",
    patches: [patch(headroom, "this.beyond > 0 ? Number.NEGATIVE_INFINITY : ", "")],
    directed: contract,
  },
  {
    name: "usage beyond the range of exact sums is added up",
    patches: [patch(headroom, "this.used + amount > Number.MAX_SAFE_INTEGER", "false")],
    directed: contract,
  },
  {
    name: "usage beyond the range of exact sums is never forgotten",
    patches: [patch(ledger, "this.beyond -= sum.beyond;", "")],
    directed: contract,
  },
];

/** Mistakes in what the reports of a charge make of their usage in the ledger. */
export const entryMutants: readonly Mutant[] = [
  {
    name: "several reports in one entry, stamped at the first acknowledgement",
    patches: [patch(report, "this.#awaited === 0 && ", "")],
    directed: model,
  },
  {
    name: "a shared entry set to the first reported credits",
    patches: [patch(report, "if (this.#reports === 1) {", "{")],
    directed: model,
  },
  {
    name: "a shared entry keeps what a report has taken from it",
    patches: [patch(report, "Math.max(0, this.amount - cost)", "this.amount")],
    directed: model,
  },
  {
    name: "a shared entry is empty when the cost of its last report is reported, whatever the others cost",
    patches: [patch(report, " && !this.#isUnreported", "")],
    directed: model,
  },
  {
    name: "a correction applied twice",
    patches: [patch(report, "if (this.isAcknowledged) return undefined;", "")],
    directed: model,
  },
];
