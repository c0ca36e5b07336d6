import { describe, expect, it } from "vitest";
import { bundle, gzipped, weighFolders } from "./adapters-bundle.ts";

/**
 * Gate, transport, cache and adapter. What only other platforms need, or not each worker, is left out: by `imports` of package.json an
 * outbox, OpenTelemetry, checks of the service, budgets, sentences, advice on the page of a denial, the nearest name; and what a worker has
 * only if it imports it: `pause()`, `ownService()`, `useRecommendedActions()`, and the code of budgets, which Durable Objects bring.
 */
const limit = 30_250;

describe("the edge bundle: gate, transport, cache and adapter", () => {
  it(`weighs at most ${limit} bytes, minified and gzipped`, async () => {
    const { code } = await bundle("smallest-worker.ts", { minify: true });
    const bytes = gzipped(code);
    const folders = [...(await weighFolders("smallest-worker.ts"))].sort(([, a], [, b]) => b - a);
    console.log(
      [
        `edge bundle: ${bytes} bytes gzipped, ${code.length} minified; without a folder it would be smaller by`,
        ...folders.map(([folder, less]) => `${String(less).padStart(7)}  ${folder}`),
      ].join("\n"),
    );
    expect(bytes).toBeLessThanOrEqual(limit);
  });

  it("contains neither zod nor anything of Node's", async () => {
    const { code, parts } = await bundle("smallest-worker.ts", { minify: false });
    expect(parts.map(({ file }) => file).filter((file) => !/^(packages|quality)\//.test(file))).toEqual([]);
    expect(code).not.toMatch(/from\s*"node:|require\(/);
  });
});

/** The exports of `runtimes/edge-parts.ts`, as a bundle for the edge has them. */
async function edgeParts(): Promise<typeof import("./runtimes/edge-parts.ts")> {
  const { code } = await bundle("edge-parts.ts", { minify: true });
  return import(`data:text/javascript,${encodeURIComponent(code)}`);
}

describe("a bundle for the edge", () => {
  it("has the subject and the code in the place of a sentence", async () => {
    const { misuse } = await edgeParts();
    expect(misuse("option")).toBe("CreditgateError: ttlMs: -1 [invalid_option]");
    expect(misuse("name")).toBe("CreditgateError: tllMs: unknown option [invalid_option]");
    expect(misuse("client")).toBe("CreditgateError: baseUrl [invalid_option]");
    const { code } = await bundle("smallest-worker.ts", { minify: true });
    expect(code).not.toMatch(/\bexpected /);
  });

  it("has the code for a service of one's own only if it imports ownService()", async () => {
    const { billOwnService, misuse } = await edgeParts();
    expect(misuse("service")).toBe("CreditgateError: service: pass it through ownService() [invalid_option]");
    expect(await billOwnService()).toMatchObject({
      billed: [{ customerId: "alice", usage: { model: "m" } }],
      denial: { code: "insufficient_credits", title: "Not enough credits", available: 1 },
    });
    const { parts } = await bundle("smallest-worker.ts");
    expect(
      parts.filter(({ file, bytes }) => /\/own-service|recommended-actions\.ts/.test(file) && bytes > 0),
    ).toEqual([]);
  });

  it("asks for recommended actions only if it is told to", async () => {
    const { misuse, recommended } = await edgeParts();
    expect(misuse("action")).toBe(
      "CreditgateError: actionTimeoutMs: call useRecommendedActions() [invalid_option]",
    );
    expect(await recommended(false)).toBeUndefined();
    expect(await recommended(true)).toBe("upgrade");
    expect(misuse("action")).toBe("nothing");
  });
});
