import type { Charge } from "../../charge/charge.ts";

/** What the handler on trial does; it travels as JSON in the header `x-plan`. */
export interface AdapterPlan {
  /** Names the steps at which the handler waits until the contract lets it go on. */
  readonly run: string;
  /** The models that it reports before it answers. */
  readonly reports?: readonly string[];
  /** @default 200 */
  readonly status?: number;
  /** It waits at the step `answer` first, and throws when the signal of its charge fires, unless it is deaf to that. */
  readonly waits?: boolean | "deaf";
  /** Tells the requests of one customer apart: the step is `answer 7`. */
  readonly turn?: number;
  /** The model that it reports once it has waited. */
  readonly afterwards?: string;
  readonly throws?: boolean;
  /**
   * Nothing, a text (the default), a stream of so many chunks: each waits at its step and is reported; or
   * {@link floodChunks} of them that wait for nothing but their client.
   */
  readonly body?: "text" | "none" | "flood" | number;
  /** The stream fails behind its last chunk. */
  readonly fails?: boolean;
  /** The model that the stream reports when it is told that its client has left. */
  readonly parting?: string;
  /** The stream that its client has left ends in a way that no adapter sees. */
  readonly unseen?: boolean;
  /** The model that it reports at the step `late`, behind the answer. */
  readonly late?: string;
}

/** More than all buffers on the way take, in chunks of 64 KiB. */
export const floodChunks = 512;

/** An answer of the handler on trial, for the app to give in its framework's way. */
export interface AdapterAnswer {
  readonly status: number;
  readonly body: string | AsyncIterable<string> | null;
  readonly unseen: boolean;
  /** The client has left. */
  leave(): void;
}

/** What the app on trial knows of a request. */
export interface AdapterSurroundings {
  /** Takes what goes on behind the answer. */
  readonly background?: ((work: Promise<unknown>) => void) | undefined;
}

/** Does what the plan says. */
export async function carryOut(
  plan: AdapterPlan,
  credits: Charge,
  { controlPlaneUrl, background = () => {} }: AdapterSurroundings & { readonly controlPlaneUrl: string },
): Promise<AdapterAnswer> {
  const { run, reports = [], status = 200, body = "text", late, parting, unseen = false } = plan;
  const left = new AbortController();
  const step = (name: string, until?: AbortSignal) =>
    // A POST, because some frameworks cache GETs.
    fetch(`${controlPlaneUrl}/steps/${run}/${name}`, { method: "POST", ...(until && { signal: until }) });

  async function* chunks(count: number): AsyncGenerator<string> {
    for (let chunk = 0; chunk < count; chunk++) {
      await step(`chunk ${chunk}`, left.signal);
      if (left.signal.aborted) return;
      credits.report({ model: `chunk ${chunk}` }, { credits: 1 });
      yield `chunk ${chunk}\n`;
    }
    if (plan.fails) throw new Error("the stream of the trial fails");
  }

  async function* flood(): AsyncGenerator<string> {
    const chunk = "~".repeat(65_536);
    for (let made = 0; made < floodChunks && !left.signal.aborted; made++) yield chunk;
  }

  for (const model of reports) credits.report({ model }, { credits: 1 });
  if (plan.waits) {
    const name = plan.turn === undefined ? "answer" : `answer ${plan.turn}`;
    await step(name, plan.waits === "deaf" ? undefined : credits.signal);
  }
  if (plan.afterwards !== undefined) credits.report({ model: plan.afterwards }, { credits: 1 });
  if (plan.throws) throw new Error("the handler of the trial throws");
  if (late !== undefined) {
    const reporting = step("late").then(() => credits.report({ model: late }, { credits: 1 }));
    // A contract that has been broken is over before the step is passed.
    background(reporting.catch(() => {}));
  }
  return { status, body: bodyOf(), unseen, leave };

  function leave(): void {
    left.abort();
    if (parting !== undefined) credits.report({ model: parting }, { credits: 1 });
  }

  function bodyOf(): AdapterAnswer["body"] {
    if (body === "none") return null;
    if (body === "text") return "done";
    return body === "flood" ? flood() : chunks(body);
  }
}

/** By which the contract sees that the handler's headers arrive. */
const handled = ["x-handled-by", "the handler of the trial"] as const;

/** The answer as a web `Response`. */
export function adapterResponse({ status, body, unseen, leave }: AdapterAnswer): Response {
  const headers = Object.fromEntries([handled]);
  if (body === null || typeof body === "string") return new Response(body, { status, headers });
  const chunks = body[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  const stream = new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel() {
      leave();
      return unseen ? new Promise(() => {}) : undefined;
    },
  });
  return new Response(stream, { status, headers: { ...headers, "content-type": "text/plain" } });
}

/** As much of Node's `ServerResponse` as an answer needs. */
export interface WritableAnswer {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  flushHeaders(): void;
  write(chunk: string): boolean;
  end(body?: string): unknown;
  destroy(error?: Error): unknown;
  once(event: "close" | "drain", listener: () => void): unknown;
}

/** Gives the answer through Node's `ServerResponse`. Resolves when it has, or when nobody takes it any more. */
export async function writeAdapterAnswer(answer: AdapterAnswer, response: WritableAnswer): Promise<void> {
  const { status, body, unseen, leave } = answer;
  response.statusCode = status;
  response.setHeader(...handled);
  if (body === null || typeof body === "string") return void response.end(body ?? undefined);
  let gone = false;
  const left = new Promise<void>((resolve) => {
    response.once("close", () => {
      gone = true;
      leave();
      resolve();
    });
  });
  response.flushHeaders();
  const writing = write(body, response, left).then(
    () => undefined,
    (error: Error) => error,
  );
  // As a handler does that leaves its answer to a stream, which its client's leaving breaks off.
  if (unseen) return;
  const error = await writing;
  // The work is over, though nothing of that arrives.
  if (error === undefined || gone) response.end();
  else response.destroy(error);
}

async function write(
  body: AsyncIterable<string>,
  response: WritableAnswer,
  left: Promise<void>,
): Promise<void> {
  for await (const chunk of body) {
    if (response.write(chunk)) continue;
    const taken = new Promise<void>((resolve) => response.once("drain", resolve));
    await Promise.race([taken, left]);
  }
}
