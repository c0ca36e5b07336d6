import process from "node:process";

/** Every benchmark, by the name that `npm run bench -- NAME` takes. Each prints its own page, and throws where it must not pass. */
const benchmarks: Readonly<Record<string, () => Promise<void>>> = {
  transport: async () => (await import("./transport.ts")).benchmarkTransport(),
  decision: async () => (await import("./decision.ts")).benchmarkDecision(),
  ladder: async () => (await import("./ladder.ts")).benchmarkLadder(),
  ingest: async () => (await import("./ingest.ts")).benchmarkIngest(),
  settlement: async () => (await import("./settlement.ts")).benchmarkSettlement(),
  isolation: async () => (await import("./isolation.ts")).benchmarkIsolation(),
  outbox: async () => (await import("./outbox.ts")).benchmarkOutbox(),
  growth: async () => (await import("./growth.ts")).benchmarkGrowth(),
  ai: async () => (await import("./ai.ts")).benchmarkAi(),
  memory: async () => (await import("./memory.ts")).benchmarkMemory(),
  rows: async () => (await import("./rows.ts")).benchmarkRows(),
  pages: async () => (await import("./pages.ts")).benchmarkPages(),
  contest: async () => (await import("./contest.ts")).benchmarkContest(),
  fleet: async () => (await import("./fleet.ts")).benchmarkFleet(),
  tail: async () => (await import("./tail.ts")).benchmarkTail(),
};

/** What takes so long that it has to be named. */
const onlyNamed = ["rows", "pages", "contest", "settlement"];

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(benchmarks, name));
if (unknown.length > 0) {
  console.error(`unknown benchmark: ${unknown.join(", ")}; there are ${Object.keys(benchmarks).join(", ")}`);
  process.exitCode = 2;
} else {
  console.log(`Node ${process.version} on ${process.platform} ${process.arch}`);
  for (const [name, run] of Object.entries(benchmarks)) {
    if (asked.length > 0 ? !asked.includes(name) : onlyNamed.includes(name)) continue;
    console.log(`\n# ${name}\n`);
    await run();
  }
}
