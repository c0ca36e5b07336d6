import { createTransport } from "@creditgate/client";
import { createGate, type Gate } from "@creditgate/core";
import { withCredits } from "@creditgate/edge";
import type { ExecutionContext } from "../adapters-web-app.ts";

/** What only workerd has. */
declare const WebSocketPair: new () => {
  readonly 0: unknown;
  readonly 1: { accept(): void; send(text: string): void };
};
type WorkerdInit = ResponseInit & { readonly webSocket?: unknown; readonly encodeBody?: "manual" };

interface Environment {
  readonly CONTROL_PLANE_URL: string;
}

let shared: Gate | undefined;
function gateOn({ CONTROL_PLANE_URL: baseUrl }: Environment): Gate {
  const client = createTransport({ baseUrl, apiKey: "trial" });
  shared ??= createGate({ client, currency: "ai_credits", wallet: "prepaid", onUndelivered: () => {} });
  return shared;
}

/** Answers by path with what workerd alone can answer. */
async function answer({ url }: Request): Promise<Response> {
  switch (new URL(url).pathname) {
    case "/socket": {
      const { 0: client, 1: server } = new WebSocketPair();
      server.accept();
      server.send("hello");
      const init: WorkerdInit = { status: 101, webSocket: client };
      return new Response(null, init);
    }
    case "/encoded": {
      const zipped = new Response("hello").body?.pipeThrough(new CompressionStream("gzip"));
      const init: WorkerdInit = { encodeBody: "manual", headers: { "content-encoding": "gzip" } };
      return new Response(zipped ?? null, init);
    }
    case "/left":
      return new Response("hello");
    default:
      // Tolerated there: the body counts as none.
      return new Response("", { status: 204 });
  }
}

// biome-ignore lint/style/noDefaultExport: Workers are started by it.
export default {
  fetch(request: Request, environment: Environment, context: ExecutionContext): Promise<Response> {
    const options = {
      customer: (asked: Request) => asked.headers.get("x-customer"),
      agentId: "agent",
      indicator: "indicator",
      hold: 5,
      defaultUsage: { model: "default" },
      abortGraceMs: 1_000,
    };
    const handler = withCredits(gateOn(environment), options, (asked, _gated, _context: ExecutionContext) =>
      answer(asked),
    );
    return handler(request, context);
  },
};
