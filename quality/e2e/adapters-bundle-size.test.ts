import { describe, expect, it } from "vitest";
import { bundle, gzipped, weighFolders } from "./adapters-bundle.ts";

/**
 * Among it is what a newcomer needs: errors with the text of the service, names of options checked, a line where no listener
 * is, a page of HTML or a price that undercuts the service. And what keeps a hold until the work has ended that its client has disconnected.
 * And the way to a ledger that decides elsewhere, such as Durable Objects; what says that a ledger cannot decide; and what keeps out
 * work that the service cannot bill. And units of an indicator's own beside tokens. And, with 28,048 bytes measured, one ledger for
 * all gates of a process, shared or not, and `gate.balance()` that asks again for what is older than `maxAgeMs`. And, with 28,230,
 * a `close()` that waits for work which bills itself, and a client that can read an answer while it comes. And, with 28,656, the
 * name of the process in its requests, and the warning that others spend its wallets by ledgers of their own. And, with 29,630,
 * one bill for a request that two gates let in. And, with 30,101, the one rule for the end of work, which is that of Node's responses too.
 * And, with 30,910, what refuses a customer and a kind of work whose reports the service refuses. And, with 31,094, bodies that
 * nobody reads: that of an answer to HEAD, 204 or 304, or one in whose place another's answer goes out. And, with 32,977, the option
 * `service`: two functions of the user instead of a client, whose answers are checked field by field, since no contract of ours did it.
 * The same modules in another order, since `core/adapter` is an entry of its own, weigh 33,272. And, with 33,326, a second gate that
 * finds the work of a request in which middleware has put another. And, with 34,178, a place for further accounts beside the wallet
 * in requests, reports and denials: budgets themselves are left out. And, with 34,546, `gate.refresh()`, and work that is billed in parts:
 * `pause()` itself is a function that is imported where it is used. And, with 34,568, the account of a hold that work gets after a
 * pause, which may be another than before. And, with 34,654, the place into which Durable Objects bring the code of budgets.
 * What only other platforms need is left out by `imports` of package.json: an outbox, OpenTelemetry, checks of the service,
 * budgets, sentences for the operator, advice on the page of a denial, the nearest name.
 */
const limit = 34_660;

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
