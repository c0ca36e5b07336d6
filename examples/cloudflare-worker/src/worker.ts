import { createTransport } from "@creditgate/client";
import { CreditWallets, fromDurableObjects, type ObjectNamespace } from "@creditgate/cloudflare";
import { type Charge, createGate, type Gate, useRecommendedActions } from "@creditgate/core";
import { withCredits } from "@creditgate/edge";

/** What the deployment binds: variables, and the API key as a secret. */
interface Environment {
  readonly CREDITGATE_BASE_URL: string;
  readonly CREDITGATE_API_KEY: string;
  /** The Durable Objects of the wallets. */
  readonly WALLETS: ObjectNamespace<unknown>;
  /** Within this time of taking a report the service has debited it. */
  readonly SETTLEMENT_LAG_MS: string;
}

interface ExecutionContext {
  waitUntil(work: Promise<unknown>): void;
}

type Fetch = (request: Request, environment: Environment, context: ExecutionContext) => Promise<Response>;

// What a customer who cannot pay should do, in the denial.
useRecommendedActions();

/** Stands in for your authentication: a real worker verifies a session or a JWT here. */
const customers: ReadonlyMap<string, string> = new Map([
  ["Bearer demo-alice", "alice"],
  ["Bearer demo-team", "team"],
]);

const longestAnswer = 100;
const creditsPerToken = 0.01;

/** One object for each wallet: what all isolates together spend, it knows; and it delivers the usage. */
export class Wallets extends CreditWallets<Environment> {}

let gated: Fetch | undefined;

// biome-ignore lint/style/noDefaultExport: Workers are started by it.
export default {
  fetch(request: Request, environment: Environment, context: ExecutionContext): Promise<Response> {
    // One gate for each isolate.
    gated ??= chat(gateOf(environment));
    return gated(request, environment, context);
  },
};

function gateOf(environment: Environment): Gate {
  const { CREDITGATE_BASE_URL: baseUrl, CREDITGATE_API_KEY: apiKey } = environment;
  return createGate({
    client: createTransport({ baseUrl, apiKey }),
    currency: "ai_credits",
    wallet: "prepaid",
    price: ({ outputTokens = 0 }) => outputTokens * creditsPerToken,
    settlementLagMs: Number(environment.SETTLEMENT_LAG_MS),
    // Better a moment later than without what to do about it.
    actionTimeoutMs: 1_000,
    ledger: fromDurableObjects(environment.WALLETS),
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
      // Billed where nothing is reported: an answer that cannot be counted must not be free.
      defaultUsage: { inputTokens: 0, outputTokens: longestAnswer },
    },
    async (request, { credits }, _environment: Environment, _context: ExecutionContext) => {
      const answer = billed(answerTo(await request.text(), credits.signal), credits);
      const body = new ReadableStream({
        async pull(controller) {
          const { done, value } = await answer.next();
          if (done) controller.close();
          else controller.enqueue(value);
        },
        // The client has disconnected: what has been made for it is billed, as `billed` does however it ends.
        cancel: () => answer.return(undefined).then(() => {}),
      });
      return new Response(body, { headers: { "content-type": "text/plain; charset=utf-8" } });
    },
  );
}

/** The words as bytes, billed when they end, or when the reader cancels. */
async function* billed(words: AsyncIterable<string>, credits: Charge): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder();
  let outputTokens = 0;
  try {
    for await (const word of words) {
      outputTokens++;
      yield encoder.encode(`${word} `);
    }
  } finally {
    credits.report({ provider: "stand-in", model: "echo", inputTokens: 0, outputTokens });
  }
}

/** Stands in for a model, at the pace of one; stops when the client disconnects. */
async function* answerTo(question: string, signal: AbortSignal): AsyncGenerator<string> {
  const answer = `You asked: ${question.trim()} — and every word of this costs a cent.`;
  for (const word of answer.split(/\s+/).slice(0, longestAnswer)) {
    if (signal.aborted) return;
    yield word;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
