import { z } from "zod";

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

export function isLine(value: string, minBytes: number, maxBytes: number): boolean {
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
