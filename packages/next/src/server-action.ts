import type { Awaitable, Charge, CreditsOptions, Denial, Gate } from "@creditgate/core";
import { createAdmission, type GatedRequest, invalidOption } from "@creditgate/core/adapter";
import { waitUntilAfter, withAfter } from "./after.ts";
import { gatedOrRedirected } from "./redirect.ts";

/** What a gated action resolves with: its own result, or why its customer could not have one. */
export type ActionOutcome<Result> =
  | { readonly allowed: true; readonly result: Result }
  | { readonly allowed: false; readonly denial: Denial };

/**
 * A server action that runs only if its customer can pay, and else resolves with the denial, for the page to show. The
 * action gets the charge, then the arguments; the resolvers get the arguments as a tuple. What was reported is billed
 * once the action has ended, the stream or iterable that it returned, and all that it gave to `after()`. Throws an `invalid_option` error for options that cannot be right, and for an action that
 * can be called around the gate; rejects with what a resolver or the action throws.
 */
export function withCreditsAction<Arguments extends readonly unknown[], Result>(
  gate: Gate,
  options: Omit<CreditsOptions<Arguments>, "onAbort" | "abortGraceMs">,
  action: (gated: { readonly credits: Charge }, ...args: Arguments) => Awaitable<Result>,
): (...args: Arguments) => Promise<ActionOutcome<Result>> {
  if (isServerReference(action)) {
    const expected =
      'a function from a file without "use server", since Next 14 makes each one in it an action itself';
    invalidOption("action", expected, action);
  }
  const admit = createAdmission(gate, options);
  return async (...args) => {
    const waitUntil = waitUntilAfter();
    const admission = await withAfter(admit(args, waitUntil));
    if (!admission.admitted) return { allowed: false, denial: admission.denial };
    let result: Awaited<Result> | undefined;
    const { body } = await gatedOrRedirected(
      { request: unseen(), admission: Promise.resolve(admission), waitUntil },
      async (credits) => {
        result = await action({ credits }, ...args);
        return new Response(streamOf(result));
      },
    );
    return { allowed: true, result: (body === null ? result : like(result, body)) as Awaited<Result> };
  };
}

/** An action does not see its request. */
function unseen(): GatedRequest["request"] {
  return { method: "POST", headers: new Headers(), signal: new AbortController().signal };
}

/** What the page reads after the action has ended. */
function streamOf(result: unknown): ReadableStream | null {
  if (result instanceof ReadableStream) return result;
  if (!isIterable(result)) return null;
  const chunks = result[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => void (await chunks.return?.()),
  });
}

/** The stream as what the action returned: a page reads an iterable otherwise. */
function like(result: unknown, stream: ReadableStream): unknown {
  return result instanceof ReadableStream ? stream : chunksOf(stream);
}

async function* chunksOf(stream: ReadableStream): AsyncGenerator<unknown> {
  yield* stream;
}

function isIterable(result: unknown): result is AsyncIterable<unknown> {
  return typeof result === "object" && result !== null && Symbol.asyncIterator in result;
}

/** A function with an id of its own can be called by it, around the gate. */
function isServerReference(action: object): boolean {
  return "$$typeof" in action && action.$$typeof === Symbol.for("react.server.reference");
}
