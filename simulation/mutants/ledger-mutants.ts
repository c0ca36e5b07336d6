import { type Mutant, patch } from "./mutant.ts";

const ledger = "wallet/memory-ledger.ts";
const fits =
  "return this.#held + this.#unshown(kind) + amount <= Math.min(capacity, Number.MAX_SAFE_INTEGER);";
const acknowledged = "entry.provenAt = this.#clock.now() + tickOf(this.#clock) + lagMs;";
const proven = "if (entry.provenAt < snapshot.stamp) this.#forget(id);";

const compared =
  "for (const kind of kinds) this.#shown[kind] = comparable ? this.#shows(kind, before, snapshot) : 0;";

/** Mistakes in the ledger of one wallet. */
export const ledgerMutants: readonly Mutant[] = [
  { name: "cached balance > 0", patches: [patch(ledger, fits, "return capacity > 0;")] },
  { name: "no holds", patches: [patch(ledger, fits, "return this.#unshown(kind) + amount <= capacity;")] },
  { name: "no unconfirmed usage", patches: [patch(ledger, fits, "return this.#held + amount <= capacity;")] },
  {
    name: "what is outstanding must leave something, not enough",
    patches: [patch(ledger, fits, "return this.#held + this.#unshown(kind) < capacity;")],
  },
  {
    name: "usage dropped at acknowledgement",
    patches: [patch(ledger, acknowledged, "this.#forget(entryId);")],
  },
  {
    name: "several reports in one entry, stamped at the first acknowledgement",
    patches: [
      patch(
        ledger,
        "acknowledge(entryId: string, reportId: string, lagMs: number): void {",
        `acknowledge(entryId: string, reportId: string, lagMs: number): void {
           const whole = this.#unconfirmed.get(entryId);
           if (whole?.provenAt === Number.POSITIVE_INFINITY) whole.provenAt = this.#clock.now() + lagMs;
           return;`,
      ),
    ],
  },
  {
    name: "the lag counted from the end of the work",
    patches: [patch(ledger, "provenAt: Number.POSITIVE_INFINITY", "provenAt: this.#clock.now() + 5_000")],
  },
  {
    name: "usage leaves by time, without a snapshot that shows it",
    patches: [
      patch(
        ledger,
        "const admitted = this.#admits(request);",
        `for (const [id, entry] of this.#unconfirmed) if (entry.provenAt <= this.#clock.now()) this.#forget(id);
         const admitted = this.#admits(request);`,
      ),
    ],
  },
  { name: "every snapshot drops all usage", patches: [patch(ledger, proven, "this.#forget(id);")] },
  {
    name: "what a snapshot shows stays shown when its usage is dropped",
    patches: [
      patch(ledger, "this.#shown[kind] = Math.max(0, this.#shown[kind] - entry.amount);", "void kind;"),
    ],
  },
  {
    name: "a rise of the funds is taken for usage that they show",
    patches: [patch(ledger, "Math.max(0, fall)", "Math.abs(fall)")],
  },
  {
    name: "what is certain to be shown is dropped before the snapshots are compared",
    patches: [
      patch(ledger, compared, ""),
      patch(
        ledger,
        proven,
        `${proven}
         ${compared}`,
      ),
    ],
    directed: "the model of the ledger",
  },
  {
    name: "what is shown is taken from a snapshot that may be older than it looks",
    patches: [patch(ledger, "snapshot.stamp > this.#installedAt", "true")],
    directed: "the model of the ledger",
  },
  {
    name: "what the funds have fallen by is taken for usage for ever",
    patches: [patch(ledger, "snapshot.stamp - this.#countedFrom <= maxStaleMs", "true")],
    directed: "the model of the ledger",
  },
  { name: "usage is never dropped", patches: [patch(ledger, proven, "")] },
  {
    name: "hold TTL shorter than the work",
    patches: [
      patch(
        ledger,
        "this.#held += request.amount;",
        "this.#held += request.amount; this.#clock.schedule(1_000, () => this.release(request.id));",
      ),
    ],
  },
  {
    name: "a hold is left behind by settle",
    patches: [patch(ledger, "if (holdId !== undefined) this.release(holdId);", "")],
  },
  {
    name: "snapshots of any age admit",
    patches: [patch(ledger, " || this.#snapshot.stamp < notBefore", "")],
  },
  {
    name: "out-of-order snapshots installed",
    patches: [patch(ledger, "snapshot.stamp <= before.stamp", "false")],
    directed: "answers out of order",
  },
  {
    name: "an account with holds counts as idle",
    patches: [patch(ledger, "if (this.#holds.size > 0) return false;", "")],
  },
  {
    name: "an account with unconfirmed usage counts as idle",
    patches: [patch(ledger, "if (entry.provenAt >= now) return false;", ";")],
  },
];
