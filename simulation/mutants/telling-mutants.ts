import { type Mutant, patch } from "./mutant.ts";

const deliveries = "delivery/outbox-delivery.ts";
const always = Number.POSITIVE_INFINITY;
/** A service that tells all, and takes batches. */
const tells = { balances: 1, posts: 1, batch: 4, until: always };
const tellsNothing = { balances: 0, posts: 0, batch: 0, until: always };

/** Mistakes with what a service tells. */
export const tellingMutants: readonly Mutant[] = [
  {
    name: "delivered rows deleted at once",
    patches: [patch(deliveries, "outbox.delivered(taken, rememberMs,", "outbox.delivered(taken, 0,")],
    options: {
      scenario: { tells: tellsNothing, restartRate: 0.2, lasting: true, lagMs: 10_000, outsiders: false },
    },
  },
  {
    name: "what is told without the echo, or with an age, is believed",
    patches: [patch("wallet/balance-reading.ts", "answer.isFresh === true", "true")],
    options: { scenario: { tells, memoMs: 1_000, outsiders: false } },
  },
  {
    name: "credits in another currency counted",
    patches: [patch("delivery/told-costs.ts", "return 0;", "return cost.amount;")],
    options: {
      scenario: {
        tells,
        honoursKeys: true,
        misbills: true,
        optionPrice: false,
        outages: [],
        outsiders: false,
      },
    },
  },
  {
    name: "a kind inferred",
    patches: [
      patch(
        "decision/decision.ts",
        "return kind ?? wallet.kind;",
        'return kind ?? wallet.kind ?? "postpaid";',
      ),
    ],
    options: { scenario: { tells: { ...tells, balances: 0.5 }, optionWallet: false } },
  },
  {
    name: "wallet kind not remembered",
    patches: [patch("wallet/customer.ts", "news.kind ?? wallet.kind", "news.kind")],
    directed: "a service that ceases to tell",
  },
  {
    name: "a batch's 404 buried",
    patches: [
      patch("delivery/usage-post.ts", "outcome.overloaded === true", 'outcome.outcome === "undeliverable"'),
    ],
    options: { scenario: { tells: { ...tells, posts: 0.5 }, honoursKeys: true } },
  },
  {
    name: "a missing answer in a batch taken as delivered",
    patches: [patch("delivery/outcome.ts", "return missing;", "return delivered(undefined);")],
    options: { scenario: { tells, honoursKeys: true, faultRate: 0.25 } },
  },
  {
    name: "the answers of a batch taken in the order of its reports",
    patches: [
      patch(
        "delivery/outcome.ts",
        "if (!isObject(result) || result.key !== id) {",
        "if (results.length !== reports.length) {",
      ),
    ],
    options: { scenario: { tells, honoursKeys: true, outages: [] } },
  },
  {
    name: "a shortfall that usage acknowledged meanwhile explains is denied at once",
    patches: [
      patch(
        "decision/decision.ts",
        "answering === undefined && !isRecent(question, first)",
        "answering === undefined",
      ),
    ],
    directed: "usage acknowledged while the balance is asked for",
  },
];
