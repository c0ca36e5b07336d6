import { type Mutant, patch } from "./mutant.ts";

/** Mistakes with work whose client has left. */
export const abortMutants: readonly Mutant[] = [
  {
    name: "work whose client leaves ends at once",
    patches: [patch("charge.ts", "this.fire();", "this.fire(); void this.settle();")],
  },
  {
    name: "the hold of work whose client leaves goes back",
    patches: [
      patch(
        "charge.ts",
        "this.fire();",
        "this.fire(); void this.#office.settle(this.#work, { reports: [], entries: [] });",
      ),
    ],
  },
  {
    name: "work that is seen to go on ends with the grace",
    patches: [
      patch(
        "charge.ts",
        "if (departure.seen === undefined) wait();",
        "wait();\n if (departure.seen === undefined) return;",
      ),
    ],
  },
  {
    name: "work that is not seen to end holds for ever",
    patches: [
      patch(
        "left-work.ts",
        "this.#tell(indicator, graceMs);\n      stop();",
        "this.#tell(indicator, graceMs);",
      ),
    ],
  },
];
