import process from "node:process";
import {
  checkService,
  createClient,
  type Expectations,
  type Finding,
  isCreditgateError,
} from "@creditgate/client";
import { ControlPlaneError } from "../errors/control-plane-error.ts";
import { createProgram, readProgram } from "./program.ts";

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
gate.check() does the same from within the program, and tries its price too.`;

/** Runs `creditgate doctor` with what follows it; resolves with the exit code. Throws a `ControlPlaneError` for wrong input. */
export async function runDoctor(args: readonly string[]): Promise<number> {
  const program = createProgram("creditgate doctor", options)
    .description(
      "try a service as a gate would use it; ends with 1 if something is wrong, or nothing could be tried",
    )
    .addHelpText("after", note);
  if (!readProgram(program, args)) return 0;
  const values = program.opts<Values>();
  const findings = await checkService(clientOf(values), expectationsOf(values));
  process.stdout.write(values.json ? `${JSON.stringify(findings, null, 2)}\n` : findings.map(line).join(""));
  return findings.some(isFailure) ? 1 : 0;
}

/** Where the service cannot be talked to, nothing has been tried: that is no success. */
function isFailure({ name, ok }: Finding): boolean {
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

function line({ name, ok, message, fix }: Finding): string {
  const advice = fix === undefined ? "" : `\n               ${advices.get(ok) ?? "try"}: ${fix}`;
  return `${ok === undefined ? "?   " : marks.get(ok)} ${name.padEnd(9)} ${message}${advice}\n`;
}

function invalid(message: string): ControlPlaneError {
  return new ControlPlaneError("config_invalid", `doctor: ${message}`);
}
