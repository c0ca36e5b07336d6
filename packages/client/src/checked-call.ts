import type { z } from "zod";
import type { CallInput, CallOptions } from "./call.ts";
import { identifier } from "./contract/index.ts";
import { checkAnswer, checkInput } from "./contract-check.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Transport } from "./transport.ts";

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

/** A method that posts what it is given, checked before it is sent, and resolves the answer, checked. */
export type Post = <Body, Answer>(
  endpoint: Endpoint<Body>,
  body: z.ZodType<Body>,
  answer: z.ZodType<Answer>,
) => (request: Body, options?: CallOptions) => Promise<Answer>;

export function posting(transport: Transport, params?: CallInput["params"]): Post {
  return (endpoint, schema, answer) => async (request, options) =>
    call(transport, endpoint, answer, { params, body: checkInput(endpoint, schema, request) }, options);
}
