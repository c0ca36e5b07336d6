import { denialPage } from "#denial-page";
import type { Denial } from "./denial.ts";

/** An HTTP answer in parts, for frameworks that do not speak `Response`. */
export interface DenialMessage {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The value of a request's header, by its lower-case name. */
export type HeaderReader = (name: string) => string | null | undefined;

/** What a denial reads of a web request. */
export interface HeadedRequest {
  readonly headers: Pick<Headers, "get">;
}

/**
 * The denial as `application/problem+json` (RFC 9457), or as a page if the request is a browser's navigation. No
 * intermediary may keep it: the next request may be let in.
 */
export function denialMessage(denial: Denial, header: HeaderReader = () => undefined): DenialMessage {
  const forPeople = isNavigation(header);
  const { retryAfter, ...problem } = denial;
  return {
    status: denial.status,
    headers: {
      ...(forPeople ? pageHeaders : { "content-type": "application/problem+json" }),
      "cache-control": "no-store",
      ...(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }),
    },
    body: forPeople
      ? denialPage(denial)
      : JSON.stringify({ type: `urn:creditgate:denial:${denial.code}`, ...problem }),
  };
}

/** {@link denialMessage} as a web `Response`. */
export function denialResponse(denial: Denial, request?: HeadedRequest): Response {
  const { status, headers, body } = denialMessage(denial, (name) => request?.headers.get(name));
  return new Response(body, { status, headers });
}

const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
};

/** Browsers send `Sec-Fetch-Mode`; one that does not at least accepts HTML by name. */
function isNavigation(header: HeaderReader): boolean {
  const mode = header("sec-fetch-mode");
  if (typeof mode === "string") return mode === "navigate";
  return /\btext\/html\b/.test(header("accept") ?? "");
}
