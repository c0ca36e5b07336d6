import { type AdapterOnTrial, type SuiteRunner, testAdapter } from "@creditgate/core/testing";
import { send, serve } from "../adapters-node.ts";

type Line = () => Promise<void>;

/** Which lines of the contract to try, and with how much patience. */
export interface TrialTerms {
  /** @default every line */
  readonly picks?: (line: string) => boolean;
  readonly patienceMs?: number;
  /** All lines at once, so that those which wait in vain do so together. */
  readonly atOnce?: boolean;
}

/** The lines of the contract that were tried, and what broke them. */
export type Verdicts = ReadonlyMap<string, unknown>;

/** Tries an adapter by the contract, over Node's HTTP server in this process, and collects what other runners report. */
export async function tryAdapter(
  start: AdapterOnTrial["start"],
  { picks = () => true, patienceMs, atOnce = false }: TrialTerms = {},
): Promise<Verdicts> {
  const lines = new Map<string, Line>();
  const before: Line[] = [];
  const after: Line[] = [];
  const runner: SuiteRunner = {
    describe: (_name, body) => body(),
    it: (name, body) => lines.set(name, body),
    beforeAll: (run) => before.push(run),
    afterAll: (run) => after.push(run),
  };
  testAdapter("on trial", { start, serve, send, ...(patienceMs && { patienceMs }) }, runner);

  const verdicts = new Map<string, unknown>();
  const judge = async ([name, line]: [string, Line]) => {
    verdicts.set(name, undefined);
    await line().catch((error) => verdicts.set(name, error));
  };
  const picked = [...lines].filter(([name]) => picks(name));
  for (const run of before) await run();
  try {
    if (atOnce) await Promise.all(picked.map(judge));
    else for (const line of picked) await judge(line);
  } finally {
    for (const run of after) await run();
  }
  return verdicts;
}

/** The lines that are broken. */
export function broken(verdicts: Verdicts): string[] {
  return [...verdicts].filter(([, error]) => error !== undefined).map(([line]) => line);
}
