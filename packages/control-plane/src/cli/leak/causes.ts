/** What is tried, in this order. `--only` and `--skip` take these names. */
export const scenarioNames = [
  "plain",
  "parallel",
  "late",
  "methods",
  "methods-empty",
  "leave-body",
  "leave-early",
  "leave-headers",
  "leave-byte",
  "slow",
  "http2",
  "http2-leave",
  "fails",
  "hangs",
  "fails-empty",
  "hangs-empty",
  "lost",
  "killed",
  "killed-waiting",
  "stopped",
] as const;

export type ScenarioName = (typeof scenarioNames)[number];

/** What is tried, which cause it shows if work is not paid, and the line that mends it. */
type Scenario = readonly [what: string, cause: string, mend: string];

const gated =
  'app.use("/chat", requireCredits(gate, { customer, agentId, indicator, hold: 5 })); // every method';
const denied = "requireCredits(gate, options) // answers 503 while there is no balance";
const metered =
  'const model = meteredModel(openai("gpt-5"), req.credits); // bills what was generated, however it ends';
const closed =
  'res.once("close", report); // emitted for each response; "finish" only for those sent to the end';
const durable =
  'createGate({ client, currency, outbox: createSqliteOutbox({ path: "usage.db" }) }); // retries until it is stored';
const lag = "createGate({ client, currency, settlementLagMs: 10_000 }); // at least the time until a debit";
const reported = "req.credits.report({ model, inputTokens, outputTokens });";
const held = 'res.once("close", settle); // hold the credits until then, without a timer';
const key = 'headers: { "idempotency-key": key } // made once for each report, and kept for its retries';
const holds =
  'createGate({ client, currency, outbox, durableHolds: true, onOrphan: "default", defaultUsage });';
const stop = "shutDownOnSignal({ process, server, gate });";

export const scenarios: Readonly<Record<ScenarioName, Scenario>> = {
  plain: ["one request", "nothing reports the work", reported],
  parallel: ["", "read and debit are not atomic", gated],
  late: ["", "usage that is not debited yet is not counted", lag],
  methods: ["", "not every method is billed", gated],
  "methods-empty": ["", "not every method is gated", gated],
  "leave-body": ["client leaves before its body has come", "the work does not wait for the request", metered],
  "leave-early": [
    "client leaves once the work has begun",
    "usage is reported when the response finishes",
    closed,
  ],
  "leave-headers": ["client leaves after the headers", "usage is reported after the stream", metered],
  "leave-byte": ["client leaves after the first byte", "usage is reported after the stream", metered],
  slow: ["client stops reading, and leaves", "the work is given up before it has ended", held],
  http2: ["", "read and debit are not atomic", gated],
  "http2-leave": ["client resets a stream of HTTP/2", "usage is reported after the stream", closed],
  fails: ["", "a report that fails is dropped", durable],
  hangs: ["", "a report without an answer is dropped", durable],
  "fails-empty": ["billing fails, the wallet is empty", "without a balance, work is let in", denied],
  "hangs-empty": ["billing hangs, the wallet is empty", "without a balance, work is let in", denied],
  lost: ["billing stores, its answer is lost", "a retry has another key", key],
  killed: ["application is killed in its answers", "work in flight is forgotten", holds],
  "killed-waiting": ["application is killed while usage waits", "usage waits in memory", durable],
  stopped: ["application is stopped in its answers", "it exits before its usage is delivered", stop],
};
