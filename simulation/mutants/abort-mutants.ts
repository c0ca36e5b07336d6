import { type Mutant, patch } from "./mutant.ts";

/** Mistakes with work whose client has left. */
export const abortMutants: readonly Mutant[] = [
  {
    name: "work whose client leaves ends at once",
    patches: [patch("charge/charge.ts", "this.fire();", "this.fire(); void this.settle();")],
  },
  {
    name: "the hold of work whose client leaves goes back",
    patches: [
      patch(
        "charge/charge.ts",
        "this.fire();",
        "this.fire(); void this.#office.settle(this.#work, { reports: [], entries: [] });",
      ),
    ],
  },
  {
    name: "work that is seen to go on ends with the grace",
    patches: [
      patch(
        "adapter/left-work.ts",
        "      seen.then(this.#onUnseen, this.#onUnseen);",
        "      this.#onUnseen();",
      ),
    ],
  },
  {
    name: "work that is not seen to end holds for ever",
    patches: [
      patch(
        "adapter/left-work.ts",
        "this.#left.tell(this.#work.indicator, graceMs, unseenState);\n      this.end();",
        "this.#left.tell(this.#work.indicator, graceMs, unseenState);",
      ),
    ],
  },
];
