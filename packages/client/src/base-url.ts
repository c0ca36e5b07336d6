import { CreditgateError } from "./creditgate-error.ts";

/** Checks the base URL and returns it without a trailing slash. What was received is told without its secrets. */
export function parseBaseUrl(value: unknown, allowInsecure: boolean): string {
  if (typeof value !== "string") throw refused(typeof value);
  const url = parse(value);
  if (url === undefined) throw refused("a string that is no URL");
  if (url.username !== "" || url.password !== "") throw refused("a URL with credentials");
  if (/[?#]/.test(value)) throw refused("a URL with a query or a fragment");
  if (url.protocol === "http:" && !allowInsecure && !isLoopback(url.hostname)) {
    throw refused("http to a host that is not this machine");
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") throw refused(`a ${url.protocol} URL`);
  return url.origin + url.pathname.replace(/\/+$/, "");
}

function parse(value: string): URL | undefined {
  // Not URL.canParse, which some edge runtimes lack.
  try {
    return new URL(value);
  } catch {
    return undefined;
  }
}

function isLoopback(hostname: string): boolean {
  // The parser has already turned 127.1, 2130706433 and the like into four decimal parts.
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

function refused(received: string): CreditgateError {
  const expected =
    "an https URL without credentials, query or fragment (http only for loopback or with allowInsecure), as the option or in CREDITGATE_BASE_URL";
  return new CreditgateError("invalid_option", `baseUrl: expected ${expected}, received ${received}`);
}
