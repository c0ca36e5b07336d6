import type { ExactRequest } from "@creditgate/conformance";
import { send } from "./adapters-node.ts";

/** Calls the action as the browser does: the arguments are JSON, and what it resolves with is a row of the answer. */
export async function sendAction(
  url: string,
  id: string,
  { headers, signal }: Pick<ExactRequest, "headers" | "signal">,
): Promise<Response> {
  return send(url, {
    method: "POST",
    headers: { "next-action": id, "content-type": "text/plain;charset=UTF-8" },
    body: JSON.stringify([headers]),
    signal,
  });
}

/** Sends it, and gives the answer the status that a handler would have: 402 for a denial. */
export async function sendActionAsRequest(
  url: string,
  id: string,
  request: Pick<ExactRequest, "headers" | "signal">,
): Promise<Response> {
  const response = await sendAction(url, id, request);
  if (response.status !== 200 || response.body === null) return response;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let allowed: string | undefined;
  while (allowed === undefined) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`an action resolved with nothing: ${text}`);
    text += decoder.decode(value, { stream: true });
    allowed = /"allowed":(true|false)/.exec(text)?.[1];
  }
  const first = new TextEncoder().encode(text);
  const rest = new ReadableStream({
    start: (controller) => controller.enqueue(first),
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  return new Response(rest, { status: allowed === "true" ? 200 : 402 });
}
