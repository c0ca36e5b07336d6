import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { bundle } from "./adapters-bundle.ts";

/**
 * Among it is what a newcomer needs: errors in the words of the service, names of options checked, a line where nobody
 * listens, a page of HTML or a price that undercuts told. And what keeps a hold until the work has ended that its client has left.
 */
const limit = 25_900;

describe("the edge bundle: gate, transport, cache and adapter", () => {
  it(`weighs at most ${limit} bytes, minified and gzipped`, async () => {
    const { code, parts } = await bundle("smallest-worker.ts", { minify: true });
    const gzipped = gzipSync(code, { level: 9 }).byteLength;
    const heaviest = parts.sort((a, b) => b.bytes - a.bytes).slice(0, 15);
    const lines = heaviest.map(({ file, bytes }) => `${String(bytes).padStart(7)}  ${file}`);
    console.log(
      [
        `edge bundle: ${gzipped} bytes gzipped, ${code.length} minified, of which`,
        ...lines,
        `the other ${parts.length - heaviest.length} files are smaller`,
      ].join("\n"),
    );
    expect(gzipped).toBeLessThanOrEqual(limit);
  });

  it("contains neither zod nor anything of Node's", async () => {
    const { code, parts } = await bundle("smallest-worker.ts", { minify: false });
    expect(parts.map(({ file }) => file).filter((file) => !/^(packages|e2e)\//.test(file))).toEqual([]);
    expect(code).not.toMatch(/from\s*"node:|require\(/);
  });
});
