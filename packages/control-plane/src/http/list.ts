import { type ListQuery, listQuery } from "@creditgate/client";
import type { Request } from "express";
import { invalid, parse } from "./validation.ts";

const defaultLimit = 20;
const maxLimit = 100;

/** Which part of a list is asked for. */
export interface ListPart {
  /** Records at most. */
  readonly limit: number;
  /** The record that the part before ended with. */
  readonly cursor: string | undefined;
}

/** Reads `limit` and `cursor` out of a request. */
export function listPart(request: Request): ListPart {
  const { limit, cursor }: ListQuery = parse(listQuery, request.query, "query");
  return { limit: checkLimit(limit), cursor };
}

/** How many records a page has, by default 20; a 400 for more than 100. */
export function checkLimit(limit: number = defaultLimit): number {
  if (limit <= maxLimit) return limit;
  throw invalid([{ pointer: "limit", detail: `expected 1 to ${maxLimit}, received ${limit}` }]);
}

/** A 400 for a cursor that was in no answer. */
export function cursorUnknown(cursor: string): never {
  const detail = `expected the next of an answer, received ${JSON.stringify(cursor)}`;
  throw invalid([{ pointer: "cursor", detail }]);
}
