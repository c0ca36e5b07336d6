import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { block, blocksOf, formats, pieces, toolBlocks, type Wire } from "./wire-format.ts";

/** What the provider does with a call. */
export interface Plan {
  /** Answers with this status instead, and these headers. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The usage that it tells instead. */
  readonly usage?: Readonly<Record<string, unknown>>;
  /** Writes so many pieces only, and then... */
  readonly pieces?: number;
  /** ...waits until its client has gone (default), cuts the connection, or says that it has failed. */
  readonly then?: "wait" | "cut" | "error";
  /** Writes on after that, word by word, until its client has gone. */
  readonly endless?: boolean;
  /** Calls a tool, in a stream of chat. */
  readonly tool?: boolean;
  /** Does not answer at all. */
  readonly silent?: boolean;
}

/** A server that speaks the wire formats of OpenAI, Anthropic and Gemini. */
export class Provider {
  readonly requests: {
    readonly url: string;
    readonly headers: IncomingMessage["headers"];
    readonly body: Record<string, unknown>;
  }[] = [];
  /** For the next calls; then it answers as it should. */
  readonly plans: Plan[] = [];
  readonly #server: Server = createServer((request, response) => {
    this.#serve(request, response).catch(() => response.destroy());
  });
  #arrivals: (() => void)[] = [];
  #gone: (() => void)[] = [];
  #goneCount = 0;

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Forgets what earlier tests have asked. */
  reset(): void {
    this.requests.length = 0;
    this.plans.length = 0;
    this.#goneCount = 0;
  }

  /** Resolves when so many calls have come in. */
  async asked(count = 1): Promise<void> {
    while (this.requests.length < count) await new Promise<void>((resolve) => this.#arrivals.push(resolve));
  }

  /** Resolves when a client has gone before it had its whole answer. */
  async gone(): Promise<void> {
    if (this.#goneCount === 0) await new Promise<void>((resolve) => this.#gone.push(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = "";
    for await (const chunk of request) text += chunk;
    const { url = "", headers } = request;
    const isJson = /json/.test(headers["content-type"] ?? "");
    const body: Record<string, unknown> = isJson ? JSON.parse(text) : {};
    this.requests.push({ url, headers, body });
    const plan = this.plans.shift() ?? {};
    response.on("close", () => {
      if (response.writableFinished) return;
      this.#goneCount++;
      for (const resolve of this.#gone.splice(0)) resolve();
    });
    for (const resolve of this.#arrivals.splice(0)) resolve();
    if (plan.silent) return;
    if (plan.status !== undefined) {
      const retry = { "content-type": "application/json", "retry-after-ms": "1" };
      response.writeHead(plan.status, { ...retry, ...plan.headers });
      response.end(JSON.stringify({ error: { message: "no", type: "x", code: plan.status } }));
      return;
    }
    const other = others.find(([path]) => path.test(url));
    if (other !== undefined) return other[1](response, body);
    const wire = wireOf(url);
    const isStream = body.stream === true || url.includes("streamGenerateContent");
    if (!isStream) return json(response, formats[wire].body(plan.usage));
    await this.#stream(response, wire, plan);
  }

  async #stream(response: ServerResponse, wire: Wire, plan: Plan): Promise<void> {
    const format = formats[wire];
    response.writeHead(200, { "content-type": "text/event-stream" });
    const blocks = plan.tool ? toolBlocks() : blocksOf(format, plan.usage);
    if (plan.pieces === undefined) {
      response.end(blocks.join(""));
      return;
    }
    const sent = blocks.slice(0, format.before().length + Math.min(pieces.length, plan.pieces));
    await new Promise((resolve) => response.write(sent.join("") || ": nothing yet\n\n", resolve));
    if (plan.then === "error") response.end(block(format, format.error));
    else if (plan.then === "cut") response.destroy();
    else if (plan.endless) {
      const writing = setInterval(() => response.write(block(format, format.piece(" on"))), 10);
      response.on("close", () => clearInterval(writing));
    }
  }
}

function wireOf(url: string): Wire {
  if (url.includes("/chat/completions")) return "chat";
  if (url.includes("/responses")) return "responses";
  return url.includes("/messages") ? "anthropic" : "gemini";
}

function json(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

/** Answers of other endpoints, by their path. */
const others: readonly (readonly [
  path: RegExp,
  answer: (response: ServerResponse, body: Record<string, unknown>) => void,
])[] = [
  [
    /\/embeddings/,
    (response, { input }) => {
      const values: readonly unknown[] = Array.isArray(input) ? input : [input];
      const data = values.map((_, index) => ({ object: "embedding", index, embedding: [0.5, 0.25] }));
      json(response, { object: "list", model: "e", data, usage: { prompt_tokens: 12, total_tokens: 12 } });
    },
  ],
  [/\/count_tokens$/, (response) => json(response, { input_tokens: 100 })],
  [
    /\/models$/,
    (response) => {
      const data = ["gpt-5", "claude-opus-4-5", "ft:gpt-5:of-another"].map((id) => ({ id, type: "model" }));
      json(response, { object: "list", data, has_more: false });
    },
  ],
  [
    /\/images\//,
    (response) =>
      json(response, {
        created: 1,
        data: [{ b64_json: "AAAA" }, { b64_json: "AAAA" }],
        usage: { input_tokens: 50, output_tokens: 1000, total_tokens: 1050 },
      }),
  ],
  [
    /\/audio\/speech/,
    (response) => {
      response.writeHead(200, { "content-type": "audio/mpeg" });
      response.end(Buffer.from([1, 2, 3]));
    },
  ],
  [
    /\/audio\/transcriptions/,
    (response) =>
      json(response, {
        task: "transcribe",
        language: "english",
        duration: 8.47,
        text: "hello",
        segments: [],
        words: [],
        usage: { type: "duration", seconds: 9 },
      }),
  ],
];
