import type { Endpoint } from "@creditgate/client";
import {
  type AdminEndpoints,
  adminAnswers,
  adminEndpoints,
  csvEndpoints,
  feedEndpoints,
  printEndpoints,
} from "@creditgate/client/admin";
import { type AdminScope, isRole } from "../admin/roles.ts";
import { adminTable } from "../admin/table.ts";
import { type AdminOperation, adminOperations } from "./admin-operations.ts";
import { answers } from "./answers.ts";
import type { OpenApiDocument, OpenApiOperation } from "./document.ts";
import { type JsonSchema, jsonSchema, queryFields } from "./json-schema.ts";

type Name = Exclude<keyof AdminEndpoints, "walletEnsure">;

/** Describes the admin API: paths, requests and answers are those of its contract. */
export function createAdminDocument(version: string): OpenApiDocument {
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const name of names()) {
    const { path, method } = adminEndpoints[name];
    paths[path] = { ...paths[path], [method.toLowerCase()]: describe(name) };
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "Creditgate admin API",
      version,
      description:
        "What operators do: organisations, prices, customers, wallets, orders, invoices, usage, webhooks and people.",
    },
    security: [{ adminToken: [] }],
    paths,
    components: {
      securitySchemes: { adminToken: { type: "http", scheme: "bearer" } },
      schemas: schemas(),
    },
  };
}

function names(): readonly Name[] {
  return Object.keys(adminOperations).filter((name): name is Name => Object.hasOwn(adminOperations, name));
}

const errors: Readonly<Record<number, string>> = {
  400: "The request does not fit the contract; `errors` names each field",
  401: "There is no credential, or no valid one",
  403: "The credential does not allow it",
  404: "What the request refers to does not exist",
  409: "What the request refers to is in another state; with `edit_conflict`, it was edited since its `etag` was read, and `conflict` has who changed which fields (`edits`) and the record as it is (`current`)",
  413: "The body is above 256 KiB",
  415: "The body is no JSON",
  422: "What is asked for cannot be done, or the Idempotency-Key came with another request before",
  429: "Too many requests of the organisation, or wrong credentials; see Retry-After",
  503: "The database is away, or the service overloaded; see Retry-After",
};

function describe(name: Name): OpenApiOperation {
  const endpoint: Endpoint = adminEndpoints[name];
  const { scope, body, query } = adminTable[name];
  const { tag, summary } = adminOperations[name];
  const inPath = [...endpoint.path.matchAll(/\{([^}]+)\}/g)].map(([, parameter]) => ({
    name: parameter,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  const inQuery =
    query === undefined ? [] : queryFields(query.schema).map((field) => ({ ...field, in: "query" }));
  const key = {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description: "The effect happens once per key; the same request gets the first answer again.",
    schema: { type: "string", pattern: "^[\\x21-\\x7e]{1,255}$" },
  };
  const parameters = [
    ...inPath,
    ...inQuery,
    ...(endpoint.keyed ? [key] : []),
    ...(Object.hasOwn(feedEndpoints, name) ? [lastEventId] : []),
  ];
  return {
    operationId: name,
    summary,
    description: whoMay(scope),
    tags: [tag],
    ...(scope === "anyone" ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : { requestBody: { content: { "application/json": { schema: reference(requestName(name)) } } } }),
    responses: { ...successes(name, adminOperations[name]), ...failures() },
  };
}

const lastEventId = {
  name: "Last-Event-ID",
  in: "header",
  required: false,
  description: "The `id` of an event: what came after it is told. Without it, what comes from now on.",
  schema: { type: "string" },
};

const eventStream = {
  type: "string",
  description:
    "Events `taken` and `settled`, whose data is a report as the list has it; `start` where a feed begins, or could not be resumed.",
};

function whoMay(scope: AdminScope): string {
  if (isRole(scope)) return `Takes the role \`${scope}\` in the organisation.`;
  switch (scope) {
    case "operator":
      return "Takes an operator.";
    case "user":
      return "Takes anyone who has signed in.";
    case "session":
      return "Takes a person who has signed in, and no token.";
    case "anyone":
      return "Takes no credential.";
  }
}

function successes(name: Name, { statuses = [200] }: AdminOperation) {
  return Object.fromEntries(statuses.map((status) => [status, { description: "Done", ...contentOf(name) }]));
}

function contentOf(name: Name) {
  if (Object.hasOwn(csvEndpoints, name)) return { content: { "text/csv": { schema: { type: "string" } } } };
  if (Object.hasOwn(feedEndpoints, name))
    return { content: { "text/event-stream": { schema: eventStream } } };
  if (Object.hasOwn(printEndpoints, name))
    return { content: { "text/html": { schema: { type: "string" } } } };
  if (!Object.hasOwn(adminAnswers, name)) return {};
  return { content: { "application/json": { schema: reference(answerName(name)) } } };
}

function failures() {
  const content = { "application/problem+json": { schema: reference("Problem") } };
  return Object.fromEntries(
    Object.entries(errors).map(([status, description]) => [status, { description, content }]),
  );
}

function schemas(): Record<string, JsonSchema> {
  const requests = names().flatMap((name) => {
    const { body } = adminTable[name];
    return body === undefined ? [] : [[requestName(name), jsonSchema(body.schema, "input")]];
  });
  const results = Object.entries(adminAnswers).map(([name, schema]) => [
    answerName(name),
    jsonSchema(schema, "output"),
  ]);
  const { Problem: problem } = answers;
  const shared = problem === undefined ? [] : [["Problem", jsonSchema(problem, "output")]];
  return Object.fromEntries([...requests, ...results, ...shared]);
}

function requestName(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}Request`;
}

function answerName(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}Answer`;
}

function reference(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}
