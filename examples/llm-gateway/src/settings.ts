import { budgetRules, createClient } from "@creditgate/client";
import { createGate, type Gate, type GateOptions } from "@creditgate/core";
import { createGateway, type Gateway, type Payer } from "./gateway.ts";
import { currentPrices } from "./prices.ts";
import type { Upstream } from "./upstream.ts";

/** Variables of the process, or of the Worker. */
export interface Settings {
  readonly CREDITGATE_BASE_URL?: string | undefined;
  readonly CREDITGATE_API_KEY?: string | undefined;
  /** JSON by token: the customer's id, or `{ customer, budgets }`. */
  readonly CUSTOMER_TOKENS?: string | undefined;
  readonly OPENAI_API_KEY?: string | undefined;
  readonly OPENAI_BASE_URL?: string | undefined;
  readonly ANTHROPIC_API_KEY?: string | undefined;
  readonly ANTHROPIC_BASE_URL?: string | undefined;
  readonly MAX_OUTPUT_TOKENS?: string | undefined;
}

const work = { agentId: "gateway", indicator: "call" } as const;

/** The gateway, and its gate, which delivers the usage in this way. `send` is how requests go to the providers. Throws where a setting cannot be right. */
export function gatewayOf(
  settings: Settings,
  delivery: Pick<GateOptions, "ledger"> | Pick<GateOptions, "outbox">,
  send?: typeof fetch,
): { readonly gate: Gate; readonly gateway: Gateway } {
  const { CREDITGATE_BASE_URL: baseUrl, CREDITGATE_API_KEY: apiKey } = settings;
  const upstreams = { ...openAIOf(settings), ...anthropicOf(settings) };
  if (Object.keys(upstreams).length === 0) {
    throw new Error("OPENAI_API_KEY, ANTHROPIC_API_KEY: expected at least one of them, received none");
  }
  const payerOf = payersIn(settings.CUSTOMER_TOKENS ?? "{}");
  const client = createClient({ baseUrl, apiKey });
  // A call of a model takes seconds: better a moment later than refused.
  const gate = createGate({ client, currency: "ai_credits", checkTimeoutMs: 5_000, ...delivery });
  const gateway = createGateway({
    ...work,
    gate,
    send,
    prices: currentPrices(client, work),
    payerOf,
    upstreams,
    maxOutputTokens: countOf("MAX_OUTPUT_TOKENS", settings.MAX_OUTPUT_TOKENS || "4096"),
    maxBodyBytes: 4 * 1024 * 1024,
  });
  return { gate, gateway };
}

/** Stands in for your table of tokens, which has their hashes, and an expiry. */
function payersIn(json: string): (token: string) => Payer | undefined {
  const tokens = new Map<string, Payer>();
  try {
    for (const [token, payer] of Object.entries(objectOf(JSON.parse(json)))) {
      // A request without a token has this one; with a space in it no request could name it.
      if (!/^\S+$/.test(token)) throw new TypeError("expected a token without spaces");
      tokens.set(token, readPayer(typeof payer === "string" ? { customer: payer } : objectOf(payer)));
    }
  } catch (cause) {
    throw new Error(
      'CUSTOMER_TOKENS: expected JSON such as {"token":"customer"}, or {"token":{"customer":"acme","budgets":["member:42"]}}',
      { cause },
    );
  }
  return (token) => tokens.get(token);
}

/** Its fields. The places in a list would be tokens that are easily guessed. */
function objectOf(value: unknown): object {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new TypeError("expected an object");
}

function readPayer(given: { readonly customer?: unknown; readonly budgets?: unknown }): Payer {
  const { customer, budgets, ...others } = given;
  if (typeof customer !== "string" || customer === "") throw new TypeError("expected a customer's id");
  // A budget that is misspelt would be no limit.
  if (Object.keys(others).length > 0) throw new TypeError("expected customer and budgets alone");
  if (budgets === undefined) return { customer };
  const isKeys =
    Array.isArray(budgets) && budgets.every((key) => typeof key === "string" && budgetRules.key.test(key));
  if (!isKeys || budgets.length === 0 || budgets.length > budgetRules.inReport)
    throw new TypeError(`expected 1 to ${budgetRules.inReport} keys of budgets`);
  return { customer, budgets };
}

function openAIOf({ OPENAI_API_KEY: key, OPENAI_BASE_URL: url }: Settings): { readonly openai?: Upstream } {
  if (!key) return {};
  const baseUrl = addressOf("OPENAI_BASE_URL", url || "https://api.openai.com/v1");
  return { openai: { baseUrl, provider: "openai", headers: { authorization: `Bearer ${key}` } } };
}

/** Its clients take the address without `/v1`. */
function anthropicOf({ ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: url }: Settings): {
  readonly anthropic?: Upstream;
} {
  if (!key) return {};
  const baseUrl = `${addressOf("ANTHROPIC_BASE_URL", url || "https://api.anthropic.com")}/v1`;
  return { anthropic: { baseUrl, provider: "anthropic", headers: { "x-api-key": key } } };
}

/** Without a slash at its end. */
function addressOf(name: string, text: string): string {
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return text.replace(/\/+$/, "");
  throw new Error(
    `${name}: expected an address such as https://api.example.com, received ${JSON.stringify(text)}`,
  );
}

function countOf(name: string, text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new Error(`${name}: expected a whole number of tokens, received ${JSON.stringify(text)}`);
}
