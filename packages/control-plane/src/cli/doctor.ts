import process from "node:process";
import {
  checkService,
  createClient,
  type Expectations,
  type Finding,
  isCreditgateError,
} from "@creditgate/client";
import { connect } from "../database/connection.ts";
import { createPositions, faultOf } from "../database/replica-state.ts";
import { unavailableReason } from "../database/unavailable.ts";
import { ControlPlaneError } from "../errors/control-plane-error.ts";
import { createProgram, readProgram } from "./program.ts";
import { readDatabaseUrl, readReplicaUrl } from "./values.ts";

const options = {
  "--base-url <URL>": "where the service is (CREDITGATE_BASE_URL)",
  "--agent <ID>": "agentId of the gated route",
  "--indicator <NAME>": "its indicator; needs --agent",
  "--customer <ID>": "a customer of yours",
  "--currency <KEY>": "currency of createGate()",
  "--wallet <KIND>": "wallet of createGate(): prepaid or postpaid",
  "--json": "findings as JSON",
  "--allow-insecure": "http to a host that is not this machine",
};

const note = `
The API key is read from CREDITGATE_API_KEY. It tries address, key and clock, then whatever is named; it changes nothing.
gate.check() does the same from within the program, and tries its price too. Where DATABASE_URL and DATABASE_REPLICA_URL
are set, as of a server, it also says whether lists are read from the replica; without an API key only that.`;

/** Runs `creditgate doctor` with what follows it; resolves with the exit code. Throws a `ControlPlaneError` for wrong input. */
export async function runDoctor(args: readonly string[]): Promise<number> {
  const program = createProgram("creditgate doctor", options)
    .description(
      "try a service as a gate would use it; ends with 1 if something is wrong, or nothing could be tried",
    )
    .addHelpText("after", note);
  if (!readProgram(program, args)) return 0;
  const values = program.opts<Values>();
  const replica = await checkReplica(process.env);
  // One who keeps the database need not have a key of the service.
  const isAlone = replica !== undefined && process.env.CREDITGATE_API_KEY === undefined;
  const found = isAlone ? [] : await checkService(clientOf(values), expectationsOf(values));
  const findings = [...found, ...(replica === undefined ? [] : [replica])];
  process.stdout.write(values.json ? `${JSON.stringify(findings, null, 2)}\n` : findings.map(line).join(""));
  return findings.some(isFailure) ? 1 : 0;
}

/** Where the service cannot be talked to, nothing has been tried: that is no success. */
function isFailure({ name, ok }: Line): boolean {
  return ok === false || (name === "service" && ok === undefined);
}

interface Values {
  readonly baseUrl?: string;
  readonly agent?: string;
  readonly indicator?: string;
  readonly customer?: string;
  readonly currency?: string;
  readonly wallet?: string;
  readonly json?: boolean;
  readonly allowInsecure?: boolean;
}

function clientOf(values: Values) {
  try {
    return createClient({ baseUrl: values.baseUrl, allowInsecure: values.allowInsecure });
  } catch (error) {
    throw isCreditgateError(error) ? invalid(error.message) : error;
  }
}

function expectationsOf({ agent, indicator, customer, currency, wallet }: Values): Expectations {
  if (wallet !== undefined && wallet !== "prepaid" && wallet !== "postpaid") {
    throw invalid(`--wallet: expected prepaid or postpaid, received ${wallet}`);
  }
  if (indicator !== undefined && agent === undefined) {
    throw invalid("--agent: expected the agent of --indicator, received none");
  }
  return { agentId: agent, indicator, customerId: customer, currency, wallet, price: null };
}

const marks = new Map([
  [true, "ok  "],
  [false, "FAIL"],
]);

const advices = new Map<boolean | undefined, string>([
  [true, "or"],
  [false, "fix"],
]);

type Line = Finding | ReplicaFinding;

function line({ name, ok, message, fix }: Line): string {
  const advice = fix === undefined ? "" : `\n               ${advices.get(ok) ?? "try"}: ${fix}`;
  return `${ok === undefined ? "?   " : marks.get(ok)} ${name.padEnd(9)} ${message}${advice}\n`;
}

function invalid(message: string): ControlPlaneError {
  return new ControlPlaneError("config_invalid", `doctor: ${message}`);
}

/** What doctor says of something of our own: as a finding about the service. */
interface ReplicaFinding {
  readonly name: "replica";
  readonly ok: boolean | undefined;
  readonly message: string;
  readonly fix?: string;
}

const timeouts = {
  statement_timeout: 5_000,
  lock_timeout: 1_000,
  idle_in_transaction_session_timeout: 10_000,
};

/** Whether servers with these variables would read lists from the replica; `undefined` where none is named. */
async function checkReplica(environment: NodeJS.ProcessEnv): Promise<ReplicaFinding | undefined> {
  const replicaUrl = readReplicaUrl(environment);
  const databaseUrl = readDatabaseUrl(environment.DATABASE_URL);
  if (replicaUrl === undefined || databaseUrl === undefined) return undefined;
  const primary = connect(databaseUrl, 2, timeouts);
  const replica = connect(replicaUrl, 1, timeouts);
  try {
    const fault = await faultOf(primary.database, createPositions(primary.database), replica.database);
    if (fault === undefined)
      return { name: "replica", ok: true, message: "lists and sums are read from DATABASE_REPLICA_URL" };
    return {
      name: "replica",
      ok: false,
      message: `lists and sums are read from the primary, not from DATABASE_REPLICA_URL: ${fault}`,
      fix: "mend the replica, or take the variable away: the primary answers as well",
    };
  } catch (error) {
    const why = unavailableReason(error);
    return { name: "replica", ok: undefined, message: `DATABASE_URL cannot be asked about it: ${why}` };
  } finally {
    await Promise.all([primary.close(), replica.close()]);
  }
}
