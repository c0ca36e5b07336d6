import { type Mutant, patch } from "./mutant.ts";

const record = "await this.#record(entry, this.#accountOf(customers, first));";
const recorded = `const isNew = ${record}`;
const noted = "await sendings.begin(reports.map(({ id }) => id))";
const delivered = "reports.every((report) => report.delivered)";

/** Schedules in which processes often end; mistakes at that show in few of the others. */
const options = { scenario: { restartRate: 0.2, durable: true, outsiders: false } };

/** Mistakes at the end of one process and the start of the next. */
export const restartMutants: readonly Mutant[] = [
  {
    name: "usage that is not delivered is forgotten at a restart",
    patches: [
      patch("core/src/delivery/recovery.ts", recorded, `const isNew = true; if (${delivered}) ${record}`),
    ],
    options,
  },
  {
    name: "usage that is not settled is forgotten at a restart",
    seed: 16,
    patches: [
      patch("core/src/delivery/recovery.ts", recorded, `const isNew = true; if (!${delivered}) ${record}`),
    ],
    options,
  },
  {
    name: "a gate decides before all know what was left",
    seed: 187,
    patches: [
      patch("core/src/registry/recoveries.ts", "if (concerned.length === 0) return true;", "return true;"),
    ],
    options: {
      scenario: { ...options.scenario, gates: ["credits", "credits"], appendFailureRate: 0.7, lagMs: 10_000 },
    },
  },
  {
    name: "what was on its way at the end of a process is sent again",
    patches: [
      patch("core/src/delivery/recovery.ts", "await parkSent(found.sent ?? [], outbox, this.#events);", ";"),
    ],
    options,
  },
  {
    name: "a report is sent before it is written down that it is",
    patches: [
      patch(
        "core/src/delivery/outbox-delivery.ts",
        noted,
        `${noted.replace("await ", "void ")}.catch(() => {})`,
      ),
    ],
    options: { scenario: { ...options.scenario, appendMs: 200 } },
  },
];
