import type { Denial } from "./denial.ts";

/** An HTTP answer in parts, for frameworks that do not speak `Response`. */
export interface DenialMessage {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The denial as `application/problem+json` (RFC 9457). No intermediary may keep it: the next request may be let in. */
export function denialMessage(denial: Denial): DenialMessage {
  const { retryAfter, ...problem } = denial;
  return {
    status: denial.status,
    headers: {
      "content-type": "application/problem+json",
      "cache-control": "no-store",
      ...(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }),
    },
    body: JSON.stringify({ type: `urn:creditgate:denial:${denial.code}`, ...problem }),
  };
}

/** {@link denialMessage} as a web `Response`. */
export function denialResponse(denial: Denial): Response {
  const { status, headers, body } = denialMessage(denial);
  return new Response(body, { status, headers });
}
