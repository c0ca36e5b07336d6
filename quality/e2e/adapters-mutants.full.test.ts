import { describe, expect, it } from "vitest";
import { abortMutants } from "./adapter-mutants/abort-mutants.ts";
import { admissionMutants } from "./adapter-mutants/admission-mutants.ts";
import { brokenLines, endingsLine, linesOf } from "./adapter-mutants/contract-trial.ts";
import { endingMutants } from "./adapter-mutants/ending-mutants.ts";
import { judge, judgeEndings } from "./adapter-mutants/judgement.ts";
import { nodeAdapter } from "./adapter-mutants/node-adapter.ts";
import { nodeMutants } from "./adapter-mutants/node-mutants.ts";
import { responseMutants } from "./adapter-mutants/response-mutants.ts";
import { settlingMutants } from "./adapter-mutants/settling-mutants.ts";
import { webAdapter } from "./adapter-mutants/web-adapter.ts";

const mutants = [
  ...settlingMutants,
  ...abortMutants,
  ...responseMutants,
  ...admissionMutants,
  ...nodeMutants,
];
// First: what mutants leave running in this process takes turns that an adapter that is right would wait for.
describe("the contract of adapters", () => {
  it("has for each of its lines a mutant that breaks it", () => {
    // All of them hold for Node's handlers.
    const endings = new Set(endingMutants.map(({ cell }) => endingsLine(cell)));
    expect([...mutants.flatMap(({ breaks }) => breaks), ...endings].sort()).toEqual(linesOf(nodeAdapter()));
  });

  it("lets pass an adapter that ends its work more than once", { timeout: 300_000 }, async () => {
    const adapter = webAdapter(() => ({
      admitted: (admission) => ({
        ...admission,
        async end(how) {
          await Promise.all([admission.end(how), admission.end("completed")]);
          admission.credits.release();
        },
      }),
    }));
    expect(await brokenLines(adapter)).toEqual([]);
  });
});

judge(mutants);
judgeEndings(endingMutants);
