import { createTransport } from "@creditgate/client";
import { createGate, type Gate } from "@creditgate/core";
import { withCredits } from "@creditgate/edge";

/** What the deployment binds: variables, and the API key as a secret. */
interface Environment {
  readonly CREDITGATE_BASE_URL: string;
  readonly CREDITGATE_API_KEY: string;
}

interface ExecutionContext {
  waitUntil(work: Promise<unknown>): void;
}

type Fetch = (request: Request, environment: Environment, context: ExecutionContext) => Promise<Response>;

/** Stands in for your authentication: a real worker verifies a session or a JWT here. */
const customers: ReadonlyMap<string, string> = new Map([["Bearer demo-alice", "alice"]]);

const longestAnswer = 100;
const creditsPerToken = 0.01;

let gated: Fetch | undefined;

// biome-ignore lint/style/noDefaultExport: Workers are started by it.
export default {
  fetch(request: Request, environment: Environment, context: ExecutionContext): Promise<Response> {
    // One gate for each isolate: what it knows of a wallet outlives the request.
    gated ??= chat(gateOf(environment));
    return gated(request, environment, context);
  },
};

function gateOf({ CREDITGATE_BASE_URL: baseUrl, CREDITGATE_API_KEY: apiKey }: Environment): Gate {
  return createGate({
    client: createTransport({ baseUrl, apiKey }),
    currency: "ai_credits",
    wallet: "prepaid",
    price: ({ outputTokens = 0 }) => outputTokens * creditsPerToken,
    checkTimeoutMs: 1_000,
    // Isolates share nothing: together they may overspend by at most what the README of @creditgate/edge says.
    guard: { maxOutstanding: 2, minCapacity: 0 },
    // The isolate has no disk. A real worker would put the report into a queue.
    onUndelivered: (report) => console.error("usage could not be delivered", JSON.stringify(report)),
  });
}

function chat(gate: Gate): Fetch {
  return withCredits(
    gate,
    {
      customer: ({ headers }) => customers.get(headers.get("authorization") ?? ""),
      agentId: "chat",
      indicator: "message",
      hold: longestAnswer * creditsPerToken,
    },
    async (request, { credits }, _environment: Environment, _context: ExecutionContext) => {
      let outputTokens = 0;
      const words = answerTo(await request.text());
      const encoder = new TextEncoder();
      const report = () =>
        credits.report({ provider: "stand-in", model: "echo", inputTokens: 0, outputTokens });
      const body = new ReadableStream({
        pull(controller) {
          const word = words.next();
          if (word.done) {
            report();
            return controller.close();
          }
          outputTokens++;
          controller.enqueue(encoder.encode(`${word.value} `));
        },
        // The client has left: it pays for the words that were made for it.
        cancel: report,
      });
      return new Response(body, { headers: { "content-type": "text/plain; charset=utf-8" } });
    },
  );
}

/** Stands in for a model. */
function* answerTo(question: string): Generator<string> {
  const words = question.split(/\s+/).filter((word) => word !== "");
  yield* ["You", "asked:", ...words, "—", "and", "every", "word", "of", "this", "costs", "a", "cent."].slice(
    0,
    longestAnswer,
  );
}
