import {
  type AdapterOnTrial,
  type AdapterTest,
  type EndingCell,
  type SuiteRunner,
  testAdapter,
} from "@creditgate/conformance";
import { send, serve } from "../adapters-node.ts";
import type { TriedAdapter } from "./mutant.ts";

/** Which lines of the contract to try, and with how much patience. */
export interface TrialTerms {
  /** @default every line */
  readonly picks?: (line: string) => boolean;
  readonly patienceMs?: number;
}

/** What the contract declares for an adapter. */
function declared(adapter: TriedAdapter, terms: Partial<AdapterOnTrial> = {}) {
  const lines = new Map<string, AdapterTest>();
  const before: (() => Promise<void>)[] = [];
  const after: (() => Promise<void>)[] = [];
  const runner: SuiteRunner = {
    describe: (_name, body) => body(),
    it: (name, body) => lines.set(name, body),
    beforeAll: (run) => before.push(run),
    afterAll: (run) => after.push(run),
  };
  testAdapter("on trial", { serve, send, ...adapter, ...terms }, runner);
  return { lines, before, after };
}

export function linesOf(adapter: TriedAdapter): string[] {
  return [...declared(adapter).lines.keys()].sort();
}

/**
 * Tries an adapter by the contract, over Node's HTTP server in this process. Resolves to the lines that are broken. They
 * are tried at once, so that those which wait in vain do so together.
 */
export async function brokenLines(
  adapter: TriedAdapter,
  { picks = () => true, patienceMs }: TrialTerms = {},
): Promise<string[]> {
  const { lines, before, after } = declared(adapter, patienceMs ? { patienceMs } : {});
  const broken: string[] = [];
  const picked = [...lines].filter(([name]) => picks(name));
  for (const run of before) await run();
  try {
    await Promise.all(picked.map(([name, line]) => line().catch(() => broken.push(name))));
  } finally {
    for (const run of after) await run();
  }
  return broken.sort();
}

/** One cell of the table of endings. */
export type TriedCell = Omit<EndingCell, "result">;

/** The line of the contract that plays this cell. */
export function endingsLine({ body }: TriedCell): string {
  return `ends the work by every method, however its answer ends: ${body}`;
}

/** Plays this cell alone. Resolves to its result, or to what its assertion says where that is broken. */
export async function playedCell(
  adapter: TriedAdapter,
  tried: TriedCell,
  patienceMs: number,
): Promise<string> {
  const isTried = ({ request, body, ending }: TriedCell) =>
    request === tried.request && body === tried.body && ending === tried.ending;
  const impossible = (cell: TriedCell) => (isTried(cell) ? undefined : "it is not tried");
  const { lines, before, after } = declared(adapter, { patienceMs, impossible });
  for (const run of before) await run();
  try {
    const cells = await lines.get(endingsLine(tried))?.();
    return cells?.find(isTried)?.result ?? "there is no such cell";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    for (const run of after) await run();
  }
}
