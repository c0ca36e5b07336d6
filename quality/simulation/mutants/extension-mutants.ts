import { type Mutant, patch } from "./mutant.ts";

const deliveries = "core/src/delivery/outbox-delivery.ts";
const always = Number.POSITIVE_INFINITY;
/** An extended service that accepts batches. */
const extended = { balances: 1, posts: 1, batch: 4, until: always };
const notExtended = { balances: 0, posts: 0, batch: 0, until: always };

/** Mistakes with what an extended service reports. */
export const extensionMutants: readonly Mutant[] = [
  {
    name: "delivered rows deleted at once",
    patches: [patch(deliveries, "outbox.delivered(taken, rememberMs,", "outbox.delivered(taken, 0,")],
    options: {
      scenario: { extended: notExtended, restartRate: 0.2, durable: true, lagMs: 10_000, outsiders: false },
    },
  },
  {
    name: "what is reported without the echo, or with an age, is believed",
    patches: [patch("core/src/service/control-plane.ts", "answer.isFresh === true", "true")],
    options: { scenario: { extended, memoMs: 1_000, outsiders: false } },
  },
  {
    name: "credits in another currency counted",
    seed: 23,
    patches: [patch("core/src/delivery/reported-costs.ts", "return 0;", "return cost.amount;")],
    options: {
      scenario: {
        extended,
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
    seed: 23,
    patches: [
      patch(
        "core/src/decision/decision.ts",
        "return kind ?? wallet.kind;",
        'return kind ?? wallet.kind ?? "postpaid";',
      ),
    ],
    options: { scenario: { extended: { ...extended, balances: 0.5 }, optionWallet: false } },
  },
  {
    name: "wallet kind not remembered",
    patches: [patch("core/src/wallet/customer.ts", "update.kind ?? wallet.kind", "news.kind")],
    directed: "a service that ceases to tell",
  },
  {
    name: "a batch's 404 buried",
    patches: [
      patch(
        "core/src/service/usage-batch.ts",
        "outcome.overloaded === true",
        'outcome.outcome === "undeliverable"',
      ),
    ],
    options: { scenario: { extended: { ...extended, posts: 0.5 }, honoursKeys: true } },
  },
  {
    name: "a missing answer in a batch taken as delivered",
    patches: [patch("core/src/service/usage-batch.ts", "return missing;", "return delivered(undefined);")],
    options: { scenario: { extended, honoursKeys: true, faultRate: 0.25 } },
  },
  {
    name: "the answers of a batch taken in the order of its reports",
    seed: 25,
    patches: [
      patch(
        "core/src/service/usage-batch.ts",
        "if (!isObject(result) || result.key !== id) {",
        "if (results.length !== reports.length) {",
      ),
    ],
    options: { scenario: { extended, honoursKeys: true, outages: [] } },
  },
  {
    name: "a shortfall that usage acknowledged meanwhile explains is denied at once",
    patches: [
      patch(
        "core/src/decision/decision.ts",
        "answering === undefined && !isRecent(question, first)",
        "answering === undefined",
      ),
    ],
    directed: "usage acknowledged while the balance is asked for",
  },
];
