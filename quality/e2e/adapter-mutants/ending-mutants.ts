import { type Patch, patch } from "../../simulation/mutants/mutant.ts";
import type { adapters } from "./adapters.ts";
import type { TriedCell } from "./contract-trial.ts";

/** A core whose adapters end work otherwise than rule 7 says. */
export interface EndingMutant {
  readonly name: string;
  readonly patch: Patch;
  readonly adapter: keyof typeof adapters;
  /** The cell of the table of endings that catches it. */
  readonly cell: TriedCell;
  /** What the assertion of the cell says. */
  readonly says: string;
  /** What the cell needs at least. @default 500 */
  readonly patienceMs?: number;
}

const text = "a text, work that heeds the signal";
const stream = "a stream that heeds the signal";
const signalNeverFires = patch("core/src/charge/charge.ts", "    this.fire();\n", "");
const endsAtFinish = patch(
  "core/src/adapter/work-end.ts",
  "else if (ending !== undefined && this.#pending === 0) this.#bill();",
  "else if (ending !== undefined) this.#bill();",
);
const neverDropped = patch(
  "core/src/adapter/web-response.ts",
  "admission.unread(() => over(answered))",
  "() => {}",
);
const isNotTold = "at once, signals, late: expected [1,1,0], received [1,0,0]";

export const endingMutants: readonly EndingMutant[] = [
  {
    name: "what reaches nobody is not told so",
    patch: patch("core/src/adapter/work-end.ts", "    this.#isUnwanted = true;\n    this.#decide();", ""),
    adapter: "node",
    cell: { request: "HEAD", body: "a stream that heeds nothing", ending: "read to its end" },
    says: isNotTold,
  },
  {
    name: "a client that disconnects before the answer loses nothing",
    patch: patch(
      "core/src/adapter/work-end.ts",
      'const isLost = ending === "aborted" && !this.#hasFailed;',
      "const isLost = false;",
    ),
    adapter: "node",
    cell: { request: "GET", body: text, ending: "client disconnects before the headers" },
    says: "the disconnect: did not come",
  },
  {
    name: "an error in the place of the answer replaces nothing",
    patch: patch(
      "core/src/adapter/work-end.ts",
      'const isReplaced = ending === "failed" && this.#pending > 0;',
      "const isReplaced = false;",
    ),
    adapter: "node",
    cell: { request: "POST", body: text, ending: "another answers early, with an error" },
    says: "the signal: did not come",
  },
  {
    name: "the signal never fires",
    patch: signalNeverFires,
    adapter: "web",
    cell: { request: "GET", body: text, ending: "client disconnects before the headers" },
    says: "settlements: did not come",
  },
  {
    name: "the signal never fires, where the answer has no body",
    patch: signalNeverFires,
    adapter: "web",
    cell: {
      request: "GET",
      body: "no body, work that heeds the signal",
      ending: "client disconnects before the headers",
    },
    says: "settlements: did not come",
  },
  {
    name: "the hold goes back at `finish`, whatever the handler does",
    patch: endsAtFinish,
    adapter: "node",
    cell: { request: "POST", body: text, ending: "another answers early, below 400" },
    // Others are let in, or too much is billed, or its report is late: whichever is seen first.
    says: "",
  },
  {
    name: "the hold goes back at `finish`, whatever the handler does that heeds nothing",
    patch: endsAtFinish,
    adapter: "node",
    cell: {
      request: "POST",
      body: "a text, work that heeds nothing",
      ending: "another answers early, below 400",
    },
    says: "",
  },
  {
    name: "the close of a stream of HTTP/2 is not heard",
    patch: patch("core/src/adapter/node-response.ts", '      stream.on("close", close);\n', ""),
    adapter: "http2",
    cell: { request: "HEAD", body: text, ending: "client disconnects before the headers" },
    says: "the disconnect: did not come",
  },
  {
    name: "204 and 304 are taken for answers with a body",
    patch: patch("core/src/adapter/node-response.ts", " || statusCode === 204 || statusCode === 304", ""),
    adapter: "http2",
    cell: { request: "POST, 204", body: "a stream that heeds nothing", ending: "read to its end" },
    says: isNotTold,
  },
  {
    name: "the body of a web response that nobody reads is never dropped",
    patch: neverDropped,
    adapter: "web",
    cell: { request: "GET", body: stream, ending: "another replaces the answer" },
    says: "the signal: did not come",
    // So long it may be unread.
    patienceMs: 2_000,
  },
  {
    name: "the body of a web response that ends when it is cancelled never is",
    patch: neverDropped,
    adapter: "web",
    cell: {
      request: "GET",
      body: "a stream that ends when it is cancelled",
      ending: "another replaces the answer",
    },
    says: "the signal: did not come",
    patienceMs: 2_000,
  },
  {
    name: "a late report is not billed",
    patch: patch("core/src/charge/charge.ts", "const billed = !this.#replaced;", "const billed = false;"),
    adapter: "web",
    cell: { request: "GET", body: "a stream that heeds nothing", ending: "another replaces the answer" },
    says: "billed late: expected",
    patienceMs: 2_000,
  },
];
