import { type Mutant, patch } from "./mutant.ts";

/** Mistakes with work whose client has disconnected. */
export const abortMutants: readonly Mutant[] = [
  {
    name: "work whose client disconnects ends at once",
    patches: [patch("core/src/charge/charge.ts", "this.fire();", "this.fire(); void this.settle();")],
  },
  {
    name: "the hold of work whose client disconnects goes back",
    patches: [
      patch(
        "core/src/charge/charge.ts",
        "this.fire();",
        "this.fire(); void this.#billing.settle(this.#admitted, none);",
      ),
    ],
  },
  {
    name: "work that is seen to go on ends with the grace",
    patches: [
      patch(
        "core/src/charge/abandoned-work.ts",
        "      seen.then(this.#onUnseen, this.#onUnseen);",
        "      this.#onUnseen();",
      ),
    ],
  },
  {
    name: "a returned body that has been cancelled ends its work",
    patches: [
      patch(
        "core/src/charge/abandoned-work.ts",
        "else if (this.#work.usesSignal()) this.#awaitReport();",
        "else this.end();",
      ),
    ],
  },
  {
    name: "work whose body is never cancelled holds for ever",
    patches: [
      patch(
        "core/src/charge/abandoned-work.ts",
        "this.#all.unseen(this);\n",
        "if (this.#disconnect.cancelled !== undefined) this.#stopTimer();\n    this.#all.unseen(this);\n",
      ),
    ],
  },
  {
    name: "work that heeds the signal and reports nothing more holds for the whole grace",
    patches: [
      patch(
        "core/src/charge/abandoned-work.ts",
        "schedule(lastReportMs, () => this.end())",
        "schedule(this.#disconnect.graceMs, () => this.end())",
      ),
    ],
  },
  {
    name: "the wait for a last report goes beyond the grace",
    patches: [
      patch(
        "core/src/charge/abandoned-work.ts",
        "const stopGrace = this.#stopTimer;",
        "const stopGrace = this.#stopTimer; stopGrace();",
      ),
    ],
  },
  {
    name: "the unread body of an answer to HEAD is taken for complete",
    patches: [
      patch(
        "core/src/adapter/web-response.ts",
        "void work.answersHead(watched.body);",
        "watched.body.cancel().catch(() => {});",
      ),
    ],
  },
  {
    name: "a handler that waits for drain is not resumed",
    patches: [patch("core/src/adapter/disconnected-response.ts", 'response.emit("drain");', "")],
  },
];
