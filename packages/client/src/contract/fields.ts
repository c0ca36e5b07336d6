import { z } from "zod";
import { isJsonObject } from "../errors/json-object.ts";

/** What a schema parses, not to be changed. */
export type Data<Schema extends z.ZodType> = Frozen<z.output<Schema>>;

type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Field in keyof T]: Frozen<T[Field]> }
    : T;

/** A record of an answer: fields that are not listed are passed on. */
export function record<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape, z.core.$strip> {
  return z.looseObject(shape);
}

const encoder = new TextEncoder();

/** Control characters, and halves of surrogate pairs, which no UTF-8 can carry unchanged. */
const unprintable = /[\p{Cc}\p{Cs}]/u;
const unstorable = /\p{Cs}/u;

function fits(value: string, minBytes: number, maxBytes: number): boolean {
  // A character is at least one byte: an overlong string need not be encoded to be refused.
  if (value.length > maxBytes) return false;
  const bytes = encoder.encode(value).length;
  return bytes >= minBytes && bytes <= maxBytes;
}

/** Nearly all that comes, and each character of it is a byte. */
const plain = /^[ -~]*$/;

function isLine(value: string, minBytes: number, maxBytes: number): boolean {
  return plain.test(value)
    ? value.length >= minBytes && value.length <= maxBytes
    : fits(value, minBytes, maxBytes) && !unprintable.test(value);
}

export function line(minBytes: number, maxBytes: number): z.ZodType<string> {
  return z
    .string()
    .refine(
      (value) => isLine(value, minBytes, maxBytes),
      `Invalid input: expected ${minBytes} to ${maxBytes} bytes without control characters`,
    );
}

export function prose(maxBytes: number): z.ZodType<string> {
  return z
    .string()
    .refine(
      (value) => fits(value, 0, maxBytes) && !unstorable.test(value) && !value.includes("\0"),
      `Invalid input: expected at most ${maxBytes} bytes without NUL`,
    );
}

/**
 * An ID or a key: 1 to 256 bytes of UTF-8 without control characters; case and Unicode form are kept. Not `.` or `..`, which
 * every URL parser takes for steps in the path, encoded or not: what has such an ID could not be asked for.
 */
export const identifier: z.ZodType<string> = line(1, 256).refine(
  (value) => value !== "." && value !== "..",
  'Invalid input: expected an ID, which "." and ".." cannot be',
);

const pattern = /^(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,3}))?$/i;

/**
 * Whether it is a decimal from 0 to `max` with at most `decimals` decimals: by the shortest text that denotes a number, as
 * the service reads it.
 */
export function isDecimal(source: number | string, max: number, decimals: number): boolean {
  const match = pattern.exec(String(source));
  if (match === null) return false;
  const [, whole = "", fraction = "", exponent = "0"] = match;
  const scale = fraction.length - Number(exponent);
  if (scale > decimals) return false;
  const digits = BigInt(`${whole}${fraction}`);
  return scale >= 0
    ? digits <= BigInt(max) * 10n ** BigInt(scale)
    : digits * 10n ** BigInt(-scale) <= BigInt(max);
}

/** Counts of what a service has its own names for, as `{ pages: 3, "web searches": 1 }`. */
export type Units = Readonly<Record<string, number>>;

const most = 1_000_000_000_000;
/** Of what has been computed in floating point there are many, and none is lost. */
const maxDecimals = 30;
const mostUnits = 20;

/** Whether it is the name of a unit: 1 to 64 bytes without control characters. */
export function isUnitName(name: string): boolean {
  return isLine(name, 1, 64);
}

function isUnits(value: unknown): value is Units {
  if (!isJsonObject(value)) return false;
  const counts = Object.entries(value);
  return (
    counts.length <= mostUnits &&
    counts.every(
      ([name, count]) => isUnitName(name) && typeof count === "number" && isDecimal(count, most, maxDecimals),
    )
  );
}

/** Parses counts of units. Each name is an ordinary one; those of an object schema drop some. */
export const units: z.ZodType<Units> = z
  .custom<Units>(
    isUnits,
    `Invalid input: expected at most ${mostUnits} numbers from 0 to ${most} with at most ${maxDecimals} decimals, by names of 1 to 64 bytes`,
  )
  .meta({ type: "object", maxProperties: mostUnits, additionalProperties: { type: "number", minimum: 0 } });

/** A position or a size of a page; out of a URL it arrives as digits. */
export const ordinal: z.ZodType<number> = z.preprocess(
  (value) => (typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value),
  z.int().min(1),
);

/** Parses the query of a list, out of a URL (digits) or as values. */
export const listQuery = z.object({
  /** Records to a part, 1 to 100. @default 20 */
  limit: ordinal.optional(),
  /** The `next` of the part before. */
  cursor: identifier.optional(),
});

/** A part of a list, from its beginning or from where the part before ended. The API shows no pages of it: this is our choice. */
export type ListQuery = Data<typeof listQuery>;

/** A JSON object whose fields the API does not show; it is passed on as it is. */
export type OpenRecord = Readonly<Record<string, unknown>>;

/** A JSON object whose fields the API does not show; it is passed on as it is. */
export const openRecord: z.ZodType<OpenRecord> = z.custom<OpenRecord>(
  isJsonObject,
  "Invalid input: expected object",
);

/**
 * A map whose keys belong to the users. `z.record` drops the key `__proto__`, and its plain object inherits
 * `constructor`; here every key is an ordinary one, and the map inherits nothing.
 */
export function dictionary<Value>(entry: z.ZodType<Value>): z.ZodType<Readonly<Record<string, Value>>> {
  return z.unknown().transform((input, context) => {
    const output: Record<string, Value> = Object.create(null);
    if (!isJsonObject(input)) {
      context.addIssue({ code: "invalid_type", expected: "record", input });
      return output;
    }
    for (const [key, value] of Object.entries(input)) {
      const parsed = entry.safeParse(value);
      if (parsed.success) output[key] = parsed.data;
      else {
        for (const issue of parsed.error.issues) {
          context.addIssue({
            code: "custom",
            message: issue.message,
            path: [key, ...issue.path],
            input: value,
          });
        }
      }
    }
    return output;
  });
}
