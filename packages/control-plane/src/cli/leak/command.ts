import { createProgram, optionOf, readProgram } from "../program.ts";
import { atLeastOne, integer, invalid } from "../values.ts";
import { type ScenarioName, scenarioNames } from "./causes.ts";
import { readRoutes } from "./routes.ts";
import { findLeaks, type LeakOptions, type Row, type Verdict } from "./trial.ts";

const options = {
  "--start <COMMAND>": "starts the application, and again after kills; it listens on PORT",
  "--billing <WHAT>":
    "creditgate (played), the URL of a control plane, or a file that describes another service",
  "--method <NAME>": "of the request (POST)",
  "--body <TEXT>": 'with {id}, by which calls of the model are distinguished ({"message":"Say hello. {id}"})',
  "--currency <KEY>": "of createGate() (ai_credits)",
  "--wallet <CREDITS>": "a small wallet (50)",
  "--requests <N>": "at once on a small wallet, at most 1000 (200)",
  "--wait <MS>": "how long usage may take to arrive (30000)",
  "--outage <MS>": "how long billing hangs and fails (10000)",
  "--time <S>": "after this, nothing more is tried (900)",
  "--only <NAMES>": `of ${scenarioNames.join(", ")}`,
  "--skip <NAMES>": "all but these",
  "--port <N>": "of the billing service, and N + 1 of the model, if the application runs already (free ones)",
  "--this-host-is-mine": "lets it try a host that is not this machine",
  "--json": "rows as JSON",
};

const several = {
  "--header <NAME: VALUE>":
    "of a customer with credits; several times. With {customer}, each scenario has a customer of its own",
  "--price <FIELD=CREDITS>":
    "what a report costs, by a field such as outputTokens; several times (a credit for each report)",
};

const note = `
The application finds the billing service in CREDITGATE_BASE_URL and LEAK_BILLING_URL, the model in OPENAI_BASE_URL,
ANTHROPIC_BASE_URL and LEAK_MODEL_URL. Without --billing, --start or a model it prints what it cannot see.`;

interface Values
  extends Readonly<
    Partial<
      Record<
        | ("start" | "billing" | "method" | "body" | "currency" | "wallet" | "requests" | "wait")
        | ("outage" | "time" | "only" | "skip" | "port"),
        string
      >
    >
  > {
  readonly header: readonly string[];
  readonly price: readonly string[];
  readonly thisHostIsMine?: boolean;
  readonly json?: boolean;
}

/** Runs `creditgate leak` with what follows it; resolves with the exit code. Throws a `ControlPlaneError` for wrong input. */
export async function runLeak(args: readonly string[]): Promise<number> {
  const program = createProgram("creditgate leak", options)
    .argument("[URL...]")
    .description(
      "find work that your application does and nobody pays; ends with 1 if there is any, with 2 if a scenario saw no work at all",
    )
    .addHelpText("after", note);
  for (const [flags, meaning] of Object.entries(several))
    program.addOption(optionOf(flags, meaning).default([], "none"));
  if (!readProgram(program, args)) return 0;
  const values = program.opts<Values>();
  const given = leakOptions(values, program.args);
  // An exit kills the application too.
  const exit = () => process.exit(130);
  for (const signal of signals) process.once(signal, exit);
  const verdict = await findLeaks({
    ...given,
    onRow: (row) => values.json || process.stdout.write(line(row)),
    onListening(billing = "none", model) {
      if (given.start === undefined)
        process.stderr.write(`creditgate: billing on ${billing}, model on ${model}\n`);
    },
  }).finally(() => {
    for (const signal of signals) process.off(signal, exit);
  });
  const seesPayment = given.routes !== undefined;
  process.stdout.write(values.json ? `${JSON.stringify(verdict, null, 2)}\n` : summary(verdict, seesPayment));
  if (verdict.rows.some(isLeak)) return 1;
  return verdict.blind.length > 0 ? 2 : 0;
}

/** A terminal that is closed sends SIGHUP. */
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

function leakOptions(
  values: Values,
  [text, ...others]: string[],
): Omit<LeakOptions, "onRow" | "onListening"> {
  if (text === undefined || others.length > 0 || !/^https?:/.test(text) || !URL.canParse(text)) {
    throw invalid("leak", "one URL, as http://127.0.0.1:3000/chat", [text, ...others].join(" ") || "none");
  }
  const url = new URL(text);
  const { billing, start, body = '{"message":"Say hello. {id}"}', header, price } = values;
  const routes = billing === undefined ? undefined : readRoutes(billing, values.currency ?? "ai_credits");
  for (const { hostname } of [url, ...(routes?.url === undefined ? [] : [new URL(routes.url)])]) {
    if (!values.thisHostIsMine && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)) {
      throw invalid("leak", "a host of this machine, or --this-host-is-mine", hostname);
    }
  }
  return {
    url,
    routes,
    start,
    method: values.method?.toUpperCase() ?? "POST",
    headers: { "content-type": "application/json", ...Object.fromEntries(header.map(readHeader)) },
    body: body === "" ? undefined : body,
    rates: new Map(price.map(readRate)),
    // A wallet that nobody names and that is not played may hold any number of credits.
    wallet: atLeastOne("--wallet", values.wallet ?? (billing === undefined ? "1000000" : "50"), 1_000_000),
    requests: atLeastOne("--requests", values.requests ?? "200", 1_000),
    waitMs: atLeastOne("--wait", values.wait ?? "30000", 600_000),
    outageMs: atLeastOne("--outage", values.outage ?? "10000", 600_000),
    maxMs: 1_000 * atLeastOne("--time", values.time ?? "900", 86_400),
    names: namesOf(values),
    port: integer("--port", values.port ?? "0", 65_534),
  };
}

function readHeader(text: string): [string, string] {
  const [, name, value] = /^([\w-]+): *(.+)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) throw invalid("--header", "'name: value'", text);
  return [name.toLowerCase(), value];
}

function readRate(text: string): [string, number] {
  const [, name, value] = /^(\w+)=(\d*\.?\d+)$/.exec(text) ?? [];
  if (name === undefined) throw invalid("--price", "a field and its credits, as outputTokens=0.01", text);
  return [name, Number(value)];
}

/** Without the plain request there is nothing to compare with. */
function namesOf({ only, skip = "" }: Values): ScenarioName[] {
  const listed = [only ?? "", skip].flatMap((list) => list.split(",")).filter((name) => name !== "");
  const unknown = listed.find((name) => !scenarioNames.some((known) => known === name));
  if (unknown !== undefined) throw invalid("--only, --skip", `some of ${scenarioNames.join(", ")}`, unknown);
  const wanted = only?.split(",");
  return scenarioNames.filter(
    (name) => name === "plain" || (wanted?.includes(name) !== false && !skip.split(",").includes(name)),
  );
}

function isLeak({ unpaid, twice }: Row): boolean {
  return unpaid > 0 || twice > 0;
}

function line(row: Row): string {
  const { what, worked, unpaid, twice, note, cause, mend } = row;
  const counts = [`${worked} worked`.padStart(11), `${unpaid} not paid`.padStart(13)].join("");
  const more = [twice > 0 ? `${twice} paid twice` : "", isLeak(row) ? cause : "", note].filter(
    (part) => part !== "",
  );
  const text = `${what.padEnd(52)}${counts}  ${more.join("; ")}`.trimEnd();
  return isLeak(row) ? `${text}\n    mend: ${mend}\n` : `${text}\n`;
}

function summary({ rows, unseen, blind }: Verdict, seesPayment: boolean): string {
  const leaks = rows.filter(isLeak).length;
  const unpaid = rows.reduce((sum, row) => sum + row.unpaid, 0);
  const lines = unseen.map((one) => `not seen: ${one}\n`).join("");
  if (leaks > 0) return `\n${lines}${leaks} of ${rows.length} leak: ${unpaid} pieces of work are not paid\n`;
  const missed = blind.length === 0 ? "" : `, but ${blind.join(", ")} saw no work`;
  return `\n${lines}${missed === "" && seesPayment ? "nothing leaked" : `no leak was seen${missed}`}\n`;
}
