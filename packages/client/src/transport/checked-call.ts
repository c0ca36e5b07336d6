import type { z } from "zod";
import { identifier } from "../contract/fields.ts";
import { CreditgateError } from "../errors/creditgate-error.ts";
import type { Answer, CallInput, CallOptions } from "./call.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Transport } from "./transport.ts";

/** Returns what the caller gave, as it is, if it fits; throws `invalid_option` naming the field if it does not. */
export function checkInput<T>(endpoint: Endpoint, schema: z.ZodType, value: T, name = ""): T {
  const { error } = schema.safeParse(value);
  if (error === undefined) return value;
  throw new CreditgateError("invalid_option", `${endpoint.name}: ${firstIssue(error, name)}`);
}

/** Returns the body of a 2xx answer in the contract's type; throws `answer_invalid` naming the field. */
export function checkAnswer<T>(endpoint: Endpoint, schema: z.ZodType<T>, answer: Answer): T {
  const { data, error } = schema.safeParse(answer.body);
  if (error === undefined) return data;
  const message = `${endpoint.method} ${endpoint.path} answered ${answer.status} with a body that does not fit: ${firstIssue(error, "")}`;
  throw new CreditgateError("answer_invalid", message, { status: answer.status });
}

/** The path and the message of the first issue; zod's messages contain types, not values. */
function firstIssue(error: z.ZodError, name: string): string {
  const [issue] = error.issues;
  // A path may hold a key from outside: quoted, so that it cannot break a line of a log.
  const path = JSON.stringify(issue?.path.join(".") || name || "body").slice(1, -1);
  return `${path}: ${issue?.message}`;
}

/** Calls the service and checks what it answers. */
export async function call<Answer>(
  transport: Transport,
  endpoint: Endpoint,
  answer: z.ZodType<Answer>,
  input: CallInput,
  options: CallOptions | undefined,
): Promise<Answer> {
  return checkAnswer(endpoint, answer, await transport.send(endpoint, input, options));
}

/** The parameters of a path, each an identifier. */
export function checkPath<Name extends string>(
  endpoint: Endpoint,
  params: Readonly<Record<Name, string>>,
): Readonly<Record<Name, string>> {
  for (const [name, value] of Object.entries(params)) checkInput(endpoint, identifier, value, name);
  return params;
}

/** Methods that check what they are given, send it, and resolve the answer, checked. */
export interface Methods {
  post<Body, Answer>(
    endpoint: Endpoint<Body>,
    schema: z.ZodType,
    answer: z.ZodType<Answer>,
  ): (request: Body, options?: CallOptions) => Promise<Answer>;
  /** The first argument is the parameter of the path; of the query, fields that are not known are left out. */
  ask<Query, Parameter extends string, Answer>(
    endpoint: Endpoint<undefined, Query, Parameter>,
    parameter: Parameter,
    schema: z.ZodType,
    answer: z.ZodType<Answer>,
  ): (id: string, query?: Query, options?: CallOptions) => Promise<Answer>;
}

export function methodsOf(transport: Transport): Methods {
  return {
    post: (endpoint, schema, answer) => async (request, options) =>
      call(transport, endpoint, answer, { body: checkInput(endpoint, schema, request) }, options),
    ask:
      (endpoint, parameter, schema, answer) =>
      async (id, asked: unknown = {}, options) => {
        const params = checkPath(endpoint, { [parameter]: id });
        const query = schema.parse(checkInput(endpoint, schema, asked)) as CallInput["query"];
        return call(transport, endpoint, answer, { params, query }, options);
      },
  };
}
