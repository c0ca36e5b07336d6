import { budgetKind, budgetName } from "@creditgate/admin";
import { type Endpoint, identifier } from "@creditgate/client";
import { type Request, type RequestHandler, type Response, Router } from "express";
import { z } from "zod";
import type { Database } from "../database/connection.ts";
import { type CsvAnswer, sendCsv } from "../http/csv.ts";
import { type EventStreamAnswer, sendEvents } from "../http/event-stream.ts";
import { sendText } from "../http/json.ts";
import { type PageAnswer, sendPage } from "../http/page-answer.ts";
import { Problem } from "../http/problem.ts";
import { parse } from "../http/validation.ts";
import type { Clock } from "../time/clock.ts";
import { caller, organization, visitor } from "./authentication.ts";
import type { Answer } from "./idempotency.ts";
import { echoKey, hashOf, idempotencyKey, once } from "./idempotency.ts";

/** What is common to the entries of a table of endpoints. */
export interface Served {
  /** What the caller's credentials must allow. */
  readonly scope: string;
  readonly body?: { readonly schema: z.ZodType };
  readonly query?: { readonly schema: z.ZodType };
  /** What its answers are kept under for `once`: another name forgets them. @default the path without its version */
  readonly onceAs?: string;
  /** Answered elsewhere: here it has no handler, only a 405 for other methods. @default false */
  readonly isFast?: boolean;
}

type AnyAnswer = Answer | CsvAnswer | PageAnswer | EventStreamAnswer;

export interface EndpointRoutesOptions<Name extends string, Entry extends Served> {
  readonly endpoints: Readonly<Record<Name, Endpoint>>;
  readonly table: Readonly<Record<Name, Entry>>;
  readonly handlers: Readonly<Record<string, (call: never) => Promise<AnyAnswer>>>;
  /** What a request passes before its handler. */
  guards(entry: Entry): readonly RequestHandler[];
  /** What a request passes that has a method which its path does not have. */
  readonly otherMethods: readonly RequestHandler[];
  readonly database: Database;
  readonly clock: Clock;
  /** Ends streams of events. @default nothing does */
  readonly stopping?: AbortSignal;
}

/** The routes of a table of endpoints, and a 405 for their other methods. Throws for one without scope or handler. */
export function endpointRoutes<Name extends string, Entry extends Served>(
  options: EndpointRoutesOptions<Name, Entry>,
): Router {
  const { endpoints, table, handlers, guards, otherMethods } = options;
  const router = Router();
  const methods = new Map<string, Set<string>>();
  for (const name in endpoints) {
    const endpoint: Endpoint = endpoints[name];
    const served: Entry | undefined = table[name];
    const handler = handlers[name];
    // A program that is not typed may leave them out, and would serve the endpoint to anyone.
    if (served?.scope === undefined) throw new TypeError(`${name}: expected a scope, received none`);
    if (handler === undefined && served.isFast !== true)
      throw new TypeError(`${name}: expected a handler, received none`);
    const path = endpoint.path.replaceAll(/\{([^}]+)\}/g, ":$1");
    methods.set(path, (methods.get(path) ?? new Set()).add(endpoint.method));
    if (handler === undefined) continue;
    const method = endpoint.method === "GET" ? "get" : "post";
    router[method](path, ...guards(served), answering(endpoint, served, handler, options));
  }
  // A path such as …/usage/resettle is one of …/usage/{usage_id}, too: the one with fewer parameters answers.
  const byParameters = [...methods].sort(([one], [other]) => parametersOf(one) - parametersOf(other));
  for (const [path, own] of byParameters) router.all(path, ...otherMethods, refuseMethod([...own]));
  return router;
}

function parametersOf(path: string): number {
  return path.split(":").length - 1;
}

/** What users choose must fit the contract; an ID of ours that is none is unknown. */
const parameters: Readonly<Record<string, z.ZodType>> = {
  external_id: identifier,
  externalId: identifier,
  agentId: identifier,
  indicator: identifier,
  creditCurrencyKey: identifier,
  budgetKey: budgetName,
  budgetKind,
};

function answering(
  endpoint: Endpoint,
  { body, query, onceAs }: Served,
  handler: (call: never) => Promise<AnyAnswer>,
  {
    database,
    clock,
    stopping = new AbortController().signal,
  }: Pick<EndpointRoutesOptions<never, never>, "database" | "clock" | "stopping">,
): RequestHandler {
  const names = [...endpoint.path.matchAll(/\{([^}]+)\}/g)].map(([, name = ""]) => name);
  const params = z.object(Object.fromEntries(names.map((name) => [name, parameters[name] ?? z.string()])));
  const operation = onceAs ?? endpoint.path.replace(/^\/api\/v\d+\//, "");

  const callOf = (request: Request, response: Response) => {
    const at = new Date(clock.now());
    const call = {
      get orgId() {
        return organization(response);
      },
      actor: caller(response).actor,
      get visitor() {
        return visitor(response);
      },
      at,
      params: parse(params, request.params, "path"),
      query: query && parse(query.schema, request.query, "query"),
      body: body && parse(body.schema, request.body, "body"),
      async once(perform: Parameters<typeof once>[4]) {
        const key = idempotencyKey(request);
        const identity = { orgId: call.orgId, key, hash: hashOf(identified(call)) };
        const answer = await once(database, operation, identity, at, perform);
        echoKey(response, key);
        return answer;
      },
      lastEventId: request.get("last-event-id"),
      database,
    };
    return call;
  };
  return async (request, response) => {
    // Parsed by the schemas that the types of the table ask for.
    const answer = await handler(callOf(request, response) as never);
    if ("parts" in answer) await sendCsv(response, answer, { isAdmitted: visitor(response).isStillAdmitted });
    else if ("events" in answer) await sendEvents(response, answer, { stopping });
    else if ("page" in answer) sendPage(response, answer);
    else sendText(response, answer.status, answer.body, answer.headers);
  };
}

/** What makes a request another one: its body, and what its path names below the organisation. */
function identified({ body, params }: { readonly body: unknown; readonly params: object }): unknown {
  const named = Object.entries(params).filter(([name]) => name !== "organizationId");
  return named.length === 0 ? body : { body, ...Object.fromEntries(named) };
}

function refuseMethod(methods: readonly string[]): RequestHandler {
  const allow = methods.join(", ");
  return ({ method }) => {
    throw new Problem(405, "method_not_allowed", `expected ${allow}, received ${method}`, {
      headers: { allow },
    });
  };
}
