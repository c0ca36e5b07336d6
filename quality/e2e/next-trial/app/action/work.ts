import { adapterResponse } from "@creditgate/conformance";
import type { Charge } from "@creditgate/core";
import { trialOf, workAfter } from "../../trial.ts";

/** What a request says in its headers: from a script as an object, from a form without one as its fields. */
export type Headers = Readonly<Record<string, string>> | FormData;

export const trial = trialOf(([headers]: readonly [Headers], name) => read(headers, name));

/** Does what the headers ask that it is given. Not beside "use server": Next 14 would make it an action itself. */
export async function work(
  { credits }: { readonly credits: Charge },
  headers: Headers,
): Promise<number | ReadableStream | AsyncIterable<unknown>> {
  const begin = () => trial.work([headers], credits, {});
  if (read(headers, "x-after") !== undefined) {
    await workAfter((name) => read(headers, name), credits, begin);
    return 200;
  }
  const answer = await begin();
  const { body } = adapterResponse(answer);
  if (typeof answer.body === "string" || body === null) return answer.status;
  return read(headers, "x-iterable") === undefined ? body : iterable(body);
}

async function* iterable(body: ReadableStream): AsyncGenerator<unknown> {
  yield* body;
}

function read(headers: Headers, name: string): string | undefined {
  return headers instanceof FormData ? headers.get(name)?.toString() : headers[name];
}
