import process from "node:process";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { readingOf } from "./payloads/agreement.ts";
import { objectPrototype } from "./payloads/object-prototype.ts";
import { type Payload, payloadOf } from "./payloads/payload.ts";
import { createProgress } from "./progress.ts";
import { printTable } from "./table.ts";

// Random balance answers against a reference: npm run payloads -- [--seed N] [--from INDEX] [--count N]
const { values } = parseArgs({
  options: { seed: { type: "string" }, from: { type: "string" }, count: { type: "string" } },
});
const seed = wholeNumber("seed", values.seed ?? String(Math.floor(Math.random() * 2 ** 31)));
const from = wholeNumber("from", values.from ?? "0");
const count = wholeNumber("count", values.count ?? "1000000");
const mostLogged = 10;

console.log(
  `${count} balance answers from ${from} of seed ${seed}; again with: npm run payloads -- --seed ${seed}`,
);
const before = objectPrototype();
const progress = createProgress(count);
const tallies = new Map<string, Map<string, number>>();
let disagreements = 0;
let wronglyAdmitted = 0;
for (let index = from; index < from + count; index++) {
  const payload = payloadOf(seed, index);
  const { outcome, disagreement } = await readingOf(payload);
  tally(payload.mutation ?? "(valid)", outcome);
  if (outcome === "admitted" && payload.expectation.outcome !== "admitted") wronglyAdmitted++;
  if (disagreement !== undefined && ++disagreements <= mostLogged) tell(payload, disagreement);
  progress(index + 1 - from);
}
const intact = isDeepStrictEqual(objectPrototype(), before);

const outcomes = [...new Set([...tallies.values()].flatMap((row) => [...row.keys()]))].sort();
printTable(
  ["", ...outcomes],
  [...tallies]
    .sort()
    .map(([name, row]) => [name, ...outcomes.map((outcome) => String(row.get(outcome) ?? 0))]),
);
console.log(`\nDisagreements with the reference: ${disagreements}`);
console.log(`Admitted although the reference denies: ${wronglyAdmitted}`);
console.log(`Object.prototype: ${intact ? "as it was" : "CHANGED"}`);
if (disagreements > 0 || !intact) process.exitCode = 1;

function tally(name: string, outcome: string): void {
  const row = tallies.get(name) ?? new Map<string, number>();
  tallies.set(name, row.set(outcome, (row.get(outcome) ?? 0) + 1));
}

function tell({ index, mutation, text, customerId, question }: Payload, disagreement: string): void {
  const { kind, currency, hold } = question;
  console.log(`\n${index} (${mutation ?? "valid"}): ${disagreement}`);
  console.log(`  ${kind}, ${currency}, hold ${hold}, customer ${customerId}: ${text}`);
  console.log(`  again with: npm run payloads -- --seed ${seed} --from ${index} --count 1`);
}

function wholeNumber(option: string, text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 0 && text.trim() !== "") return value;
  console.error(`--${option}: expected a whole number, 0 or more, received ${JSON.stringify(text)}`);
  process.exit(2);
}
