import { readFileSync } from "node:fs";
import type { Data } from "@creditgate/client";
import { z } from "zod";
import { invalid } from "../values.ts";

/** Its texts are the names of its fields. */
const route = (method: string) => ({
  method: z.string().default(method),
  path: z.string().startsWith("/"),
  customer: z.string().default("customer"),
  credits: z.string().optional(),
  answer: z.unknown().optional(),
});
const anyRoute = z.strictObject(route("GET"));
type Route = Data<typeof anyRoute>;

const schema = z.strictObject({
  /** A real service, to which all is passed on; without it, it is played. */
  url: z.url().optional(),
  /** Its answer has `{available}`: the credits that the customer can spend. */
  balance: anyRoute,
  /**
   * Takes credits from the wallet before the work, if it has them. A report with its `{id}` as key finalizes it; one that is
   * never finalized pays if the service keeps it.
   */
  reserve: z
    .strictObject({ ...route("POST"), refused: z.int().default(402), pays: z.boolean().default(false) })
    .optional(),
  report: z.strictObject({ ...route("POST"), key: z.string().default("idempotency-key") }),
  /** Adds `{credits}` to a wallet of a real service. */
  topUp: z.strictObject({ path: z.string(), body: z.unknown() }).optional(),
  /** What else the application asks for, as `"GET /path"`. */
  answers: z.record(z.string(), z.unknown()).default({}),
});

/** How an application calls its billing service. A field is looked for in the path, the query, the headers and the body. */
export type BillingRoutes = Data<typeof schema>;

/** Those of our control plane. */
export function creditgateRoutes(currency: string, url?: string): BillingRoutes {
  const zero = {
    kind: "prepaid",
    pending: 0,
    overage_used: 0,
    overage_limit: 0,
    postpaid_used: 0,
    postpaid_limit: 0,
  };
  const top_ups = [{ credit_currency_key: currency, credits: "{credits}" }];
  return schema.parse({
    url,
    balance: {
      path: "/api/v1/wallet/balance",
      customer: "customer_id",
      answer: { balances: { [currency]: { available: "{available}", ...zero } } },
    },
    report: { path: "/api/v2/usage", customer: "customerId" },
    topUp: { path: "/api/v1/wallet/top-up", body: { customer_id: "{customer}", top_ups } },
  });
}

/** Reads `--billing`: `creditgate`, the URL of a control plane, or a file that describes another service. */
export function readRoutes(billing: string, currency: string): BillingRoutes {
  if (billing === "creditgate") return creditgateRoutes(currency);
  if (/^https?:/.test(billing)) return creditgateRoutes(currency, billing);
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(billing, "utf8"));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw invalid("--billing", "creditgate, a URL, or a file with JSON", `${billing} (${reason})`);
  }
  const { data, error } = schema.safeParse(json);
  if (data !== undefined) return data;
  const issues = error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  throw invalid("--billing", "routes as in docs/gate/leak.md", issues.join("; "));
}

/** A request of the application to its billing service. */
export interface BillingRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Looks a field of a request up by its name. */
export type Find = (name: string) => unknown;

/** `undefined` if the request is for another route. */
export function matched(request: BillingRequest, route: Route | undefined): Find | undefined {
  if (route === undefined || request.method !== route.method.toUpperCase()) return undefined;
  const { pathname, searchParams } = new URL(request.url, "http://localhost");
  const pattern = route.path
    .replace(/[.*+?^$()|[\]\\]/g, "\\$&")
    .replace(/\{(\w+)\}/g, (_, name: string) => `(?<${name}>[^/]+)`);
  const match = new RegExp(`^${pattern}$`).exec(pathname);
  if (match === null) return undefined;
  const body = parsed(request.text);
  return (name) =>
    match.groups?.[name] ?? searchParams.get(name) ?? request.headers[name.toLowerCase()] ?? deep(body, name);
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The first field of this name, at any depth. */
export function deep(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  if (Object.hasOwn(value, name)) return Reflect.get(value, name);
  for (const inner of Object.values(value)) {
    const found = deep(inner, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A template with its `{names}` filled in; one that is a name alone becomes the value itself. */
export function filled(template: unknown, values: Readonly<Record<string, unknown>>): unknown {
  if (typeof template === "string") {
    const alone = /^\{(\w+)\}$/.exec(template)?.[1];
    if (alone !== undefined && alone in values) return values[alone];
    return template.replace(/\{(\w+)\}/g, (text, name: string) =>
      name in values ? String(values[name]) : text,
    );
  }
  if (Array.isArray(template)) return template.map((one) => filled(one, values));
  if (typeof template !== "object" || template === null) return template;
  return Object.fromEntries(Object.entries(template).map(([name, inner]) => [name, filled(inner, values)]));
}

/** Where a template has `{available}`, the number that an answer has there. */
export function availableIn(template: unknown, answer: unknown): number | undefined {
  if (template === "{available}") return Number.isFinite(Number(answer ?? NaN)) ? Number(answer) : undefined;
  if (typeof template !== "object" || template === null) return undefined;
  for (const [name, inner] of Object.entries(template)) {
    const found = availableIn(inner, Reflect.get(Object(answer), name));
    if (found !== undefined) return found;
  }
  return undefined;
}
