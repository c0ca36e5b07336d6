import { createServer } from "node:http";
import { setTimeout } from "node:timers/promises";
import { streamText } from "ai";
import express, { type Express, type Request } from "express";
import { type Contestant, type Model, streamTokens, type Work } from "./contestant.ts";
import { type Listening, listen } from "./listen.ts";

/** What the application has done. */
export interface Done {
  /** Of all threads of its process, since that has started. */
  readonly cpuMs: number;
  /** Tokens that were generated, each worth a credit. */
  readonly tokens: number;
}

const workMs = 20;
const firstTokenMs = 100;
const tokenMs = 10;

/** An Express application with the contestant's routes, and the same routes without a gate below `/bare`. */
export async function startApplication(contestant: Contestant, serviceUrl: string): Promise<Listening> {
  const generated = new Map<string, number>();
  const generate = (customer: string): void => {
    generated.set(customer, (generated.get(customer) ?? 0) + 1);
  };
  const customerOf = (request: Request): string => String(request.headers["x-customer"]);
  const work: Work = {
    serviceUrl,
    customerOf,
    async answer(request) {
      generate(customerOf(request));
      await setTimeout(workMs);
      return { text: "Forty-two." };
    },
    model: (request) => createModel(() => generate(customerOf(request))),
    async stream(request, response, { model = work.model(request), onFinish } = {}) {
      const left = new AbortController();
      response.on("close", () => left.abort());
      const result = streamText({
        model,
        prompt: "Why?",
        maxOutputTokens: streamTokens,
        maxRetries: 0,
        abortSignal: left.signal,
        onError: () => undefined,
        onFinish: ({ usage }) => void onFinish?.(usage.outputTokens ?? 0),
      });
      for await (const text of result.textStream) response.write(text);
      response.end();
    },
  };

  const app: Express = express();
  app.disable("x-powered-by");
  // Errors answer 500, and are not logged: in an outage there are many.
  app.set("env", "test");
  app.get("/contest/done", (request, response) => {
    const { user, system } = process.cpuUsage();
    const prefix = String(request.query.prefix);
    const counts = [...generated].filter(([customer]) => customer.startsWith(prefix));
    const tokens = counts.reduce((sum, [, count]) => sum + count, 0);
    response.json({ cpuMs: (user + system) / 1_000, tokens } satisfies Done);
  });
  app.post("/bare/chat", async (request, response) => void response.json(await work.answer(request)));
  app.post("/bare/stream", async (request, response) => await work.stream(request, response));
  await contestant.mount(app, work);
  return await listen(createServer(app));
}

type StreamPart =
  Awaited<ReturnType<Model["doStream"]>>["stream"] extends ReadableStream<infer Part> ? Part : never;

/** Generates like a provider: at its own pace, until the signal aborts. */
function createModel(generate: () => void): Model {
  const notStreamed = (): never => {
    throw new Error("this model only streams");
  };
  return {
    specificationVersion: "v2",
    provider: "openai",
    modelId: "gpt-5",
    supportedUrls: {},
    doGenerate: notStreamed,
    async doStream({ abortSignal }) {
      const stream = new ReadableStream<StreamPart>({
        async start(controller) {
          try {
            controller.enqueue({ type: "stream-start", warnings: [] });
            controller.enqueue({ type: "text-start", id: "1" });
            await setTimeout(firstTokenMs, undefined, { signal: abortSignal });
            for (let token = 0; token < streamTokens; token++) {
              generate();
              controller.enqueue({ type: "text-delta", id: "1", delta: token === 0 ? "so" : " so" });
              await setTimeout(tokenMs, undefined, { signal: abortSignal });
            }
            const usage = { inputTokens: 0, outputTokens: streamTokens, totalTokens: streamTokens };
            controller.enqueue({ type: "text-end", id: "1" });
            controller.enqueue({ type: "finish", finishReason: "stop", usage });
            controller.close();
          } catch (error) {
            controller.error(error);
          }
        },
      });
      return { stream };
    },
  };
}
