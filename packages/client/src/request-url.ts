import type { CallInput } from "./call.ts";
import { CreditgateError } from "./creditgate-error.ts";
import type { Endpoint } from "./endpoint.ts";

/** The address of a call: parameters encoded into the path, the query behind it. */
export function requestUrl(baseUrl: string, endpoint: Endpoint, input: CallInput): string {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(checkParameter(endpoint, name, input.params?.[name])),
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined) query.append(name, checkText(endpoint, name, String(value)));
  }
  const search = query.toString();
  return search === "" ? baseUrl + path : `${baseUrl}${path}?${search}`;
}

function checkParameter(endpoint: Endpoint, name: string, value: unknown): string {
  if (typeof value !== "string") throw refused(endpoint, name, "a string", typeof value);
  if (value === "") throw refused(endpoint, name, "a non-empty string", '""');
  // A URL parser takes these for steps in the path, and its own encoding does not prevent that.
  if (value === "." || value === "..") throw refused(endpoint, name, "a name", JSON.stringify(value));
  return checkText(endpoint, name, value);
}

function checkText(endpoint: Endpoint, name: string, value: string): string {
  // Half a surrogate pair would become U+FFFD in a query, which is another customer, and throw in a path.
  if (/\p{Cs}/u.test(value)) throw refused(endpoint, name, "well-formed Unicode", "a lone surrogate");
  return value;
}

function refused(endpoint: Endpoint, name: string, expected: string, received: string): CreditgateError {
  return new CreditgateError(
    "invalid_option",
    `${endpoint.name}: ${name}: expected ${expected}, received ${received}`,
  );
}
