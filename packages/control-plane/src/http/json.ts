import type { ServerResponse } from "node:http";
import { formatCredits } from "../money/decimal.ts";

/** What our answers are made of: a `bigint` is micro-credits, a `Map` an object whose keys belong to the users. */
export type Json =
  | string
  | number
  | boolean
  | null
  | bigint
  | readonly Json[]
  | ReadonlyMap<string, Json>
  | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

/** Amounts are written as decimals, digit by digit: a float in between would lose some. */
export function stringify(value: Json): string {
  if (typeof value === "bigint") return formatCredits(value);
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (isList(value)) return `[${value.map(stringify).join()}]`;
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return `{${entries.map(([key, entry]) => `${JSON.stringify(key)}:${stringify(entry)}`).join()}}`;
}

export function sendJson(response: ServerResponse, status: number, body: Json): void {
  sendText(response, status, stringify(body));
}

/** Sends JSON that has been written already. Past Express, whose `send` finds out again what is known here. */
export function sendText(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Readonly<Record<string, string | string[]>> = {},
): void {
  response.writeHead(status, {
    ...headers,
    "cache-control": "no-store",
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
  });
  response.end(body);
}

function isList(value: object): value is readonly Json[] {
  return Array.isArray(value);
}
