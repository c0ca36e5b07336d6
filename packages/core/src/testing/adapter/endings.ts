import { type AdapterBench, same, type TrialRequest } from "./bench.ts";
import type { EndingCell } from "./ending-cell.ts";
import { floodChunks } from "./plan.ts";
import { untilBlocked } from "./streams.ts";
import type { WorkKind } from "./work.ts";

/** How a request comes: by a method, or for a part of the answer. */
const requests: readonly {
  readonly name: string;
  readonly method: string;
  readonly headers?: Record<string, string>;
}[] = [
  ...["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].map((method) => ({ name: method, method })),
  { name: "GET Range", method: "GET", headers: { range: "bytes=0-0" } },
];

/** What the handler answers, and what ends its work. */
const bodies: { readonly [body: string]: WorkKind } = {
  "no body, work that heeds the signal": { body: "none", heeds: "signal" },
  "a text, work that heeds the signal": { body: "text", heeds: "signal" },
  "a text, work that heeds nothing": { body: "text", heeds: "nothing" },
  "a stream that ends when it is cancelled": { body: "stream", heeds: "cancel" },
  "a stream that heeds the signal": { body: "stream", heeds: "signal" },
  "a stream that heeds nothing": { body: "stream", heeds: "nothing" },
};

type Play = (bench: AdapterBench, request: TrialRequest, work: WorkKind) => Promise<Outcome | string>;

/** Whether the signal fired while the work ran, and what was billed. At most one piece of work ran at a time. */
interface Outcome {
  readonly fired: boolean;
  readonly billed: readonly string[];
}

/** The client reads the answer, or the first part of it; the work waits then. */
async function readFirst(
  bench: AdapterBench,
  response: Response,
): Promise<ReadableStreamDefaultReader | undefined> {
  same("status", response.status, 200);
  const reader = response.body?.getReader();
  await bench.comes("the first chunk", Promise.resolve(reader?.read()));
  return reader;
}

/** While the work runs, its hold is all that the wallet has. */
async function denied(bench: AdapterBench, { signal: _, ...request }: TrialRequest): Promise<void> {
  const statuses = await Promise.all([1, 2].map(() => bench.status(request)));
  same("answers beside work that takes the whole wallet", statuses, [402, 402]);
}

async function over(bench: AdapterBench, fired: boolean): Promise<Outcome> {
  const billed = await bench.bill();
  const state = await bench.until("the end of the work", ({ running }) => running === 0);
  same("at once, signals, late", [state.peak, state.fired, state.late], [1, fired ? 1 : 0, 0]);
  return { fired, billed };
}

/** Work that heeds nothing, or has not been told, goes on until the contract lets it. */
async function ends(bench: AdapterBench, request: TrialRequest, { heeds }: WorkKind): Promise<Outcome> {
  if (heeds === "nothing") await denied(bench, request);
  bench.pass("work");
  return over(bench, true);
}

const endings: { readonly [ending: string]: Play } = {
  async "read to its end"(bench, request, work) {
    const answering = bench.send(request);
    answering.catch(() => {});
    if (work.body !== "stream") await bench.reached("work");
    else if (request.method === "HEAD") {
      same("status", (await answering).status, 200);
      return ends(bench, request, work);
    } else {
      const reader = await readFirst(bench, await answering);
      await bench.reached("work");
      await denied(bench, request);
      bench.pass("work");
      while (reader !== undefined && !(await bench.comes("a chunk", reader.read())).done);
      return over(bench, false);
    }
    await denied(bench, request);
    bench.pass("work");
    await bench.comes("the end", (await answering).arrayBuffer());
    return over(bench, false);
  },

  async "client leaves before the headers"(bench, request, work) {
    const client = new AbortController();
    const plan = { ...request.plan, ...(work.body === "stream" && { waits: "deaf" as const }) };
    const answering = bench.send({ ...request, plan, signal: client.signal });
    answering.catch(() => {});
    await bench.reached(work.body === "stream" ? "answer" : "work");
    await denied(bench, request);
    client.abort();
    await bench.until("the departure", ({ fired }) => fired > 0);
    bench.pass("answer");
    return ends(bench, request, work);
  },

  async "client leaves amid the body"(bench, request, work) {
    if (work.body !== "stream") return "n/a: the answer comes when the work is over";
    if (request.method === "HEAD") return "n/a: HEAD has no body";
    const client = new AbortController();
    const response = await bench.send({ ...request, signal: client.signal });
    await readFirst(bench, response);
    await bench.reached("work");
    client.abort();
    await bench.until("the departure", ({ fired }) => fired > 0);
    return ends(bench, request, work);
  },

  async "client stops reading, then leaves"(bench, request, work) {
    if (work.body !== "stream") return "n/a: the answer comes when the work is over";
    if (request.method === "HEAD") return "n/a: HEAD has no body";
    const client = new AbortController();
    // A web stream that pushes retains what its client does not read, so only one that pulls sends more than buffers take.
    const isPulled = work.heeds === "cancel";
    const plan = { ...request.plan, floods: isPulled ? floodChunks : 16 };
    const response = await bench.send({ ...request, plan, signal: client.signal });
    if (isPulled) await untilBlocked(bench, response);
    same("status", response.status, 200);
    await denied(bench, request);
    client.abort();
    await bench.until("the departure", ({ fired }) => fired > 0);
    return ends(bench, request, work);
  },

  async "handler throws"(bench, request) {
    const plan = { throws: true };
    same("status", await bench.status({ ...request, plan }), 500);
    await bench.expectBill([]);
    return over(bench, false);
  },

  async "handler throws, the answer is 200"(bench, request) {
    const headers = { ...request.headers, "x-error-status": "200" };
    same("status", await bench.status({ ...request, headers, plan: { throws: true } }), 200);
    await bench.expectBill([]);
    return over(bench, false);
  },
};

/** A line for each body, which plays every request with every ending, and resolves to what each cell of the table asserted. */
export const adapterEndings: {
  readonly [behaviour: string]: (bench: AdapterBench) => Promise<readonly EndingCell[]>;
} = Object.fromEntries(
  Object.entries(bodies).map(([body, work]) => [
    `ends the work by every method, however its answer ends: ${body}`,
    async (bench: AdapterBench) => {
      const cells: EndingCell[] = [];
      // Not all at once: a busy process would answer late.
      for (const ending of Object.keys(endings)) {
        const row = requests.map(({ name }) => played(bench, { request: name, body, ending }, work));
        cells.push(...(await Promise.all(row)));
      }
      return cells;
    },
  ]),
);

async function played(
  bench: AdapterBench,
  cell: Omit<EndingCell, "result">,
  work: WorkKind,
): Promise<EndingCell> {
  const impossible = bench.impossible(cell);
  if (impossible !== undefined) return { ...cell, result: `n/a: ${impossible}` };
  const { name: _, ...request } = requests.find(({ name }) => name === cell.request) ?? { name: "" };
  const asked: TrialRequest = { route: "flat", hold: 10, plan: { work }, ...request };
  try {
    const outcome = await endings[cell.ending]?.(bench.other(), asked, work);
    return { ...cell, result: said(outcome ?? "n/a") };
  } catch (error) {
    throw new Error(`${cell.request}, ${cell.ending}: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    });
  }
}

function said(outcome: Outcome | string): string {
  if (typeof outcome === "string") return outcome;
  return `1 at once, ${outcome.fired ? "signal" : "no signal"}, billed ${outcome.billed.join() || "nothing"}`;
}
