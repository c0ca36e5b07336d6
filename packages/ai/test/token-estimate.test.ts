import { meteredModel } from "@creditgate/ai";
import { describe, expect, it } from "vitest";
import { loggedErrors } from "./readme-errors.ts";
import { piecesOf, scripts } from "./scripts.ts";
import { TestCharge } from "./test-charge.ts";

/** What is billed of an answer whose provider tells no usage: by how many percent it is off, and how long it is. */
async function billed(text: string): Promise<number> {
  const charge = new TestCharge();
  const model = {
    specificationVersion: "v3",
    provider: "own",
    modelId: "m",
    supportedUrls: {},
    doGenerate: async (_: object) => ({ content: [{ type: "text", text }] }),
  };
  await meteredModel(model, charge, charge.options).doGenerate({ prompt: [] });
  return charge.calls[0]?.usage.outputTokens ?? 0;
}

describe("the table of errors in docs/models/estimates.md", () => {
  it.each(scripts)("holds for estimates of what broke off: %s", async (script) => {
    const [least, most] = loggedErrors().get(script) ?? [0, 0];
    const pieces = piecesOf[script];
    const all = { billed: 0, written: 0 };
    for (let count = 1; count <= pieces.length; count++) {
      const come = pieces.slice(0, count);
      const tokens = await billed(come.map(({ text }) => text).join(""));
      const written = come.reduce((sum, piece) => sum + piece.tokens, 0);
      if (written >= 40) {
        expect(100 * (tokens / written - 1), `${written} tokens`).toBeGreaterThanOrEqual(least);
        expect(100 * (tokens / written - 1), `${written} tokens`).toBeLessThanOrEqual(most);
        continue;
      }
      all.billed += tokens;
      all.written += written;
    }
    expect(100 * (all.billed / all.written - 1)).toBeGreaterThanOrEqual(least);
    expect(100 * (all.billed / all.written - 1)).toBeLessThanOrEqual(most);
  });
});
