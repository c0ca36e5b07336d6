import { type Endpoint, type Endpoints, endpoints } from "@creditgate/client";
import { z } from "zod";
import type { Operation, QueryReader } from "../routes/operation.ts";
import { operations } from "../routes/table.ts";
import { answers } from "./answers.ts";

export interface OpenApiOperation {
  readonly operationId: string;
  readonly [field: string]: unknown;
}

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: {
    readonly securitySchemes: JsonSchema;
    readonly schemas: Readonly<Record<string, JsonSchema>>;
  };
  readonly [field: string]: unknown;
}

/** Errors that every operation may answer with. */
const commonErrors: Readonly<Record<number, string>> = {
  400: "The request does not fit the contract; `errors` names each field",
  401: "There is no API key, or no valid one",
  403: "The API key lacks the scope",
  413: "The body is above 16 KiB, or 256 KiB for an order, or 1 MiB for a batch of usage reports",
  415: "The body is no JSON",
  429: "Too many requests with this API key, or too much at once; see Retry-After",
  503: "The database is away, or the service overloaded; see Retry-After",
};

const furtherErrors = {
  404: "What the request refers to does not exist in the organisation",
  409: "What the request refers to is in another state",
  422: "The Idempotency-Key came with another body before, or an amount is out of range",
} as const;

/** Describes the API: paths and requests are those of the contract, so that both cannot differ. */
export function createDocument(version: string): OpenApiDocument {
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const name of operationNames()) {
    const endpoint = endpoints[name];
    const methods = paths[endpoint.path] ?? {};
    methods[endpoint.method.toLowerCase()] = describe(endpoint, operations[name]);
    paths[endpoint.path] = methods;
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "Creditgate control plane",
      version,
      description:
        "Wallets, usage, voice calls, customers, orders, invoices and agents. Where the usage billing API shows no fields, they are our choice.",
    },
    security: [{ apiKey: [] }],
    paths,
    components: {
      securitySchemes: { apiKey: { type: "apiKey", in: "header", name: "service-api-key" } },
      schemas: schemas(),
    },
  };
}

export function operationNames(): readonly (keyof Endpoints)[] {
  return Object.keys(operations).filter((name): name is keyof Endpoints => Object.hasOwn(endpoints, name));
}

function describe(endpoint: Endpoint, operation: Operation): OpenApiOperation {
  const { scope, summary, section, tag, query, path = {}, body } = operation;
  const parameters = [
    ...Object.entries(path).map(([name, example]) => ({
      name,
      in: "path",
      required: true,
      schema: { type: "string" },
      example,
    })),
    ...(query === undefined ? [] : queryParameters(query)),
    ...(endpoint.keyed ? [idempotencyKey] : []),
  ];
  return {
    operationId: endpoint.name,
    summary,
    description: `${
      section === undefined
        ? "Not in the usage billing API: our choice."
        : `Usage billing API, section ${section}.`
    } Needs an API key with the scope \`${scope}\`.`,
    tags: [tag],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: {
              "application/json": { schema: reference(bodyName(endpoint.name)), example: body.example },
            },
          },
        }),
    responses: responses(operation),
  };
}

const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "The effect happens once per key; the same request gets the first answer again.",
  schema: { type: "string", pattern: "^[\\x21-\\x7e]{1,255}$" },
};

function queryParameters({ schema, example }: QueryReader) {
  return queryFields(schema).map((field) => ({ ...field, in: "query", example: example[field.name] }));
}

function responses({ answers: successes, errors = [] }: Operation) {
  const answered = Object.entries(successes).map(([status, name]) => [
    status,
    {
      description: descriptions[status] ?? "Done",
      content: { "application/json": { schema: reference(name) } },
    },
  ]);
  const failures = Object.entries({
    ...commonErrors,
    ...Object.fromEntries(errors.map((status) => [status, furtherErrors[status]])),
  }).map(([status, description]) => [
    status,
    { description, content: { "application/problem+json": { schema: reference("Problem") } } },
  ]);
  return Object.fromEntries([...answered, ...failures]);
}

const descriptions: Readonly<Record<string, string>> = {
  200: "Found, or done",
  201: "Created",
  202: "Stored; its effect follows within seconds",
};

function schemas(): Record<string, JsonSchema> {
  const bodies = operationNames().flatMap((name) => {
    const { body } = operations[name];
    return body === undefined ? [] : [[bodyName(name), jsonSchema(body.schema, "input")]];
  });
  const results = Object.entries(answers).map(([name, schema]) => [name, jsonSchema(schema, "output")]);
  return Object.fromEntries([...bodies, ...results]);
}

/** As the contract names it. */
export function bodyName(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}Request`;
}

function reference(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** JSON as it goes out. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** The schema of what is parsed, or of what comes of it, in the words of JSON Schema. */
export function jsonSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    target: "draft-2020-12",
    // What they are is in their `meta`.
    unrepresentable: "any",
  });
  return rest;
}

/** The parameters of a query, each with its schema. */
export function queryFields(
  schema: z.ZodType,
): readonly { readonly name: string; readonly required: boolean; readonly schema: unknown }[] {
  const { properties, required } = z
    .object({ properties: z.record(z.string(), z.unknown()), required: z.array(z.string()).default([]) })
    .parse(jsonSchema(schema, "input"));
  return Object.entries(properties).map(([name, property]) => ({
    name,
    required: required.includes(name),
    schema: property,
  }));
}
