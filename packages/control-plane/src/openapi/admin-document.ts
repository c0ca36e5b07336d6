import { type AdminEndpoint, type AdminScope, adminEndpoints } from "@creditgate/admin";
import { isRole } from "../admin/table.ts";
import { answers } from "./answers.ts";
import {
  type JsonSchema,
  jsonSchema,
  type OpenApiDocument,
  type OpenApiOperation,
  queryFields,
} from "./document.ts";

const endpoints: readonly AdminEndpoint[] = Object.values(adminEndpoints);

/** Describes the admin API: paths, requests and answers are those of its contract. */
export function createAdminDocument(version: string): OpenApiDocument {
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const endpoint of endpoints) {
    const { path, method } = endpoint;
    paths[path] = { ...paths[path], [method.toLowerCase()]: describe(endpoint) };
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
    components: { securitySchemes: { adminToken: { type: "http", scheme: "bearer" } }, schemas: schemas() },
  };
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

function describe(endpoint: AdminEndpoint): OpenApiOperation {
  const { name, path, kind, keyed, scope, body, query, tag, summary } = endpoint;
  const inPath = [...path.matchAll(/\{([^}]+)\}/g)].map(([, parameter]) => ({
    name: parameter,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  const inQuery = query === undefined ? [] : queryFields(query).map((field) => ({ ...field, in: "query" }));
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
    ...(keyed ? [key] : []),
    ...(kind === "events" ? [lastEventId] : []),
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
    responses: { ...successes(endpoint), ...failures() },
  };
}

const lastEventId = {
  name: "Last-Event-ID",
  in: "header",
  required: false,
  description: "The `id` of an event: the stream continues after it. Without it, the stream begins now.",
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

function successes(endpoint: AdminEndpoint) {
  const content = contentOf(endpoint);
  return Object.fromEntries(
    endpoint.statuses.map((status) => [status, { description: "Done", ...(content && { content }) }]),
  );
}

function contentOf({ name, kind }: AdminEndpoint) {
  switch (kind) {
    case "csv":
      return { "text/csv": { schema: { type: "string" } } };
    case "events":
      return { "text/event-stream": { schema: eventStream } };
    case "page":
      return { "text/html": { schema: { type: "string" } } };
    case "redirect":
      return undefined;
    default:
      return { "application/json": { schema: reference(answerName(name)) } };
  }
}

function failures() {
  const content = { "application/problem+json": { schema: reference("Problem") } };
  return Object.fromEntries(
    Object.entries(errors).map(([status, description]) => [status, { description, content }]),
  );
}

function schemas(): Record<string, JsonSchema> {
  const requests = endpoints.flatMap(({ name, body }) =>
    body === undefined ? [] : [[requestName(name), jsonSchema(body, "input")]],
  );
  const results = endpoints.flatMap(({ name, answer }) =>
    answer === undefined ? [] : [[answerName(name), jsonSchema(answer, "output")]],
  );
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
