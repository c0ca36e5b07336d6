/** A test that tries a promise: `{n}` in `tried` is how often, the first group of its name or what it has measured. */
interface Trial {
  readonly test: RegExp;
  readonly tried: string;
}

interface Promised {
  readonly assumes: string;
  readonly trials: readonly [Trial, ...Trial[]];
  /** What the tests assert. */
  readonly result: string;
}

const schedules: Trial = {
  test: /simulate finds no broken promise in (\d+) schedules$/,
  tried: "{n} random schedules",
};
const fleet: Trial = {
  test: /finds no broken promise in (\d+) schedules of four processes/,
  tried: "{n} of four processes",
};
const demo: Trial = { test: /npm run demo.*ends with nothing lost/, tried: "the demo" };
const crash: Trial = {
  test: /killed with kill -9 (\d+) times, loses nothing/,
  tried: "{n} kill -9 under load, with an outbox in a file",
};

const broken = (name: string, tried: string, trials: readonly Trial[] = []): Promised => ({
  assumes: "broken on purpose",
  trials: [{ test: new RegExp(`a condition that breaks: ${name}$`), tried }, ...trials],
  result: "within the bound",
});

/** What the tests of `npm run prove` show, by the promises of the README and the conditions that it assumes. */
export const promises: Readonly<Record<string, Promised>> = {
  "Never overspends": {
    assumes: "the conditions below hold",
    trials: [
      schedules,
      fleet,
      {
        test: /a promise: 200 parallel requests/,
        tried: "{n} wallets of 50 credits with 200 parallel requests",
      },
      demo,
    ],
    result: "overspend 0; 50 served, 150 denied",
  },
  "Adds no round trip": {
    assumes: "the balance is cached",
    trials: [
      { test: /a promise: no round trip/, tried: "{n} requests before a service that answers no report" },
    ],
    result: "all admitted, on 1 balance request",
  },
  "Bills the work that was done": {
    assumes: "after a crash: a durable outbox",
    trials: [
      schedules,
      { test: /ends the work by every method/, tried: "{n} tables of method, body and way to end the work" },
      { test: /for (\d+) reports gets all of them once it is back/, tried: "{n} reports in an outage" },
      crash,
      demo,
    ],
    result: "nothing lost, nothing billed twice",
  },
  "Denies only on a fresh balance": {
    assumes: "the balance is not older than its request",
    trials: [
      schedules,
      { test: /a promise: just paid/, tried: "{n} customers who pay after a 402 and ask again" },
      demo,
    ],
    result: "no 402 on an old balance; all who paid are served",
  },
  "no request costs more than its hold": broken("costs more", "{n} wallets, work costs up to twice its hold"),
  "nothing else spends the wallet": broken("others spend", "{n} wallets, of which others take a part"),
  "usage settles within `settlementLagMs` (10 s)": broken(
    "settles late",
    "{n} wallets, settled after twice the time",
  ),
  "processes that spend one wallet share a ledger": broken(
    "separate ledgers",
    "{n} wallets, 2 to 5 processes without a ledger",
  ),
  "usage waits in a durable outbox": broken("outbox in memory", "{n} crashes while billing is down", [crash]),
};

/** The promises of the README's first screen, and the conditions of its table, in their order. */
export function promisesIn(readme: string): readonly string[] {
  const [first = ""] = readme.split("\n## ");
  const bullets = Array.from(first.matchAll(/^- \*\*(.+?)\.?\*\*/gm), ([, promise = ""]) => promise);
  const table = readme.split("\n## What it assumes\n")[1]?.split("\n## ")[0] ?? "";
  const conditions = Array.from(table.matchAll(/^\| (.+?) \|/gm), ([, cell = ""]) => cell);
  return [...bullets, ...conditions.filter((cell) => cell !== "condition" && !cell.startsWith("---"))];
}

/** What came of a test. */
export interface Tried {
  readonly name: string;
  readonly passed: boolean;
  readonly measured?: { readonly times: number; readonly result?: string } | undefined;
  readonly error?: string | undefined;
}

/** A line for each promise, and whether each was tried and kept. */
export function conclude(
  readme: string,
  tests: readonly Tried[],
): { readonly lines: readonly string[]; readonly kept: boolean } {
  let kept = true;
  const lines = promisesIn(readme).map((promise) => {
    const { assumes, trials = [], result } = promises[promise] ?? {};
    const found = trials.map((trial) => ({
      ...trial,
      runs: tests.filter(({ name }) => trial.test.test(name)),
    }));
    const failed = found.flatMap(({ runs }) => runs).find(({ passed }) => !passed);
    const missing = found.find(({ runs }) => runs.length === 0);
    const isKept = found.length > 0 && failed === undefined && missing === undefined;
    kept &&= isKept;
    const tried = found.map(({ test, tried, runs }) => tried.replace("{n}", timesOf(test, runs)));
    const measured = found.flatMap(({ runs }) => runs).find((run) => run.measured?.result)?.measured?.result;
    const outcome =
      failed !== undefined
        ? `${failed.name}: ${failed.error ?? "failed"}`
        : isKept
          ? (measured ?? result)
          : `not tried: ${missing?.tried.replace("{n} ", "") ?? "no test is named for it"}`;
    return [isKept ? "kept  " : "BROKEN", promise, assumes ?? "-", tried.join("; "), outcome].join(" | ");
  });
  return { lines, kept };
}

function timesOf(test: RegExp, runs: readonly Tried[]): string {
  const times = runs.reduce(
    (sum, { name, measured }) => sum + Number(test.exec(name)?.[1] ?? measured?.times ?? 1),
    0,
  );
  return times.toLocaleString("en-US");
}
