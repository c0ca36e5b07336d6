import { identifier } from "@creditgate/client";
import { instant } from "@creditgate/client/admin";
import { z } from "zod";
import { cursorUnknown } from "./list.ts";

/** What a key of a list may be. */
export type KeyType = "text" | "bigint" | "uuid" | "timestamptz";

const keys: Readonly<Record<KeyType, z.ZodType<string>>> = {
  text: z.union([identifier, z.literal("")]),
  bigint: z.string().regex(/^\d{1,18}$/),
  uuid: z.guid(),
  timestamptz: instant,
};

/** The keys of the record that a part of a list ended with, as text that clients hand back unread. */
export function writeCursor(place: readonly string[]): string {
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

/** The keys of a cursor; a 400 where it is none, or one of another list. */
export function readCursor(cursor: string, types: readonly KeyType[]): readonly string[] {
  const place = z.array(z.string()).length(types.length).safeParse(parse(cursor));
  const isOurs = place.data?.every((key, index) => keys[types[index] ?? "text"].safeParse(key).success);
  return place.data !== undefined && isOurs ? place.data : cursorUnknown(cursor);
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}
