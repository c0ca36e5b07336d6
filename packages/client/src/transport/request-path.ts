import { verbose } from "#verbosity";
import { CreditgateError } from "../errors/creditgate-error.ts";
import type { CallInput } from "./call.ts";
import type { Endpoint } from "./endpoint.ts";

/** The path of a call below the origin: parameters encoded into it, the query behind it. */
export function requestPath(basePath: string, endpoint: Endpoint, { params, query }: CallInput): string {
  const path =
    basePath +
    endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(checkParameter(endpoint, name, params?.[name])),
    );
  let search = "";
  for (const name in query) {
    const value = query[name];
    if (value !== undefined) search += `${search === "" ? "?" : "&"}${pair(endpoint, name, String(value))}`;
  }
  return path + search;
}

function pair(endpoint: Endpoint, name: string, value: string): string {
  // The common case: nothing to encode, and no object made to find that out.
  if (/^[\w.*-]*$/.test(value)) return `${name}=${value}`;
  return new URLSearchParams([[name, checkText(endpoint, name, value)]]).toString();
}

function checkParameter(endpoint: Endpoint, name: string, value: unknown): string {
  if (typeof value !== "string") throw refused(endpoint, name, verbose && "a string", typeof value);
  if (value === "") throw refused(endpoint, name, verbose && "a non-empty string", '""');
  // A URL parser takes these for steps in the path, and its own encoding does not prevent that.
  if (value === "." || value === "..")
    throw refused(endpoint, name, verbose && "a name", JSON.stringify(value));
  return checkText(endpoint, name, value);
}

function checkText(endpoint: Endpoint, name: string, value: string): string {
  // Half a surrogate pair would become U+FFFD in a query, which is another customer, and throw in a path.
  if (/\p{Cs}/u.test(value))
    throw refused(endpoint, name, verbose && "well-formed Unicode", "a lone surrogate");
  return value;
}

function refused(
  endpoint: Endpoint,
  name: string,
  expected: string | false,
  received: string,
): CreditgateError {
  return new CreditgateError(
    "invalid_option",
    `${endpoint.name}: ${name}: ${verbose ? `expected ${expected}, received ` : ""}${received}`,
  );
}
