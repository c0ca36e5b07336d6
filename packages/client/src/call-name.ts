import type { Endpoint } from "./endpoint.ts";

/** A call in messages: which service was asked for what. The parameters of the path stay out: they name customers. */
export function callName(baseUrl: string, { method, path }: Endpoint): string {
  return `${method} ${baseUrl}${path}`;
}
