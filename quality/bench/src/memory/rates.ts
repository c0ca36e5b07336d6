import { startChild } from "../control-plane/child.ts";
import { printTable } from "../table.ts";
import type { RateAnswer, RateTask } from "./rate-process.ts";

const seconds = 60;
const rates = [100, 10_000] as const;
/** What the high rate may keep more than the low one. */
const mayKeepMore = 20 * 2 ** 20;

/** The memory of processes that serve few and many requests a second, at once. Throws if it grows with the rate. */
export async function measureRates(): Promise<void> {
  const answers = await Promise.all(rates.map((perSecond) => measureRate({ perSecond, seconds })));
  printTable(
    ["requests/s", "served", "RSS at the start", "highest", "kept", "of which young", "heap kept"],
    answers.map(({ served, rss, young, heap }, index) => [
      String(rates[index]),
      String(served),
      ...[rss.start, rss.highest, rss.kept, young, heap.kept].map(megabytes),
    ]),
  );
  const [few, many] = answers;
  const more = few === undefined || many === undefined ? Number.NaN : ownOf(many) - ownOf(few);
  const verdict = `at ${rates[1]} requests a second for ${seconds} s a gate keeps ${megabytes(more)} more than at ${rates[0]}`;
  if (!(more < mayKeepMore)) throw new Error(`Memory grows with the rate: ${verdict}.`);
  console.log(
    `\nMemory does not grow with the rate: ${verdict} (target: less than ${megabytes(mayKeepMore)}). ` +
      "Kept: after a garbage collection, compared without V8's space for young objects, which is of any size up to 48 MiB at both rates.",
  );
}

function ownOf({ rss, young }: RateAnswer): number {
  return rss.kept - young;
}

async function measureRate(task: RateTask): Promise<RateAnswer> {
  const child = startChild<RateTask, RateAnswer>("../memory/rate-process.js", task);
  try {
    return await child.answer();
  } finally {
    await child.stop();
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}
