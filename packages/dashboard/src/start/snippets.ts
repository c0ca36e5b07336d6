/** Where the application runs. */
export type Place = "express" | "next" | "edge" | "curl";

export const places: Readonly<Record<Place, string>> = {
  express: "Express",
  next: "Next.js",
  edge: "Edge",
  curl: "curl",
};

/** What a first request needs to know. */
export interface Facts {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly customerId: string;
  readonly currency: string;
  readonly kind: string;
  readonly agentId: string;
  readonly indicator: string;
  /** The most that a request may cost, in credits. */
  readonly hold: number;
}

/** Something to copy. */
interface Snippet {
  /** The file, or "Terminal". */
  readonly name: string;
  readonly text: string;
}

const quote = (text: string) => JSON.stringify(text);

/** For a shell: between single quotes nothing is special but these. */
const shellQuote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

const usage = 'provider: "openai", model: "gpt-5", inputTokens: 12, outputTokens: 40';

/** Pasted as one block the request comes before the application listens: it is tried until that does. */
const ask = "curl --retry 9 --retry-connrefused -X POST";

const optionsOf = ({ customerId, agentId, indicator, hold }: Facts) => `const options = {
  customer: () => ${quote(customerId)}, // later: the customer who is signed in
  agentId: ${quote(agentId)},
  indicator: ${quote(indicator)},
  hold: ${hold}, // the most that a request may cost, in credits
};`;

const gateOf = ({ currency, kind }: Facts) =>
  `createGate({ client, currency: ${quote(currency)}, wallet: ${quote(kind)} })`;

/** What to copy for a place, in this order. */
export function snippetsOf(place: Place, facts: Facts): readonly Snippet[] {
  return { express, next, edge, curl }[place](facts);
}

function express(facts: Facts): readonly Snippet[] {
  return [
    {
      name: "app.mjs",
      text: `import { createClient } from "@creditgate/client";
import { createGate } from "@creditgate/core";
import { requireCredits } from "@creditgate/express";
import express from "express";

const client = createClient({
  baseUrl: ${quote(facts.baseUrl)},
  apiKey: process.env.CREDITGATE_API_KEY,
});
const gate = ${gateOf(facts)};
${optionsOf(facts)}

const app = express();
app.post("/chat", requireCredits(gate, options, ({ credits }, res) => {
  // In place of your model: what it has used
  credits.report({ ${usage} });
  res.json({ text: "Hello" });
}));
app.listen(process.env.PORT ?? 3000);
`,
    },
    {
      name: "Terminal",
      text: `npm install express @creditgate/express @creditgate/core @creditgate/client
export CREDITGATE_API_KEY=${shellQuote(facts.apiKey)}
node app.mjs &
${ask} http://localhost:3000/chat
`,
    },
  ];
}

function next(facts: Facts): readonly Snippet[] {
  return [
    { name: ".env.local", text: `CREDITGATE_API_KEY=${facts.apiKey}\n` },
    {
      name: "app/api/chat/route.ts",
      text: `import { createClient } from "@creditgate/client";
import { createGate, sharedGate } from "@creditgate/core";
import { withCredits } from "@creditgate/next";

const client = createClient({
  baseUrl: ${quote(facts.baseUrl)},
  apiKey: process.env.CREDITGATE_API_KEY,
});
const gate = sharedGate("chat", () => ${gateOf(facts)});
${optionsOf(facts)}

export const POST = withCredits(gate, options, async (request, { credits }) => {
  // In place of your model: what it has used
  credits.report({ ${usage} });
  return Response.json({ text: "Hello" });
});
`,
    },
    {
      name: "Terminal",
      text: `npm install @creditgate/next @creditgate/core @creditgate/client
npx next dev &
${ask} http://localhost:3000/api/chat
`,
    },
  ];
}

function edge(facts: Facts): readonly Snippet[] {
  return [
    { name: ".dev.vars", text: `CREDITGATE_API_KEY=${facts.apiKey}\n` },
    {
      name: "worker.js",
      text: `import { createTransport } from "@creditgate/client";
import { createGate } from "@creditgate/core";
import { withCredits } from "@creditgate/edge";
import { env } from "cloudflare:workers";

const client = createTransport({
  baseUrl: ${quote(facts.baseUrl)},
  apiKey: env.CREDITGATE_API_KEY,
});
const gate = ${gateOf(facts)};
${optionsOf(facts)}

export default {
  fetch: withCredits(gate, options, async (request, { credits }) => {
    // In place of your model: what it has used
    credits.report({ ${usage} });
    return Response.json({ text: "Hello" });
  }),
};
`,
    },
    {
      name: "Terminal",
      text: `npm install wrangler @creditgate/edge @creditgate/core @creditgate/client
npx wrangler dev worker.js &
${ask} http://localhost:8787/
`,
    },
  ];
}

/** Without a gate: what one sends when the work is done. */
function curl({ baseUrl, apiKey, customerId, agentId, indicator }: Facts): readonly Snippet[] {
  const rawUsage = { provider: "openai", model: "gpt-5", inputTokens: 12, outputTokens: 40 };
  const report = JSON.stringify({ customerId, agentId, indicator, rawUsage }, undefined, 2);
  return [
    {
      name: "Terminal",
      text: `curl ${shellQuote(`${baseUrl}/api/v2/usage`)} \\
  -H ${shellQuote(`service-api-key: ${apiKey}`)} \\
  -H "content-type: application/json" \\
  -d ${shellQuote(report)}
`,
    },
  ];
}
