/**
 * What a handler that streams into Node's response does when its client disconnects: calls `end()` and works on, or waits for
 * `drain` alone; or it returns when all has been written, though it pushes.
 */
export type OnNode = "ends" | "drains" | "awaits";

/** An answer of the handler on trial, for the app to give in its framework's way. */
export interface AdapterAnswer {
  readonly status: number;
  readonly body: string | AsyncIterable<string> | null;
  /** The body is written by a loop behind the answer. */
  readonly pushes: boolean;
  readonly onNode: OnNode | undefined;
  /** The client has disconnected. */
  disconnect(): void;
}

/** By which the contract sees that the handler's headers arrive. */
const handled = ["x-handled-by", "the handler of the trial"] as const;

/** The answer as a web `Response`. */
export function adapterResponse({ status, body, pushes, disconnect }: AdapterAnswer): Response {
  const headers = Object.fromEntries([handled]);
  if (body === null || typeof body === "string") return new Response(body, { status, headers });
  const source = pushes ? pushing(body) : pulling(body);
  const stream = new ReadableStream({ ...source, cancel: disconnect });
  return new Response(stream, { status, headers: { ...headers, "content-type": "text/plain" } });
}

const encoder = new TextEncoder();

function pulling(body: AsyncIterable<string>): UnderlyingDefaultSource<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  return {
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  };
}

function pushing(body: AsyncIterable<string>): UnderlyingDefaultSource<Uint8Array> {
  return {
    async start(controller) {
      for await (const chunk of body) quietly(() => controller.enqueue(encoder.encode(chunk)));
      quietly(() => controller.close());
    },
  };
}

/** The work goes on though its stream takes nothing more. */
function quietly(write: () => void): void {
  try {
    write();
  } catch {}
}

/** As much of Node's `ServerResponse` as an answer needs. */
export interface WritableAnswer {
  statusCode: number;
  readonly writableEnded: boolean;
  setHeader(name: string, value: string): unknown;
  flushHeaders(): void;
  write(chunk: string): boolean;
  end(body?: string): unknown;
  destroy(error?: Error): unknown;
  once(event: "close" | "drain", listener: () => void): unknown;
}

/** Gives the answer through Node's `ServerResponse`. Resolves when it has, unless a loop behind it does. */
export async function writeAdapterAnswer(answer: AdapterAnswer, response: WritableAnswer): Promise<void> {
  const { status, body, pushes, onNode, disconnect } = answer;
  // Another has answered.
  if (response.writableEnded) return;
  response.statusCode = status;
  response.setHeader(...handled);
  if (body === null || typeof body === "string") return void response.end(body ?? undefined);
  let gone = false;
  const left = new Promise<void>((resolve) => {
    response.once("close", () => {
      gone = true;
      disconnect();
      if (onNode === "ends") response.end();
      resolve();
    });
  });
  response.flushHeaders();
  const writing = write(body, response, onNode === "drains" ? new Promise(() => {}) : left).then(
    () => response.end(),
    // The work is over, though nothing of that arrives.
    (error: Error) => (gone ? response.end() : response.destroy(error)),
  );
  if (!pushes || onNode === "awaits") await writing;
}

async function write(
  body: AsyncIterable<string>,
  response: WritableAnswer,
  left: Promise<void>,
): Promise<void> {
  for await (const chunk of body) {
    if (response.write(chunk)) continue;
    const drained = new Promise<void>((resolve) => response.once("drain", resolve));
    await Promise.race([drained, left]);
  }
}
