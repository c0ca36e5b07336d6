import { type AdapterBench, same, type TrialRequest } from "./bench.ts";
import { floodChunks } from "./plan.ts";
import { untilBlocked } from "./streams.ts";
import type { EndingCell } from "./trial.ts";
import type { WorkKind } from "./work.ts";

/** How a request comes: by a method, for a part of the answer, or for one that has no body. */
const requests: readonly {
  readonly name: string;
  readonly method: string;
  readonly headers?: Record<string, string>;
  readonly status?: number;
}[] = [
  ...["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].map((method) => ({ name: method, method })),
  { name: "GET Range, 206", method: "GET", headers: { range: "bytes=0-0" }, status: 206 },
  { name: "GET If-None-Match, 304", method: "GET", headers: { "if-none-match": '"etag"' }, status: 304 },
  { name: "POST, 204", method: "POST", status: 204 },
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

type Play = (
  bench: AdapterBench,
  request: TrialRequest,
  work: WorkKind,
  client: Client,
) => Promise<Outcome | string>;

/** The client of a cell, which behaves in one of the ways that the trial has. */
class Client {
  /** How it behaved. */
  way: string | undefined;
  readonly #aborting = new AbortController();
  readonly #ways: ReturnType<AdapterBench["ways"]>;

  constructor(ways: ReturnType<AdapterBench["ways"]>) {
    this.#ways = ways;
  }

  get signal(): AbortSignal {
    return this.#aborting.signal;
  }

  /** It reads on. */
  stay(): void {
    if (this.#ways.reading !== undefined) this.#abort(this.#ways.reading);
  }

  disconnect(): void {
    this.#abort(this.#ways.leaving);
  }

  #abort(way: string | undefined): void {
    this.way = way;
    this.#aborting.abort(way);
  }
}

/** Whether the signal fired while the work ran, and what was billed. At most one piece of work ran at a time. */
interface Outcome {
  readonly fired: boolean;
  readonly billed: readonly string[];
}

/** The client reads the answer, or the first part of it; the work waits then. */
async function readFirst(
  bench: AdapterBench,
  response: Response,
  request: TrialRequest,
): Promise<ReadableStreamDefaultReader | undefined> {
  same("status", response.status, statusOf(request));
  const reader = response.body?.getReader();
  await bench.comes("the first chunk", Promise.resolve(reader?.read()));
  return reader;
}

function statusOf({ plan }: TrialRequest): number {
  return plan?.status ?? 200;
}

/** Whatever the handler answers, its client receives headers alone. */
function isBodiless(request: TrialRequest): boolean {
  return request.method === "HEAD" || [204, 304].includes(statusOf(request));
}

/** While the work runs, its hold is all that the wallet has. */
async function denied(bench: AdapterBench, { signal: _, ...request }: TrialRequest): Promise<void> {
  const statuses = await Promise.all([1, 2].map(() => bench.status(request)));
  same("answers beside work that takes the whole wallet", statuses, [402, 402]);
}

async function over(
  bench: AdapterBench,
  fired: boolean,
  reported: readonly string[] = ["m"],
): Promise<Outcome> {
  const billed = await bench.bill();
  same("billed", billed, reported);
  await expectOne(bench, fired, 0);
  return { fired, billed };
}

async function expectOne(bench: AdapterBench, fired: boolean, reportsLate: number): Promise<void> {
  const { peak, late, ...state } = await bench.until("the end of the work", ({ running }) => running === 0);
  same("at once, signals, late", [peak, state.fired, late], [1, fired ? 1 : 0, reportsLate]);
}

/** Another answers while the work runs, whose handler does not know. */
function answeredEarly(status: number): Play {
  return async (bench, request, work) => {
    const { onNode = false, onWeb = false } = bench.answersBy;
    const isStream = work.body === "stream";
    if (isStream && onNode) return "n/a: the handler finds its response ended";
    const plan = { ...request.plan, ...(isStream && { waits: "deaf" as const }) };
    const asked = andAnother({ ...request, plan }, `early ${status}`, onWeb);
    const answering = bench.status(asked);
    answering.catch(() => {});
    await bench.reached(isStream ? "answer" : "work");
    await denied(bench, request);
    bench.pass("early");
    same("status", await answering, status);
    // An error shows that the handler's answer is not awaited any more; a lower status may be its own.
    const isSignalled = status >= 400 && !onWeb;
    if (isSignalled) await bench.until("the signal", ({ fired }) => fired > 0);
    bench.pass("answer");
    if (isStream) return unread(bench, request, work);
    if (isSignalled) return ends(bench, request, work);
    await denied(bench, request);
    bench.pass("work");
    return over(bench, false);
  };
}

/** Another's answer goes out in the place of that of the handler. */
function replaced(status: number): Play {
  return async (bench, request, work) => {
    const { onNode = false, onWeb = false } = bench.answersBy;
    if (onNode) return "n/a: the handler writes its response by itself";
    const answering = bench.status(andAnother(request, `instead ${status}`, onWeb));
    answering.catch(() => {});
    if (work.body === "stream") {
      same("status", await answering, status);
      return unread(bench, request, work);
    }
    await bench.reached("work");
    await denied(bench, request);
    bench.pass("work");
    same("status", await answering, status);
    return over(bench, false);
  };
}

/** A web response does not show that nobody reads it: it counts as abandoned after `abortGraceMs`, which is short here. */
function andAnother(request: TrialRequest, another: string, onWeb: boolean): TrialRequest {
  const headers = { ...request.headers, "x-another": another };
  return { ...request, headers, ...(onWeb && { route: "hasty" as const }) };
}

/** Nobody reads the stream of the work. */
async function unread(bench: AdapterBench, request: TrialRequest, work: WorkKind): Promise<Outcome | string> {
  await bench.until("the signal", ({ fired }) => fired > 0);
  if (work.heeds !== "nothing" || !bench.answersBy.onWeb) return ends(bench, request, work);
  // Its grace is over at once.
  await bench.bill();
  bench.pass("work");
  await bench.until("a late report", ({ late }) => late > 0);
  const billed = await bench.bill();
  same("billed late", billed.at(-1), "m");
  await expectOne(bench, true, 1);
  return `${said({ fired: true, billed })} late: the hold stays for abortGraceMs`;
}

/** Work that heeds the signal ends by itself; work without a signal goes on until the contract lets it. */
async function ends(bench: AdapterBench, request: TrialRequest, { heeds }: WorkKind): Promise<Outcome> {
  if (heeds === "nothing") await denied(bench, request);
  if (heeds !== "signal") bench.pass("work");
  return over(bench, true);
}

const endings: { readonly [ending: string]: Play } = {
  async "read to its end"(bench, request, work, client) {
    const answering = bench.send({ ...request, signal: client.signal });
    answering.catch(() => {});
    if (work.body !== "stream") {
      await bench.reached("work");
      client.stay();
      await denied(bench, request);
      bench.pass("work");
      const response = await answering;
      same("status", response.status, statusOf(request));
      await bench.comes("the end", response.arrayBuffer());
      return over(bench, false);
    }
    if (isBodiless(request)) {
      same("status", (await answering).status, statusOf(request));
      return ends(bench, request, work);
    }
    const reader = await readFirst(bench, await answering, request);
    await bench.reached("work");
    client.stay();
    await denied(bench, request);
    bench.pass("work");
    while (reader !== undefined && !(await bench.comes("a chunk", reader.read())).done);
    return over(bench, false);
  },

  async "client disconnects before the headers"(bench, request, work, client) {
    const plan = { ...request.plan, ...(work.body === "stream" && { waits: "deaf" as const }) };
    const answering = bench.send({ ...request, plan, signal: client.signal });
    answering.catch(() => {});
    await bench.reached(work.body === "stream" ? "answer" : "work");
    await denied(bench, request);
    client.disconnect();
    await bench.until("the disconnect", ({ fired }) => fired > 0);
    bench.pass("answer");
    return ends(bench, request, work);
  },

  async "client disconnects amid the body"(bench, request, work, client) {
    if (work.body !== "stream") return "n/a: the answer comes when the work is over";
    if (isBodiless(request)) return "n/a: the answer has no body";
    const response = await bench.send({ ...request, signal: client.signal });
    await readFirst(bench, response, request);
    await bench.reached("work");
    client.disconnect();
    await bench.until("the disconnect", ({ fired }) => fired > 0);
    return ends(bench, request, work);
  },

  async "client stops reading, then disconnects"(bench, request, work, client) {
    if (work.body !== "stream") return "n/a: the answer comes when the work is over";
    if (isBodiless(request)) return "n/a: the answer has no body";
    // A web stream that pushes retains what its client does not read, so only one that pulls sends more than buffers take.
    const isPulled = work.heeds === "cancel";
    const plan = { ...request.plan, floods: isPulled ? floodChunks : 16 };
    const response = await bench.send({ ...request, plan, signal: client.signal });
    same("status", response.status, statusOf(request));
    if (isPulled) await untilBlocked(bench);
    await denied(bench, request);
    client.disconnect();
    await bench.until("the disconnect", ({ fired }) => fired > 0);
    return ends(bench, request, work);
  },

  async "handler throws"(bench, request) {
    const plan = { throws: true };
    same("status", await bench.status({ ...request, plan }), 500);
    return over(bench, false, []);
  },

  async "handler throws, the answer is 200"(bench, request) {
    const headers = { ...request.headers, "x-error-status": "200" };
    same("status", await bench.status({ ...request, headers, plan: { throws: true } }), 200);
    return over(bench, false, []);
  },

  "another answers early, with an error": answeredEarly(503),
  "another answers early, below 400": answeredEarly(200),
  "an error replaces the answer": replaced(503),
  "another replaces the answer": replaced(200),
};

/** A line for each body, which plays every request with every ending, and resolves to what each cell of the table asserted. */
export const adapterEndings: {
  readonly [behaviour: string]: (bench: AdapterBench) => Promise<readonly EndingCell[]>;
} = Object.fromEntries(
  Object.entries(bodies).map(([body, work], shift) => [
    `ends the work by every method, however its answer ends: ${body}`,
    async (bench: AdapterBench) => {
      const cells: EndingCell[] = [];
      // Not all at once: a busy process would answer late.
      for (const ending of Object.keys(endings)) {
        const row = requests.map(({ name }, cell) => {
          const client = new Client(bench.ways(cells.length + cell + shift));
          return played(bench, { request: name, body, ending }, work, client);
        });
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
  client: Client,
): Promise<EndingCell> {
  const impossible = bench.impossible(cell);
  if (impossible !== undefined) return { ...cell, result: `n/a: ${impossible}` };
  const { name: _, status, ...request } = requests.find(({ name }) => name === cell.request) ?? { name: "" };
  const plan = { work, ...(status !== undefined && { status }) };
  const asked: TrialRequest = { route: "flat", hold: 10, plan, ...request };
  if (work.body !== "none" && !bench.givesAnyBody && isBodiless({ plan })) {
    return { ...cell, result: `n/a: no \`Response\` of ${status} takes a body` };
  }
  try {
    const outcome = await endings[cell.ending]?.(bench.other(), asked, work, client);
    return { ...cell, result: said(outcome ?? "n/a", client.way) };
  } catch (error) {
    const { message } = error instanceof Error ? error : { message: error };
    const how = [cell.request, cell.ending, client.way ?? []].flat().join(", ");
    throw new Error(`${how}: ${message}`, { cause: error });
  }
}

function said(outcome: Outcome | string, way?: string): string {
  if (typeof outcome === "string") return outcome;
  const { fired, billed } = outcome;
  const result = `1 at once, ${fired ? "signal" : "no signal"}, billed ${billed.join() || "nothing"}`;
  return way === undefined ? result : `${way}: ${result}`;
}
