import type { ListQuery } from "@creditgate/client";
import { invalid } from "./validation.ts";

const defaultLimit = 20;
const maxLimit = 100;

/** Which part of a list is asked for. */
export interface ListPart {
  /** Records at most. */
  readonly limit: number;
  /** The record that the part before ended with. */
  readonly cursor: string | undefined;
}

/** Of a list, with our bounds: 20 records, at most 100. */
export function listPart({ limit, cursor }: ListQuery): ListPart {
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
