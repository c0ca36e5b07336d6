import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../../../quality/free-port.ts";
import { selfSigned } from "../../../client/test/self-signed.ts";
import { type ScenarioName, scenarioNames } from "../../src/cli/leak/causes.ts";
import { creditgateRoutes } from "../../src/cli/leak/routes.ts";
import { findLeaks, type LeakOptions, type Verdict } from "../../src/cli/leak/trial.ts";

interface Trial extends Partial<LeakOptions> {
  readonly fixture?: string;
  /** Texts of the fixture, and those in their place. */
  readonly patch?: readonly (readonly [string, string])[];
  readonly isSecure?: boolean;
  /** After so long, the fixture gives up on billing. */
  readonly timeoutMs?: number;
}

/** Tries a fixture as a process of its own, within some seconds. */
export async function tried({
  fixture = "by-hand.mjs",
  patch = [],
  isSecure = false,
  timeoutMs,
  ...options
}: Trial): Promise<Verdict> {
  const folder = await mkdtemp(join(tmpdir(), "creditgate-leak-"));
  let source = await readFile(join(import.meta.dirname, fixture), "utf8");
  for (const [text, other] of patch) {
    if (source.split(text).length !== 2) throw new Error(`expected once in ${fixture}: ${text}`);
    source = source.replace(text, () => other);
  }
  const file = join(folder, fixture);
  await writeFile(file, source);
  const tls = isSecure ? `TLS_KEY='${selfSigned.key}' TLS_CERT='${selfSigned.cert}' ` : "";
  const { outageMs = 2_500, names = scenarioNames } = options;
  // It gives up before an outage ends; elsewhere a loaded machine has time.
  const isHung = names.some((name) => name === "slow" || name.startsWith("hangs"));
  const givesUpAfterMs = timeoutMs ?? (isHung ? outageMs * 0.4 : 10_000);
  const trial = findLeaks({
    url: new URL(`${isSecure ? "https" : "http"}://127.0.0.1:${await freePort()}/chat`),
    method: "POST",
    headers: { "x-customer": "{customer}" },
    body: '{"message":"Say hello. {id}"}',
    routes: creditgateRoutes("ai_credits"),
    rates: new Map(),
    start: `${tls}CREDITGATE_API_KEY=cg_test_local JOURNAL='${join(folder, "journal")}' TIMEOUT_MS=${givesUpAfterMs} exec '${process.execPath}' '${file}'`,
    wallet: 10,
    requests: 40,
    waitMs: 20_000,
    outageMs,
    maxMs: 600_000,
    names,
    port: 0,
    onRow: () => undefined,
    onListening: () => undefined,
    ...options,
  });
  return trial.finally(() => rm(folder, { recursive: true }));
}

/** The scenarios that showed work which is not paid, or paid twice. */
export function leaking({ rows }: Pick<Verdict, "rows">): ScenarioName[] {
  return rows.filter(({ unpaid, twice }) => unpaid > 0 || twice > 0).map(({ name }) => name);
}
