import { describe, expect, it } from "vitest";
import { abortMutants } from "./adapter-mutants/abort-mutants.ts";
import { admissionMutants } from "./adapter-mutants/admission-mutants.ts";
import { broken, tryAdapter } from "./adapter-mutants/contract-trial.ts";
import { harmlessVariants } from "./adapter-mutants/harmless-variants.ts";
import { judge } from "./adapter-mutants/judgement.ts";
import { nodeMutants } from "./adapter-mutants/node-mutants.ts";
import { responseMutants } from "./adapter-mutants/response-mutants.ts";
import { settlingMutants } from "./adapter-mutants/settling-mutants.ts";
import { webAdapter } from "./adapter-mutants/web-adapter.ts";

judge([...responseMutants, ...admissionMutants]);

describe("the contract lets pass an adapter that", () => {
  for (const [name, start] of Object.entries(harmlessVariants)) {
    it(name, async () => {
      expect(broken(await tryAdapter(start))).toEqual([]);
    });
  }
});

describe("the contract of adapters", () => {
  it("has no line that no mutant breaks", async () => {
    const lines = [...(await tryAdapter(webAdapter())).keys()];
    const mutants = [
      ...settlingMutants,
      ...abortMutants,
      ...responseMutants,
      ...admissionMutants,
      ...nodeMutants,
    ];
    const breakable = new Set(mutants.flatMap(({ breaks }) => breaks));
    expect([...breakable].sort()).toEqual(lines.sort());
  });
});
