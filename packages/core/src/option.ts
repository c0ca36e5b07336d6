import { CreditgateError } from "@creditgate/client";

/** Throws the error of misuse: which option, what was expected, what came. */
export function invalidOption(option: string, expected: string, received: unknown): never {
  throw new CreditgateError("invalid_option", `${option}: expected ${expected}, received ${shown(received)}`);
}

/** The longest time that an option may name; timers of 25 days and more would fire at once. */
export const day = 86_400_000;

export function checkNumber(option: string, value: unknown, least: number, most: number): number {
  if (typeof value === "number" && value >= least && value <= most) return value;
  const range = most === Number.POSITIVE_INFINITY ? `${least} or more` : `from ${least} to ${most}`;
  return invalidOption(option, `a number, ${range}`, value);
}

export function checkInteger(option: string, value: unknown, least: number, most: number): number {
  if (Number.isSafeInteger(value)) return checkNumber(option, value, least, most);
  return invalidOption(option, `a whole number, from ${least} to ${most}`, value);
}

export function checkOneOf<T extends string | boolean>(
  option: string,
  value: unknown,
  allowed: readonly T[],
): T {
  const found = allowed.find((one) => one === value);
  return found ?? invalidOption(option, allowed.map((one) => JSON.stringify(one)).join(" or "), value);
}

export function checkFunction<T>(option: string, value: T): T {
  return typeof value === "function" ? value : invalidOption(option, "a function", value);
}

/** An object with these methods; `expected` names what has them. */
export function checkShape<T>(option: string, value: T, expected: string, methods: readonly (keyof T)[]): T {
  const fits = typeof value === "object" && value !== null;
  if (fits && methods.every((method) => typeof value[method] === "function")) return value;
  return invalidOption(option, expected, value);
}

export function checkIdentifier(option: string, value: unknown): string {
  return isIdentifier(value) ? value : invalidOption(option, identifierShape, value);
}

const identifierShape = "a string of 1 to 256 bytes without control characters";
const encoder = new TextEncoder();

/** Ids key the ledger and travel in URLs: they are bounded, and never folded or trimmed. */
export function isIdentifier(value: unknown): value is string {
  return isLine(value) && value !== "";
}

/** A string of at most 256 bytes without control characters. */
export function isLine(value: unknown): value is string {
  if (typeof value !== "string" || value.length > 256) return false;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (/[\u0000-\u001f\u007f-\u009f]/.test(value)) return false;
  // A lone surrogate has no encoding of its own, so two such ids could become one.
  if (/[\ud800-\udfff]/.test(value) && !wellFormed(value)) return false;
  return value.length <= 85 || encoder.encode(value).length <= 256;
}

function wellFormed(value: string): boolean {
  return !/\p{Surrogate}/u.test(value);
}

function shown(value: unknown): string {
  if (typeof value === "string") {
    return JSON.stringify(value.length > 64 ? `${value.slice(0, 64)}…` : value);
  }
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "an array" : "an object";
  return typeof value === "function" ? "a function" : String(value);
}
