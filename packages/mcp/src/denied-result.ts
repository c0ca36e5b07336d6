import type { Denial } from "@creditgate/core";
import { denialMessage } from "@creditgate/core/adapter";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";

/** The key of `_meta` under which a denied result has the denial, as the body of `application/problem+json`. */
export const denialKey = "creditgate/denial";

/**
 * What the client of a tool gets instead of its result. Without `structuredContent`: a client checks that against the tool's
 * `outputSchema`, and throws what does not fit.
 */
export function deniedResult(denial: Denial): CallToolResult {
  return {
    isError: true,
    content: [{ type: "text", text: textOf(denial) }],
    _meta: { [denialKey]: JSON.parse(denialMessage(denial).body) },
  };
}

/** For the model to read, and to explain to its user. */
function textOf({ title, required, available, currency, actionUrl, retryAfter }: Denial): string {
  const sentences = [`${title}.`];
  if (available !== undefined) {
    const spendable = Math.max(0, available);
    sentences.push(`This call needs ${required} ${currency}, and ${spendable} can be spent now.`);
  }
  if (retryAfter !== undefined) sentences.push(`Try again in ${retryAfter} s.`);
  // Last, and without a full stop, which would be taken for a part of it.
  if (actionUrl !== undefined) sentences.push(`To go on: ${actionUrl}`);
  return sentences.join(" ");
}
